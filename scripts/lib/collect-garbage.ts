/** Gives memory back between two steps that each need much of it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Below this many bytes, it is not worth the time. */
const fewBytes = 2 ** 28;

/**
 * Collects what nothing refers to any more. Left to itself, the collector waits while there is room: it
 * does not know that the next step needs as much again, nor that buffers hang on small objects.
 */
export function collectGarbage(): void {
  const { heapTotal, arrayBuffers } = process.memoryUsage();
  if (heapTotal + arrayBuffers < fewBytes) return;
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
