/**
 * Work on a stream of items in a thread of its own: beside the main thread, and with memory that is
 * given back as soon as the result is there.
 */
import { Worker } from "node:worker_threads";

/**
 * Work of a thread. The default export of a module that can be run as one makes it, from the options
 * that the thread is given and a function to be told how many items `finish` has dealt with.
 */
export interface Task<Item, Result> {
  take(item: Item): void;
  /** Called once, after the last item. */
  finish(): Result;
}

type Message<Result> =
  | { readonly taken: true }
  | { readonly done: number }
  | { readonly result: Result };

/** A batch is sent when it weighs this much, or has this many items. */
const batchWeight = 2 ** 18;
const batchItems = 256;
/** Batches that the thread may have before it; then the sender waits. */
const batchesAhead = 2;

/** The main thread's side of a task. */
export class TaskThread<Item, Result> {
  readonly #worker: Worker;
  #batch: Item[] = [];
  #weight = 0;
  #ahead = 0;
  #result: { readonly value: Result } | undefined;
  #failure: Error | undefined;
  #wake: () => void = () => {};

  /**
   * @param module the module whose default export makes the task
   * @param options handed to it, copied
   */
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

  /**
   * Hands an item over; waits while the thread has enough to do.
   *
   * @param weight size of the item, in characters or so
   * @throws what the task threw
   */
  async send(item: Item, weight: number): Promise<void> {
    this.#batch.push(item);
    this.#weight += weight;
    if (this.#weight >= batchWeight || this.#batch.length >= batchItems) await this.#flush();
  }

  /** Waits for the task's result and ends the thread. @throws what the task threw */
  async finish(): Promise<Result> {
    await this.#flush();
    this.#worker.postMessage(null);
    await this.#until(() => this.#result !== undefined);
    await this.stop();
    return (this.#result as { readonly value: Result }).value;
  }

  /** Ends the thread, finished or not. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  async #flush(): Promise<void> {
    await this.#until(() => this.#ahead < batchesAhead);
    this.#worker.postMessage(this.#batch);
    this.#ahead++;
    this.#batch = [];
    this.#weight = 0;
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
