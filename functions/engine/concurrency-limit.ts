/** A bound on what runs at the same time. */

/** Runs tasks in the order of the calls, at most `parallel` at a time. */
export function createLimit(parallel: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < parallel) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await task();
    } finally {
      // The next one takes over this one's place.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
