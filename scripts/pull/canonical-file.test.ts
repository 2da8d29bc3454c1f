/** What is replaced by an export; replies that lead nowhere, beside a naive walk from each comment. */
import { once } from "node:events";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { Failure } from "../cli/command.ts";
import { writeCanonicalFile } from "./canonical-file.ts";

const date = "2024-01-01 00:00:00";
const aPost = (id: number) => ({
  post_id: id,
  post_title: "",
  post_content_html: "",
  post_date_gmt: date,
});

test("writeCanonicalFile replaces nothing with an export of no posts", async () => {
  const target = join(temporaryFolder(), "export.sqlite");
  await writeCanonicalFile(target, async (file) => {
    file.add("posts", aPost(1));
    return [];
  });
  const before = readFileSync(target);
  const empty = writeCanonicalFile(target, async (file) => {
    file.add("posts", { ...aPost(1), post_date_gmt: null }, { leaveOut: true });
    return [];
  });
  await expect(empty).rejects.toThrow(
    /posts 1: post_date_gmt null is NULL.*\npull stopped: what was read has no posts; .* is unchanged/s,
  );
  expect(readFileSync(target).equals(before)).toBe(true);
});

/**
 * Writes comments, each with the post and the comment that it answers.
 *
 * @returns their parents, by id, and the warnings
 */
async function written(comments: readonly { readonly post: number; readonly parent: number }[]) {
  const target = join(temporaryFolder(), "export.sqlite");
  const { problems } = await writeCanonicalFile(target, async (file) => {
    for (const id of [1, 2]) file.add("posts", aPost(id));
    for (const [i, { post, parent }] of comments.entries())
      file.add("comments", {
        comment_id: i + 1,
        post_id: post,
        comment_date_gmt: date,
        comment_author: "",
        comment_content: "",
        comment_parent: parent,
      });
    return [];
  });
  const parents = new Database(target, { readonly: true })
    .prepare<[], [number, number]>("SELECT comment_id, comment_parent FROM comments")
    .raw()
    .all();
  return { parents: new Map(parents), problems };
}

test("writeCanonicalFile handles a signal at the input's end before it replaces anything", async () => {
  const target = join(temporaryFolder(), "export.sqlite");
  let isReplaced: boolean | undefined;
  await writeCanonicalFile(target, async (file) => {
    file.add("posts", aPost(1));
    // The next turn of the event loop may see the end alone. Timers run in the order in which they are due, whatever the load.
    setTimeout(() => (isReplaced = existsSync(target)), 1);
    return [];
  });
  expect([isReplaced, existsSync(target)]).toEqual([false, true]);
});

test("writeCanonicalFile handles a signal before it reports a line that is cut off", async () => {
  let isHandled = false;
  const pull = writeCanonicalFile(join(temporaryFolder(), "export.sqlite"), async () => {
    setTimeout(() => (isHandled = true), 1);
    throw new Failure("line 1 is cut off");
  });
  const handledBefore = pull.catch(() => isHandled);
  expect(await handledBefore).toBe(true);
});

test("writeCanonicalFile leads every reply up to a post, and warns of each change", async () => {
  const comment = fc.record({
    post: fc.integer({ min: 1, max: 2 }),
    parent: fc.integer({ min: 0, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(comment, { maxLength: 10 }), async (comments) => {
      const { parents, problems } = await written(comments);
      const given = (id: number) => comments[id - 1]!;
      const isOrphan = (id: number): boolean =>
        given(id).parent !== 0 && comments[given(id).parent - 1]?.post !== given(id).post;
      /** The comments from one up to the post, or up to the first that is met again. */
      const walk = (id: number): number[] => {
        const met: number[] = [];
        for (let at = id; at !== 0 && !met.includes(at);)
          at = isOrphan(met[met.push(at) - 1]!) ? 0 : given(at).parent;
        return met;
      };
      const circles = new Set<string>();
      for (const id of parents.keys()) {
        const met = walk(id);
        const { parent } = given(met.at(-1)!);
        if (!isOrphan(met.at(-1)!) && parent === id) circles.add(met.sort().join());
        // No walk through what was written meets a comment twice.
        let at = id;
        for (let steps = 0; at !== 0; steps++, at = parents.get(at)!)
          expect(steps).toBeLessThan(11);
      }
      const changed = [...parents].filter(([id, parent]) => parent !== given(id).parent);
      expect(changed.every(([, parent]) => parent === 0)).toBe(true);
      const orphans = [...parents.keys()].filter(isOrphan);
      expect(changed.length).toBe(orphans.length + circles.size);
      expect(problems.map(({ key }) => Number(key)).sort()).toEqual(
        changed.map(([id]) => id).sort(),
      );
      expect(problems.every(({ severity }) => severity === "warning")).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("writeCanonicalFile takes a long thread, and warns once of a long circle", async () => {
  const count = 20_000;
  const line = Array.from({ length: count }, (_, i) => ({ post: 1, parent: i + 2 }));
  expect((await written([...line, { post: 1, parent: 0 }])).problems).toEqual([]);
  const { problems } = await written([...line, { post: 1, parent: 1 }]);
  expect(problems.map(({ key, rule }) => [key, rule])).toEqual([["1", "parent-cycle"]]);
});

test("writeCanonicalFile does not replace a socket", async () => {
  const target = join(temporaryFolder(), "socket");
  const server = createServer().listen(target);
  await once(server, "listening");
  await expect(writeCanonicalFile(target, async () => [])).rejects.toThrow(/is no file/);
  expect(lstatSync(target).isSocket()).toBe(true);
  server.close();
});
