/**
 * Work on a stream of items, in a thread of its own where there are many: it then runs beside the main
 * thread, and its memory is given back as soon as the result is there.
 */
import { Worker } from "node:worker_threads";

/**
 * The work itself. The default export of a module makes it, from the task's options and a function
 * that `finish` calls with the number of items it has dealt with.
 */
export interface Task<Item, Result> {
  take(item: Item): void;
  /** Called once, after the last item. */
  finish(): Result;
}

/** The default export of a task's module. */
export type CreateTask = (
  options: unknown,
  progress: (items: number) => void,
) => Task<unknown, unknown>;

/** A task that was started, from the sender's side. */
export interface RunningTask<Item, Result> {
  /**
   * Hands an item over; waits while the task has enough to do.
   *
   * @param weight size of the item, in characters or so
   * @throws what the task threw
   */
  send(item: Item, weight: number): Promise<void>;
  /** Waits for the result and ends the task. @throws what the task threw */
  finish(): Promise<Result>;
  /** Ends the task, finished or not. */
  stop(): Promise<void>;
}

/** With fewer items, starting a thread takes longer than it saves. */
const fewestForThread = 2000;

/**
 * Starts a task: inline for few items, in a thread for many. The result is the same.
 *
 * @param module the module whose default export makes the task
 * @param options passed to it; a thread gets a copy
 * @param items how many items there will be
 */
export async function startTask<Item, Result>(
  module: URL,
  options: unknown,
  items: number,
  progress: (items: number) => void = () => {},
): Promise<RunningTask<Item, Result>> {
  if (items >= fewestForThread) return new TaskThread(module, options, progress);
  const { default: createTask } = (await import(module.href)) as { default: CreateTask };
  const task = createTask(options, progress) as Task<Item, Result>;
  return {
    send: async (item) => task.take(item),
    finish: async () => task.finish(),
    stop: async () => {},
  };
}

type Message<Result> =
  | { readonly taken: true }
  | { readonly done: number }
  | { readonly result: Result };

/** A batch is sent when it weighs this much, or has this many items. */
const batchWeight = 2 ** 18;
const batchItems = 256;
/** Batches that may wait for the thread; then the sender waits. */
const batchesAhead = 2;

/** The main thread's side of a task that runs in a thread. */
export class TaskThread<Item, Result> implements RunningTask<Item, Result> {
  readonly #worker: Worker;
  #batch: Item[] = [];
  #weight = 0;
  #ahead = 0;
  #result: { readonly value: Result } | undefined;
  #failure: Error | undefined;
  #wake: () => void = () => {};

  /** Takes what `startTask` takes. */
  constructor(module: URL, options: unknown, progress: (items: number) => void = () => {}) {
    this.#worker = new Worker(new URL("task-worker.ts", import.meta.url), {
      execArgv: process.features.typescript ? [] : ["--experimental-strip-types"],
      workerData: { module: module.href, options },
      // Items pass through, so a small nursery is enough; a large one only keeps memory.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    this.#worker.on("message", (message: Message<Result>) => {
      if ("done" in message) progress(message.done);
      else if ("taken" in message) this.#ahead--;
      else this.#result = { value: message.result };
      this.#wake();
    });
    this.#worker.on("error", (error: Error) => {
      this.#failure = error;
      this.#wake();
    });
    this.#worker.on("exit", () => {
      this.#failure ??= new Error(`a thread of ${module.pathname} ended early`);
      this.#wake();
    });
  }

  async send(item: Item, weight: number): Promise<void> {
    this.#batch.push(item);
    this.#weight += weight;
    if (this.#weight >= batchWeight || this.#batch.length >= batchItems) await this.#flush();
  }

  async finish(): Promise<Result> {
    await this.#flush();
    this.#worker.postMessage(null);
    const { value } = await this.#until(() => this.#result);
    await this.stop();
    return value;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  async #flush(): Promise<void> {
    await this.#until(() => this.#ahead < batchesAhead || undefined);
    this.#worker.postMessage(this.#batch);
    this.#ahead++;
    this.#batch = [];
    this.#weight = 0;
  }

  /** Waits until `value` gives one. */
  async #until<T>(value: () => T | undefined): Promise<T> {
    for (;;) {
      const found = value();
      if (found !== undefined) return found;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
