/** A URL as messages show it: without a user name and a password. */

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
export function withoutPassword(url: string): string {
  const at = url.lastIndexOf("@");
  if (at < 0 || hasNoCredentials(url)) return url;
  const [scheme = ""] = /^\s*https?:[/\\]*/i.exec(url) ?? [];
  return scheme + url.slice(at + 1);
}
