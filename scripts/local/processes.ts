/** How a server of this project ends. */
import { terminationSignals } from "../cli/clean-up.ts";

/**
 * Ends this process at Ctrl-C and other signals, with exit code 0, and when the process that started it is gone: a
 * parent that a signal has ended, as npm, cannot end this process any more.
 */
export function endWithParent(): void {
  for (const signal of terminationSignals) process.once(signal, () => process.exit(0));
  const parent = process.ppid;
  setInterval(() => {
    // As a signal does: a build that is under way cleans up.
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 1000).unref();
}

/** Never resolves: a server runs until its process ends. */
export const untilEnded = (): Promise<never> => new Promise(() => {});
