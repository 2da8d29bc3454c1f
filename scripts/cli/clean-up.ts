/** Removes what work leaves, also when Ctrl-C or another signal ends the process. */

/** Signals that end a process and can be handled. */
export const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does some work, then cleans up, whether the work succeeds, fails, or a signal ends the process. Only
 * `kill -9` and a power failure end it without.
 *
 * @param cleanUp called at least once; must not throw
 */
export async function withCleanUp<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals): void => {
    cleanUp();
    // This handler was removed, so the signal now ends the process as it would have without it.
    process.kill(process.pid, signal);
  };
  // Nested work is cleaned up before the work around it.
  for (const signal of endings) process.prependOnceListener(signal, onSignal);
  try {
    return await work();
  } finally {
    for (const signal of endings) process.off(signal, onSignal);
    cleanUp();
  }
}
