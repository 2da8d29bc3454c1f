/** What happens at Ctrl-C and other signals: work is cleaned up before the process ends, or takes the signal itself. */
import { endProgress } from "./progress.ts";

/** Signals that end a process and can be handled. */
export const terminationSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What some work that is under way does at a signal. */
interface Handler {
  readonly handle: (signal: NodeJS.Signals) => void;
  /** Whether the signal then ends nothing, and reaches no other handler. */
  readonly takesSignals: boolean;
}

/** Handlers of the work that is under way, the innermost last. Signals belong to the process, and so does this list. */
const handlers: Handler[] = [];

function handleSignal(signal: NodeJS.Signals): void {
  const taker = handlers.find(({ takesSignals }) => takesSignals);
  if (taker !== undefined) return taker.handle(signal);
  // A terminal gets its settings back, and what is said now has a line of its own.
  endProgress();
  for (const { handle } of handlers.splice(0).reverse()) handle(signal);
  for (const name of terminationSignals) process.off(name, handleSignal);
  // Without a handler, the signal now ends the process as it would have at once.
  process.kill(process.pid, signal);
}

async function withHandler<T>(handler: Handler, work: () => Promise<T>): Promise<T> {
  if (handlers.push(handler) === 1)
    // Before others, such as one that ends the process at once.
    for (const name of terminationSignals) process.prependListener(name, handleSignal);
  try {
    return await work();
  } finally {
    const position = handlers.indexOf(handler);
    if (position >= 0) handlers.splice(position, 1);
    if (handlers.length === 0)
      for (const name of terminationSignals) process.off(name, handleSignal);
  }
}

/**
 * Does some work, then cleans up, whether the work succeeds, fails, or a signal ends the process. Only
 * `kill -9` and a power failure end it without.
 *
 * @param cleanUp called at least once; must not throw
 */
export async function withCleanUp<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await withHandler({ handle: cleanUp, takesSignals: false }, work);
  } finally {
    cleanUp();
  }
}

/**
 * Does some work, and says something last where a signal ends the process meanwhile.
 *
 * @param lastWords called after everything within the work was cleaned up; must not throw
 */
export const onSignal = <T>(
  lastWords: (signal: NodeJS.Signals) => void,
  work: () => Promise<T>,
): Promise<T> => withHandler({ handle: lastWords, takesSignals: false }, work);

/**
 * Does some work that a signal must not end half-way. While it runs, a signal only calls `handle`: clean-ups and
 * last words of other work, around or within, wait until this work has ended. So locks are held, and programs that it
 * started go on.
 *
 * @param handle called at each signal
 */
export const deferSignals = <T>(
  handle: (signal: NodeJS.Signals) => void,
  work: () => Promise<T>,
): Promise<T> => withHandler({ handle, takesSignals: true }, work);
