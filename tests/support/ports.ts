/** Ports of this machine, for servers that tests start. */
import { createServer } from "node:net";

/** A port that nobody uses at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed).listen(0, () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });

/** Resolves when a URL answers with 200. @param seconds how long to wait at most */
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
