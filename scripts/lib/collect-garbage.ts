/** Gives memory back between two steps that each need much of it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Items after which a loop over all posts or rows collects: left to itself, the heap may double. */
const itemsBetweenCollections = 16_384;

/** Below this many bytes, it is not worth the time. */
const fewBytes = 2 ** 28;

/**
 * Collects what nothing refers to any more. On its own, the collector waits while there is free memory. It
 * does not know that the next step needs as much again, or that small objects hold large buffers.
 */
export function collectGarbage(): void {
  const { heapTotal, arrayBuffers } = process.memoryUsage();
  if (heapTotal + arrayBuffers < fewBytes) return;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/**
 * Collects now and then in a loop.
 *
 * @param count items that it has done
 */
export function collectGarbageInLoop(count: number): void {
  if (count % itemsBetweenCollections === 0) collectGarbage();
}
