/** Where the pages of posts are that a pull reads, and whether builds should link to them. */
import { printable } from "../export/problems.ts";
import { withoutPassword } from "../lib/without-password.ts";
import { webUrl } from "./answer.ts";

/** What is wrong with a template of the URLs of posts: why no build should link to such pages. */
export function faultOfPages(template: string): string | undefined {
  // In the place of a port, only small ids make a URL.
  const url = webUrl(template.replaceAll("{postId}", String(Number.MAX_SAFE_INTEGER)));
  if (url === undefined)
    return `postUrl is not an http or https URL without a password (${printable(withoutPassword(template)).slice(0, 200)})`;
  // The URL standard writes an address of IPv4 as four numbers, and one of IPv6 in its shortest form.
  const isLocal = /^(?:(?:.*\.)?localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(url.hostname);
  return isLocal ? `postUrl leads to this machine (${url.origin})` : undefined;
}

/** What a pull says of such a template. @param fault as `faultOfPages` gives it */
export const notKept = (fault: string): string =>
  `${fault}, so it is not kept: builds use their own.`;
