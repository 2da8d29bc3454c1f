/** Requests to a published site, and URLs as messages show them. */

/** Seconds for an answer, its body included. */
const answerSeconds = 30;

/** One request. A site that takes longer to answer counts as not answering. */
export function ask(url: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  const limit = AbortSignal.timeout(answerSeconds * 1000);
  return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
}

/** Why a request failed, in a line: `fetch failed` alone helps nobody. */
export function failureReason({ message, cause }: Error): string {
  // Where a name has several addresses and none of them answers, the cause has a code alone.
  const { message: ofCause = "", code = "" } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  const [line = ""] = (ofCause || code || message).split("\n");
  return line;
}

/** Whether a URL, or a path, is certain to have no user name and no password: it has places for them, which are empty. */
function hasNoCredentials(url: string): boolean {
  // A base of another scheme: http:user:pw@host would be a path after one of its own.
  const base = "wss://base.example";
  if (!URL.canParse(url, base)) return false;
  const { protocol, username, password } = new URL(url, base);
  return ["http:", "https:", "wss:"].includes(protocol) && username === "" && password === "";
}

/**
 * A URL as messages show it: without a user name and a password. What is no URL may have a password in any place before
 * its last @.
 */
export function redactUrl(url: string): string {
  const at = url.lastIndexOf("@");
  if (at < 0 || hasNoCredentials(url)) return url;
  const [scheme = ""] = /^\s*https?:[/\\]*/i.exec(url) ?? [];
  return scheme + url.slice(at + 1);
}
