/** Tests of the clients in the documentation that keep a copy: run against one snapshot and then against a changed one. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { downloads } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { built, runProgram, sample, temporaryFolder } from "./support.ts";
import { serveSite } from "./served-site.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("python3 is not installed: the sync client in Python is not tested");

/**
 * Runs a client.
 *
 * @returns the paths that it asked for
 */
async function synced(program: string, client: string, snapshot: string, copy: string) {
  const site = await serveSite(snapshot);
  try {
    const { code, stderr } = await runProgram(program, [join(snapshot, client), site.url, copy]);
    expect([code, stderr]).toEqual([0, ""]);
  } finally {
    site.stop();
  }
  return site.asked;
}

/** A site that shows some snapshots in turn, and breaks connections. */
interface FaultySite {
  readonly url: string;
  /**
   * Shows a snapshot.
   *
   * @param breakAfter requests after which every connection breaks
   */
  show(snapshot: string, breakAfter: number): void;
  stop(): void;
}

async function faultySite(): Promise<FaultySite> {
  let snapshot = "";
  let left = 0;
  const server = createServer((request, response) => {
    if (left-- <= 0) return void request.socket.destroy();
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const file = join(snapshot, pathname.startsWith("/api/posts/") ? `${pathname}.json` : pathname);
    if (!existsSync(file)) return void response.writeHead(404).end();
    const content = readFileSync(file);
    // The last answer breaks in the middle of its body.
    response.writeHead(200, { "Content-Length": content.length });
    if (left > 0) response.end(content);
    else response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    show(shown, breakAfter) {
      snapshot = shown;
      left = breakAfter;
    },
    stop: () => void server.close(),
  };
}

/** Documents by file name, without the list that the client keeps. */
const documentsIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((name) => !/^sync\.|^\.part-/.test(name))
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );

/** Posts whose documents differ between two snapshots, and posts that only the new one has. */
function changedPosts(before: string, after: string): string[] {
  const [old, now] = [before, after].map((one) => documentsIn(join(one, "api/posts")));
  return [...(now ?? [])].flatMap(([name, text]) => (old?.get(name) === text ? [] : [name]));
}

/** The export with ten changed posts, a new one, and one that is gone. */
function altered(source: string): string {
  const file = join(temporaryFolder(), "altered.sqlite");
  if (source === sample) new Database(file).exec(readFileSync(sample, "utf8")).close();
  else copyFileSync(source, file);
  new Database(file)
    .exec(`
      UPDATE posts SET count_likes = count_likes + 1
        WHERE post_id IN (SELECT post_id FROM posts ORDER BY post_id LIMIT 10 OFFSET 5);
      DELETE FROM posts WHERE post_id = (SELECT max(post_id) FROM posts);
      INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
        SELECT 999999, 'new', '<p>new</p>', max(post_date_gmt) FROM posts;`)
    .close();
  return file;
}

/**
 * Declares the tests.
 *
 * @param source an export with more than 15 posts
 * @param rounds runs that are interrupted
 */
export async function describeSync(source: string, rounds: number): Promise<void> {
  const before = await built(source);
  const after = await built(altered(source));
  const few = altered(source);
  new Database(few)
    .exec("DELETE FROM posts WHERE post_id % 3 = 0; DELETE FROM comments WHERE post_id % 3 = 0")
    .close();
  const shorter = await built(few);
  describe.each([
    [process.execPath, "sync.js", true],
    ["python3", "sync.py", hasPython],
  ])("%s %s", (program, client, canRun) => {
    test.skipIf(!canRun)("copies what is published, and asks only for what changed", async () => {
      const copy = join(temporaryFolder(), "copy");
      expect(await synced(program, client, before, copy)).toEqual(["/sync.json", downloads.bulk]);
      expect(documentsIn(copy)).toEqual(documentsIn(join(before, "api/posts")));

      const changed = changedPosts(before, after);
      expect(changed.length).toBeGreaterThan(10);
      expect((await synced(program, client, after, copy)).toSorted()).toEqual(
        [
          "/sync.json",
          ...changed.map((name) => `/api/posts/${name.replace(".json", "")}`),
        ].toSorted(),
      );
      expect(documentsIn(copy)).toEqual(documentsIn(join(after, "api/posts")));

      expect(await synced(program, client, after, copy)).toEqual(["/sync.json 304"]);

      // A file that was damaged since, and a list that is not the one of the entity tag.
      const [damaged = ""] = changed;
      writeFileSync(join(copy, damaged), "{}");
      expect(await synced(program, client, after, copy)).toEqual([
        "/sync.json 304",
        `/api/posts/${damaged.replace(".json", "")}`,
      ]);
      writeFileSync(join(copy, "sync.json"), "{}");
      expect(await synced(program, client, after, copy)).toEqual(["/sync.json"]);
      expect(documentsIn(copy)).toEqual(documentsIn(join(after, "api/posts")));
    });

    test.skipIf(!canRun)(
      `repairs what ${rounds} interrupted runs left, through edits, deletions and rollbacks`,
      async () => {
        const site = await faultySite();
        const snapshots = [before, after, shorter];
        const copy = join(temporaryFolder(), "copy");
        let broken = 0;
        for (let round = 0; round < rounds; round++) {
          const snapshot = snapshots[(round * 7919 + (round >> 1)) % 3] ?? before;
          // The site breaks connections, or the system ends the program, in the middle of the bulk file as well.
          const isKilled = round % 2 === 1;
          site.show(snapshot, isKilled ? Number.POSITIVE_INFINITY : 1 + ((round * 31) % 9));
          const run = spawn(program, [join(before, client), site.url, copy], {
            stdio: "ignore",
            ...(isKilled ? { timeout: 60 + ((round * 37) % 150), killSignal: "SIGKILL" } : {}),
          });
          const [code] = (await once(run, "close")) as [number | null];
          broken += code === 0 ? 0 : 1;
          if (round % 3 > 0) continue;
          site.show(snapshot, Number.POSITIVE_INFINITY);
          expect((await runProgram(program, [join(before, client), site.url, copy])).code).toBe(0);
          expect(documentsIn(copy)).toEqual(documentsIn(join(snapshot, "api/posts")));
          expect(readFileSync(join(copy, "sync.json"))).toEqual(
            readFileSync(join(snapshot, "sync.json")),
          );
        }
        site.stop();
        expect(broken).toBeGreaterThan(rounds / 3);
      },
    );

    test.skipIf(!canRun)("runs below a package.json of any type", async () => {
      const folder = temporaryFolder();
      const site = await serveSite(before);
      copyFileSync(join(before, client), join(folder, client));
      for (const type of ["commonjs", "module"]) {
        writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
        const copy = join(folder, type);
        const { code, stderr } = await runProgram(program, [join(folder, client), site.url, copy]);
        expect([type, code, stderr]).toEqual([type, 0, ""]);
        expect(documentsIn(copy)).toEqual(documentsIn(join(before, "api/posts")));
      }
      site.stop();
    });

    test.skipIf(!canRun)("writes nothing outside its folder, whatever a site lists", async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "package.json"), "mine");
      const evil = "{}";
      const digest = createHash("sha256").update(evil).digest("hex");
      const server = createServer((request, response) => {
        response.end(
          request.url === "/sync.json" ? JSON.stringify({ posts: { "../package": digest } }) : evil,
        );
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const url = `http://localhost:${(server.address() as AddressInfo).port}`;
      const run = runProgram(program, [join(before, client), url, join(folder, "copy")]);
      expect(await run).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("The list has no post id, but ../package"),
      });
      server.close();
      expect(readFileSync(join(folder, "package.json"), "utf8")).toBe("mine");
      expect(readdirSync(join(folder, "copy"))).toEqual([]);
    });

    test.skipIf(!canRun)("deletes files that are named like posts but are none", async () => {
      const copy = temporaryFolder();
      for (const name of ["1.json", "01.json", "0.json", "00001.json", "999999999.json"])
        writeFileSync(join(copy, name), "{}");
      writeFileSync(join(copy, "mine.json"), "mine");
      await synced(program, client, before, copy);
      expect(documentsIn(copy)).toEqual(
        documentsIn(join(before, "api/posts")).set("mine.json", "mine"),
      );
    });

    test.skipIf(!canRun).each(["before its headers", "in the middle of its body"])(
      "ends when a site is silent %s",
      async (moment) => {
        const server = createServer((_, response) => {
          if (moment !== "before its headers") response.write('{"posts":{');
        });
        await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
        // The same program, with less patience.
        const patient = readFileSync(join(before, client), "utf8");
        const impatient = join(temporaryFolder(), client === "sync.js" ? "sync.mjs" : client);
        writeFileSync(impatient, patient.replace("60_000", "300").replace("=60", "=0.3"));
        const url = `http://localhost:${(server.address() as AddressInfo).port}`;
        let isCut = false;
        const cut = setTimeout(() => {
          isCut = true;
          server.closeAllConnections();
        }, 60_000);
        const { code } = await runProgram(program, [impatient, url, join(impatient, "../copy")]);
        clearTimeout(cut);
        expect([code, isCut]).toEqual([1, false]);
        server.closeAllConnections();
        server.close();
      },
    );

    test.skipIf(!canRun)("prints its usage without arguments", async () => {
      const { code, stderr } = await runProgram(program, [join(before, client)]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^Usage: .* posts\n$/)]);
    });

    test.skipIf(!canRun)("refuses a bulk file that is not the listed one", async () => {
      const posts = { 1: "0".repeat(16) };
      const part = { firstId: 1, lastId: 1, posts: 1, sha256: "0".repeat(64) };
      const bulk = [{ ...part, url: "https://elsewhere.example/bulk/posts.jsonl.gz" }];
      const asked: string[] = [];
      const server = createServer(({ url = "" }, response) => {
        asked.push(url);
        response.end(url === "/sync.json" ? JSON.stringify({ posts, bulk }) : "another file");
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const url = `http://localhost:${(server.address() as AddressInfo).port}`;
      const copy = join(temporaryFolder(), "copy");
      const { code, stderr } = await runProgram(program, [join(before, client), url, copy]);
      server.close();
      expect([code, stderr]).toEqual([1, expect.stringContaining("was just updated")]);
      expect(asked).toEqual(["/sync.json", "/bulk/posts.jsonl.gz"]);
      expect(readdirSync(copy)).toEqual([]);
    });

    test.skipIf(!canRun)("keeps each file whole when it runs twice at once", async () => {
      const site = await serveSite(before);
      const copy = join(temporaryFolder(), "copy");
      const run = () => runProgram(program, [join(before, client), `${site.url}/`, copy]);
      await Promise.all([run(), run()]);
      const published = documentsIn(join(before, "api/posts"));
      for (const [name, text] of documentsIn(copy)) expect(text, name).toBe(published.get(name));
      expect((await run()).code).toBe(0);
      expect(documentsIn(copy)).toEqual(documentsIn(join(before, "api/posts")));
      site.stop();
    });

    test.skipIf(!canRun)("completes a copy that was unpacked from the bulk file", async () => {
      const copy = temporaryFolder();
      const lines = gunzipSync(readFileSync(join(before, downloads.bulk))).toString();
      for (const line of lines.split("\n").filter(Boolean))
        writeFileSync(join(copy, `${(JSON.parse(line) as Post).postId}.json`), line);
      // A deploy fell between the two.
      const asked = await synced(program, client, after, copy);
      expect(asked).toHaveLength(changedPosts(before, after).length + 1);
      expect(documentsIn(copy)).toEqual(documentsIn(join(after, "api/posts")));
    });
  });
}
