/** Requests to a published site. */

/** Seconds for an answer, body included; and for a file of tens of megabytes, on a slow line. */
const [usualSeconds, downloadSeconds] = [30, 900];

const askWithin = (
  seconds: number,
  url: string,
  { signal, ...init }: RequestInit,
): Promise<Response> => {
  const limit = AbortSignal.timeout(seconds * 1000);
  return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
};

/** One request. A site that takes longer to answer counts as not answering. */
export const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  askWithin(usualSeconds, url, init);

/** One request for a file for download. */
export const askForDownload = (url: string, init: RequestInit = {}): Promise<Response> =>
  askWithin(downloadSeconds, url, init);

/** Why a request failed, in a line: `fetch failed` alone helps nobody. */
export function reasonOf({ message, cause }: Error): string {
  // Where a name has several addresses and none of them answers, the cause has a code alone.
  const { message: ofCause = "", code = "" } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  const [line = ""] = (ofCause || code || message).split("\n");
  return line;
}
