/** Requests to a published site. */

/** Seconds for an answer, its body included. */
const answerSeconds = 30;

/** One request. A site that takes longer to answer counts as not answering. */
export function ask(url: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  const limit = AbortSignal.timeout(answerSeconds * 1000);
  return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
}

/** Why a request failed, in a line: `fetch failed` alone helps nobody. */
export function reasonOf({ message, cause }: Error): string {
  // Where a name has several addresses and none of them answers, the cause has a code alone.
  const { message: ofCause = "", code = "" } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  const [line = ""] = (ofCause || code || message).split("\n");
  return line;
}
