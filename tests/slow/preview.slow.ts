/** The preview while its snapshot is replaced again and again, and while clients leave in the middle of a file. */
import { cpSync, readdirSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answering, freePort } from "../../scripts/local/processes.ts";
import { startIn } from "../support/local-site.ts";
import {
  built,
  commandArguments,
  exportWith,
  sample,
  temporaryFolder,
} from "../support/support.ts";

test(
  "it answers whole posts or errors, goes on, and keeps no file open",
  { timeout: 60_000 },
  async () => {
    const folder = temporaryFolder();
    const [served, other] = [join(folder, "dist"), join(folder, "other")];
    cpSync(await built(sample), served, { recursive: true });
    const fewer = exportWith(
      "DELETE FROM posts WHERE post_id IN (1, 4); UPDATE posts SET post_content_html = post_content_html || '<p>longer</p>'",
    );
    cpSync(await built(fewer), other, { recursive: true });
    for (const one of [served, other]) writeFileSync(join(one, "large.bin"), Buffer.alloc(2 ** 24));

    const port = await freePort();
    const site = startIn(folder, port, process.execPath, [
      ...commandArguments("preview", served, "--port", String(port)),
    ]);
    await answering(`${site.url.replace("localhost", "127.0.0.1")}/snapshot.json`, 30);

    const end = Date.now() + 10_000;
    const swapping = (async () => {
      for (let swaps = 0; Date.now() < end; swaps++) {
        for (const [from, to] of [
          [served, `${served}.previous`],
          [other, served],
          [`${served}.previous`, other],
        ] as const)
          renameSync(from, to);
        await new Promise((wait) => setTimeout(wait, 3));
      }
    })();
    const statuses = new Map<string, number>();
    const count = (kind: string): void => void statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    const asking = Array.from({ length: 16 }, async (_, client) => {
      for (let i = client; Date.now() < end; i++) {
        try {
          const response = await fetch(`http://127.0.0.1:${port}/api/posts/${[1, 4, 5, 6][i % 4]}`);
          const text = await response.text();
          count(String(response.status));
          if (response.ok) expect(() => JSON.parse(text), text).not.toThrow();
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          count("closed");
        }
      }
    });
    await Promise.all([swapping, ...asking]);
    expect(statuses.get("200")).toBeGreaterThan(1000);

    for (let i = 0; i < 40; i++)
      await new Promise<void>((done) => {
        const socket = connect(port, "127.0.0.1", () =>
          socket.write("GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        );
        socket.once("data", () => socket.destroy()).once("close", () => done());
      });
    await new Promise((wait) => setTimeout(wait, 500));
    if (process.platform === "linux") {
      const open = `/proc/${site.pid}/fd`;
      const files = readdirSync(open).map((name) => readlinkSync(join(open, name)));
      expect(files.filter((file) => file.endsWith("large.bin"))).toEqual([]);
    }
    expect((await fetch(`http://127.0.0.1:${port}/api/posts/5`)).status).toBe(200);
    await site.stop();
  },
);
