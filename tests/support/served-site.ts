/** A snapshot over HTTP on this machine: files, and the function for whatever is none. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { searchOn } from "./support.ts";

/** A running site. */
export interface ServedSite {
  /** Origin, without a trailing slash. */
  readonly url: string;
  /** Paths of all requests so far; after a path, " 304" where the client had the file. */
  readonly asked: readonly string[];
  stop(): void;
}

/**
 * Serves a snapshot.
 *
 * @param port 0 for any that is free
 */
export async function serveSite(snapshot: string, port = 0): Promise<ServedSite> {
  const { handler } = searchOn(snapshot);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, href } = new URL(request.url ?? "", `http://${request.headers.host}`);
    const file = [pathname, `${pathname}.json`]
      .map((path) => join(snapshot, path))
      .find((path) => existsSync(path) && statSync(path).isFile());
    if (file !== undefined) {
      const content = readFileSync(file);
      const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
      const isKnown = request.headers["if-none-match"] === etag;
      asked.push(isKnown ? `${pathname} 304` : pathname);
      response.writeHead(isKnown ? 304 : 200, { ETag: etag }).end(isKnown ? undefined : content);
      return;
    }
    asked.push(pathname);
    const { method = "GET", headers } = request;
    const body = method === "POST" ? await buffer(request) : null;
    const answer = await handler(
      new Request(href, { method, headers: new Headers(headers as Record<string, string>), body }),
    );
    response.writeHead(answer.status, [...answer.headers].flat());
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => void server.close(),
  };
}
