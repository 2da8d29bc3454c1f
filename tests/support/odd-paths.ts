/** Paths that no client should ask for, and a client that asks for them as they are. */
import { connect } from "node:net";

const escapes = [
  "%",
  "%2",
  "%zz",
  "%00",
  "%ff",
  "%E3%81",
  "%c0%af",
  "%25",
  "%2500",
  "%0A",
  "%0d%0a",
  "%3F",
  "%23",
  "%2f",
  "%5c",
  "..%2f",
  "..%2f..%2f..%2fetc%2fpasswd",
  "%2e%2e/",
  "%u3042",
  "%F0%9F%98%80",
];
const places = [
  "/",
  "/api/",
  "/api/posts/",
  "/api/posts/1",
  "/api/posts/1/",
  "/api/search/",
  "/api/search?q=",
  "/bulk/",
  "/.well-known/",
];
/** Some 200 paths: malformed escapes at every place, and whatever else came to mind. */
export const oddPaths: readonly string[] = [
  ...places.flatMap((place) => escapes.map((escape) => place + escape)),
  "//",
  "///api//posts//1",
  "//example.com/%",
  "/api/posts/../../../etc/passwd",
  "/../../../../etc/passwd",
  "/..\\..\\etc\\passwd",
  "/.search-index/manifest.json",
  "/%2esearch-index/manifest.json",
  "/api/posts/.",
  "/api/posts/..",
  "/api/posts/1.json.json.json",
  "/api/posts/999.json",
  `/api/posts/${"9".repeat(5000)}`,
  `/${"a/".repeat(3000)}`,
  `/api/search?q=${"%E3%81%82".repeat(1500)}`,
  `/api/search?${"&".repeat(8000)}`,
  "/api/search?q=%ED%A0%80&page=%00&tags=%",
  "/api/posts/1?x#y",
  "/api/posts/1;a=b",
  "/api/posts/１",
  "/api/posts/電車",
  "/\u0000",
  "/a b",
  "*",
  "http://example.com/api/posts/1",
  "",
  "/site",
  "/site/",
  "/en",
  "/constructor",
  "/__proto__",
];

/**
 * Sends a GET with a path as it is, raw bytes included.
 *
 * @returns status 0 where the connection ended without an answer
 */
export const rawRequest = (
  port: number,
  path: string,
  host = `localhost:${port}`,
): Promise<{ status: number; body: string }> =>
  new Promise((done, failed) => {
    const socket = connect(port, "127.0.0.1");
    const parts: Buffer[] = [];
    socket.setTimeout(20_000, () => socket.destroy(new Error(`${path}: no answer`)));
    socket.on("error", (error) => (parts.length > 0 ? undefined : failed(error)));
    socket.on("data", (part) => parts.push(part));
    socket.on("close", () => {
      const [head = "", ...rest] = Buffer.concat(parts).toString().split("\r\n\r\n");
      done({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
        body: bodyOf(head, rest.join("\r\n\r\n")),
      });
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });

/** A body without the lengths of its chunks. */
const bodyOf = (head: string, body: string): string =>
  /transfer-encoding: chunked/i.test(head)
    ? body.replace(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n(?:\r\n)?/g, "")
    : body;
