/** Where the pages of posts are that a pull reads, and whether builds should link to them. */
import { printable } from "../lib/printable.ts";
import { withoutPassword } from "../lib/without-password.ts";
import { webUrl } from "./answer.ts";

/**
 * Hosts that nobody else reaches: names of RFC 6761 and 6762, addresses of RFC 1122 and 1918. The URL standard writes
 * an address of IPv4 as four numbers, and one of IPv6 in its shortest form.
 */
const localHost =
  /^(?:(?:.*\.)?(?:localhost|local|test)\.?|(?:127|10)\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/** What is wrong with a template of the URLs of posts: why no build should link to such pages. */
export function faultOfPages(template: string): string | undefined {
  // In the place of a port, only small ids make a URL.
  const url = webUrl(template.replaceAll("{postId}", String(Number.MAX_SAFE_INTEGER)));
  if (url === undefined)
    return `postUrl is not an http or https URL without a password (${printable(withoutPassword(template)).slice(0, 200)})`;
  return localHost.test(url.hostname)
    ? `postUrl leads to this machine or its network (${url.origin})`
    : undefined;
}

/** What a pull says of such a template. @param fault as `faultOfPages` gives it */
export const notKept = (fault: string): string =>
  `${fault}, so it is not kept: builds use their own.`;
