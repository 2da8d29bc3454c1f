import { renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtCopy, exportWith, sample } from "../../tests/support/support.ts";
import { contractError, ofOneSnapshot } from "./whole-answer.ts";

const answer = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body) });

/** Puts another snapshot in a folder's place, by two renames, as a build does. */
function replace(folder: string, other: string): void {
  renameSync(folder, `${folder}.before`);
  renameSync(other, folder);
}

test("an answer that a build has interrupted is made again, of the new snapshot", async () => {
  const folder = await builtCopy(sample);
  const other = await builtCopy(exportWith("DELETE FROM posts WHERE post_id = 1"));
  const made: string[] = [];
  const { body } = await ofOneSnapshot(folder, async () => {
    made.push("asked");
    if (made.length > 1) return answer("new");
    replace(folder, other);
    // A part was read before and a part after, or nothing was found.
    return contractError("indexUnavailable");
  });
  expect([made.length, String(body)]).toEqual([2, "new"]);
});

test("an error that a build has caused is none, and any other is thrown", async () => {
  const folder = await builtCopy(sample);
  const other = await builtCopy(exportWith("DELETE FROM posts WHERE post_id = 1"));
  let asked = 0;
  const { body } = await ofOneSnapshot(folder, async () => {
    if (asked++ > 0) return answer("new");
    replace(folder, other);
    throw new Error("ENOENT");
  });
  expect(String(body)).toBe("new");
  await expect(ofOneSnapshot(folder, () => Promise.reject(new Error("a fault")))).rejects.toThrow(
    "a fault",
  );
});

test("where builds replace each snapshot before it has answered, the client may try again", async () => {
  const folder = await builtCopy(sample);
  const manifest = join(folder, "snapshot.json");
  let builds = 0;
  const { status } = await ofOneSnapshot(folder, async () => {
    utimesSync(manifest, ++builds, builds);
    throw new Error("ENOENT");
  });
  expect(status).toBe(503);
});

test("a snapshot that is missing for a moment is waited for", async () => {
  const folder = await builtCopy(sample);
  renameSync(folder, join(folder, "../elsewhere"));
  setTimeout(() => renameSync(join(folder, "../elsewhere"), folder), 30);
  expect((await ofOneSnapshot(folder, async () => answer("here"))).status).toBe(200);
  rmSync(folder, { recursive: true });
  expect((await ofOneSnapshot(folder, async () => answer("here"))).status).toBe(503);
});
