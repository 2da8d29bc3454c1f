/** Requests to a published site. */

/** One request. A site that takes longer to answer, body included, counts as not answering. */
export const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });

/** Why a request failed, in a line: `fetch failed` alone helps nobody. */
export function reasonOf({ message, cause }: Error): string {
  const [line = ""] = (cause instanceof Error ? cause.message : message).split("\n");
  return line;
}
