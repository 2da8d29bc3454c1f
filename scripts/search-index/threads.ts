/** Deals the work on ranges out to threads. What comes back is the same, whatever their number. */
import { Worker } from "node:worker_threads";
import type { UnitRange } from "./grams.ts";
import { rangeJobs, type JobOptions, type RangeJobs } from "./range-jobs.ts";

type JobName = keyof RangeJobs;

/** A job for a thread. */
export interface JobMessage {
  readonly name: JobName;
  readonly range: UnitRange;
}

/** Does jobs on ranges. */
export interface JobRunner {
  /** Results of a job, in the order of the ranges. @throws what the job threw */
  run<Name extends JobName>(
    name: Name,
    ranges: readonly UnitRange[],
  ): AsyncGenerator<ReturnType<RangeJobs[Name]>>;
  stop(): Promise<void>;
}

/** Does the jobs in this thread. */
const inlineRunner = (options: JobOptions): JobRunner => ({
  async *run(name, ranges) {
    for (const range of ranges)
      yield rangeJobs[name](options, range) as ReturnType<RangeJobs[typeof name]>;
  },
  async stop() {},
});

/** A thread that does one job at a time. */
class JobThread {
  readonly #worker: Worker;

  constructor(options: JobOptions) {
    this.#worker = new Worker(new URL("thread.ts", import.meta.url), {
      execArgv: process.features.typescript ? [] : ["--experimental-strip-types"],
      workerData: options,
      // Nearly all memory is in typed arrays; a large nursery would only be kept.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
  }

  do(message: JobMessage): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error("a thread of the search index ended early"));
      this.#worker.once("error", reject).once("exit", ended);
      this.#worker.once("message", (result) => {
        this.#worker.off("error", reject).off("exit", ended);
        resolve(result);
      });
      this.#worker.postMessage(message);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Results that may wait for their turn, by thread: enough to keep all busy, few enough for memory. */
const aheadByThread = 2;

/**
 * Starts threads for the jobs.
 *
 * @param count number of threads; with 1, the jobs are done in this thread
 */
export function startThreads(options: JobOptions, count: number): JobRunner {
  if (count <= 1) return inlineRunner(options);
  const threads = Array.from({ length: count }, () => new JobThread(options));
  return {
    async *run(name, ranges) {
      const idle = [...threads];
      const results: Promise<unknown>[] = [];
      // One job after the other takes the thread that is idle first.
      const waiting: ((thread: JobThread) => void)[] = [];
      const free = (thread: JobThread): void => {
        const next = waiting.shift();
        if (next === undefined) idle.push(thread);
        else next(thread);
      };
      const start = async (range: UnitRange): Promise<unknown> => {
        const thread = idle.pop() ?? (await new Promise<JobThread>((take) => waiting.push(take)));
        const result = await thread.do({ name, range });
        free(thread);
        return result;
      };
      for (let next = 0, given = 0; given < ranges.length; given++) {
        for (; next < ranges.length && next < given + count * aheadByThread; next++) {
          const result = start(ranges[next]!);
          // A failure is thrown when its turn comes.
          result.catch(() => {});
          results.push(result);
        }
        yield (await results.shift()) as ReturnType<RangeJobs[typeof name]>;
      }
    },
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
