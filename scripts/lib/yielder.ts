/** Lets other work go on beside a long loop: without a turn of the event loop, Ctrl-C is noticed at its end. */
import { setImmediate } from "node:timers/promises";

/** Milliseconds that a loop may run between two turns. */
const maxRunMs = 100;

/** The turns of the event loop that one loop gives to other work. */
export class Yielder {
  #since = performance.now();

  /** Whether the loop has run for long enough. Ask after each item. */
  get shouldYield(): boolean {
    return performance.now() - this.#since > maxRunMs;
  }

  /** Lets the event loop turn once: signals, messages of threads and timers are handled. */
  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
