/** Requests to a published site. */

/** One request. A site that takes longer to answer, body included, counts as not answering. */
export function ask(
  url: string,
  { signal, ...init }: RequestInit = {},
  seconds = 30,
): Promise<Response> {
  const limit = AbortSignal.timeout(seconds * 1000);
  return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
}

/** One request for a file for download: it may have tens of megabytes, and the line may be slow. */
export const askForDownload = (url: string, init: RequestInit = {}): Promise<Response> =>
  ask(url, init, 900);

/** Why a request failed, in a line: `fetch failed` alone helps nobody. */
export function reasonOf({ message, cause }: Error): string {
  // Where a name has several addresses and none of them answers, the cause has a code alone.
  const { message: ofCause = "", code = "" } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  const [line = ""] = (ofCause || code || message).split("\n");
  return line;
}
