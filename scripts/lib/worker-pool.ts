/** Deals jobs out to threads. What comes back is the same, whatever their number. */
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createLimit } from "../../functions/engine/concurrency-limit.ts";

/**
 * Jobs by name, each with one argument. A module's default export makes them from its options, once
 * in every thread: what is made there is kept from one job to the next.
 *
 * Options, arguments and results are copied, except for memory that is shared.
 */
export type Jobs = Readonly<Record<string, (argument: never) => unknown>>;

/** Does jobs. */
export interface WorkerPool<J extends Jobs> {
  /**
   * Does a job for each argument. Arguments are taken as threads become idle, so they may be made on
   * the way. One thread does its jobs in their order.
   *
   * @returns the results, in the order of the arguments
   * @throws what the job threw
   */
  run<Name extends keyof J & string>(
    name: Name,
    jobs: Iterable<Parameters<J[Name]>[0]>,
  ): AsyncGenerator<ReturnType<J[Name]>>;
  /**
   * Does one job.
   *
   * @throws what the job threw
   */
  runOne<Name extends keyof J & string>(
    name: Name,
    ...argument: Parameters<J[Name]>
  ): Promise<ReturnType<J[Name]>>;
  /** Ends the threads, finished or not. */
  stop(): Promise<void>;
}

/** A job for a thread. */
export interface JobMessage {
  readonly name: string;
  readonly argument: unknown;
}

/** What a thread is started with. */
export interface ThreadOptions {
  /** URL of the module that makes the jobs. */
  readonly module: string;
  readonly options: unknown;
}

/** What does one job at a time. */
interface PoolWorker {
  do(message: JobMessage): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Does the jobs in this thread, which has other work to do between two of them. */
export async function inlineWorker({ module, options }: ThreadOptions): Promise<PoolWorker> {
  const { default: createJobs } = (await import(module)) as { default: (options: unknown) => Jobs };
  const jobs = createJobs(options);
  return {
    async do({ name, argument }) {
      await setImmediate();
      return jobs[name]!(argument as never);
    },
    async stop() {},
  };
}

/**
 * Has a thread read TypeScript. Node before 22.18 does so only with this flag, and newer ones accept it;
 * whether this process has it says nothing about its threads.
 */
const stripTypes = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

/** A thread of its own. */
class ThreadWorker implements PoolWorker {
  readonly #worker: Worker;
  #failure: Error | undefined;

  constructor(workerData: ThreadOptions) {
    this.#worker = new Worker(new URL("worker.ts", import.meta.url), {
      execArgv: stripTypes,
      workerData,
      // Large data is in typed arrays or short-lived. A large young generation would only keep memory.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    const early = new Error(`a thread of ${workerData.module} ended early`);
    this.#worker.once("error", (error: Error) => (this.#failure ??= error));
    this.#worker.once("exit", () => (this.#failure ??= early));
  }

  do(message: JobMessage): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      const ended = (): void => reject(this.#failure);
      this.#worker.once("error", reject).once("exit", ended);
      this.#worker.once("message", (result) => {
        this.#worker.off("error", reject).off("exit", ended);
        resolve(result);
      });
      this.#worker.postMessage(message);
    });
  }

  stop(): Promise<unknown> {
    return this.#worker.terminate();
  }
}

/** Results that may wait for their turn, by thread: enough to keep all busy, few enough for memory. */
const aheadByThread = 2;

/**
 * Starts threads for the jobs of a module.
 *
 * @param module its default export makes the jobs
 * @param options what it makes them from; each thread gets a copy
 * @param count number of threads; with 0, the jobs are done in this thread
 */
export async function createWorkerPool<J extends Jobs>(
  module: URL,
  options: unknown,
  count: number,
): Promise<WorkerPool<J>> {
  const data = { module: module.href, options };
  const threads: readonly PoolWorker[] =
    count === 0
      ? [await inlineWorker(data)]
      : Array.from({ length: count }, () => new ThreadWorker(data));
  const idle = threads.toReversed();
  // Of the jobs that wait, the first gets the thread that is idle first.
  const withSlot = createLimit(threads.length);
  const start = (name: string, argument: unknown): Promise<unknown> =>
    withSlot(async () => {
      const thread = idle.pop()!;
      try {
        return await thread.do({ name, argument });
      } finally {
        idle.push(thread);
      }
    });
  return {
    async *run(name, all) {
      type Result = ReturnType<J[typeof name]>;
      const results: Promise<unknown>[] = [];
      for (const argument of all) {
        const result = start(name, argument);
        // A failure is thrown when its turn comes.
        result.catch(() => {});
        results.push(result);
        if (results.length === threads.length * aheadByThread)
          yield (await results.shift()) as Result;
      }
      for (const result of results) yield (await result) as Result;
    },
    runOne: (name, argument?) => start(name, argument) as Promise<ReturnType<J[typeof name]>>,
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

/** Starting threads takes longer than they would save where texts have fewer units together. */
const unitsForThreads = 2 ** 22;
/** More threads take memory, and find too little to do in collections that the platform takes. */
const maxThreads = 4;

/**
 * How many threads to start for work on texts.
 *
 * @param units of all texts together; 0 for no threads
 */
export const threadsFor = (units: number): number =>
  units < unitsForThreads ? 0 : Math.min(maxThreads, availableParallelism());
