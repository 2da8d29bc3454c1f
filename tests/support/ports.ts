/** Ports of this machine, for servers that tests start. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Whether a server can listen on a port now. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false)).listen(port, () => server.close(() => done(true)));
  });

/**
 * A port that nobody uses at the moment. Systems give ports above 32,767 to servers that ask for any port, as the
 * one for blobs of `netlify dev` does. So this port stays free until its server listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

/**
 * Resolves when a URL answers with 200.
 *
 * @param seconds how long to wait at most
 */
export async function answering(url: string, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      const { status } = await fetch(url);
      if (status === 200) return;
      throw new Error(`status ${status}`);
    } catch (cause) {
      if (Date.now() > end) throw new Error(`${url} does not answer`, { cause });
      await new Promise((wait) => setTimeout(wait, 200));
    }
  }
}
