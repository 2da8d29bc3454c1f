/** Where the pages of posts are that a pull reads, and whether builds should link to them. */
import { BlockList, isIP } from "node:net";
import { escapeControlChars } from "../lib/text.ts";
import { redactUrl } from "../lib/http.ts";
import { webUrl } from "./answer.ts";

/** Addresses that nobody else reaches: https://www.iana.org/assignments/iana-ipv4-special-registry, and -ipv6-. */
const localAddresses = new BlockList();
const versionOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
for (const subnet of (
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 " +
  "::/127 fc00::/7 fe80::/10"
).split(" ")) {
  const [net = "", prefix] = subnet.split("/");
  localAddresses.addSubnet(net, Number(prefix), versionOf(net));
}

/** Such names: of one label, of RFC 6761, 6762 (with its appendix G) and 8375, and `.internal`. */
const localName =
  /^(?:[^.]+|(?:.*\.)?(?:localhost|local|test|internal|intranet|private|corp|home|lan|localdomain|home\.arpa))\.?$/;

/**
 * Whether only this machine or its network reaches a host.
 *
 * @param hostname of a `URL`
 */
function isLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0
    ? localName.test(hostname)
    : localAddresses.check(address, versionOf(address));
}

/** What is wrong with a template of the URLs of posts: why no build should link to such pages. */
export function faultOfPages(template: string): string | undefined {
  // In the place of a port, only small ids make a URL.
  const url = webUrl(template.replaceAll("{postId}", String(Number.MAX_SAFE_INTEGER)));
  if (url === undefined)
    return `postUrl is not an http or https URL without a password (${escapeControlChars(redactUrl(template)).slice(0, 200)})`;
  return isLocal(url.hostname)
    ? `postUrl leads to this machine or its network (${url.origin})`
    : undefined;
}

/**
 * What a pull says of such a template.
 *
 * @param fault as `faultOfPages` gives it
 */
export const notKept = (fault: string): string =>
  `${fault}, so it is not kept: builds use their own.`;
