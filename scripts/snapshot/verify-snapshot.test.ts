import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { postFile } from "../../functions/contract/http.ts";
import { blockFolder, indexFiles, indexFolder } from "../../functions/engine/index-format.ts";
import {
  built,
  builtCopy,
  runInProcess,
  sample,
  temporaryFolder,
} from "../../tests/support/support.ts";
import { verify } from "../verify.ts";
import { hasMatchingDigests } from "./compare-files.ts";
import { sha256, shortDigest, type SnapshotManifest } from "./manifest.ts";
import { PostReader } from "./read-posts.ts";
import { verifySnapshot } from "./verify-snapshot.ts";

const silent = { step: () => ({ update: () => {}, done: () => {} }) };

type Json = Record<string, unknown>;
type Damage = (folder: string) => void;

/** Changes a JSON file. */
const edit =
  (path: string, change: (value: Json) => void): Damage =>
  (folder) => {
    const file = join(folder, path);
    const value = JSON.parse(readFileSync(file, "utf8")) as Json;
    change(value);
    writeFileSync(file, JSON.stringify(value));
  };
const post = (id: number, change: (value: Json) => void): Damage => edit(postFile(id), change);

/** Changes a post, and its digest too: as if a build had made it so. */
const rebuilt =
  (id: number, change: (value: Json) => void): Damage =>
  (folder) => {
    post(id, change)(folder);
    const digest = shortDigest.post(sha256(readFileSync(join(folder, postFile(id)))));
    edit("snapshot.json", ({ posts }) => ((posts as Json)[id] = digest))(folder);
  };

async function problemsAfter(damage: Damage, ...args: readonly string[]): Promise<string[]> {
  const folder = await builtCopy(sample, ...args);
  damage(folder);
  const problems = await verifySnapshot(folder, silent);
  // The build rebuilds what is not intact; every problem of a file must be one for it, too.
  if (problems.some((problem) => /not the file|not list/.test(problem))) {
    const manifest = readFileSync(join(folder, "snapshot.json"), "utf8");
    expect(hasMatchingDigests(folder, JSON.parse(manifest) as SnapshotManifest)).toBe(false);
  }
  return problems;
}

test("verifySnapshot finds no problem in a snapshot as it was built", async () => {
  expect(await problemsAfter(() => {})).toEqual([]);
});

describe("verifySnapshot finds, of posts in packs,", () => {
  const list = `${indexFolder}/${indexFiles.packs}`;
  const packIn = (folder: string): string => {
    const [pack] = new PostReader(folder).packs;
    return join(folder, blockFolder, pack?.file ?? "");
  };
  const damages: [string, Damage, RegExp][] = [
    ["nothing, as they were built", () => {}, /^$/],
    ["a missing pack", (folder) => rmSync(packIn(folder)), /no such file.*search-blocks/],
    ["an altered pack", (folder) => appendFileSync(packIn(folder), "x"), /is not the file/],
    [
      "a pack with another document",
      (folder) => writeFileSync(packIn(folder), deflateRawSync("{}")),
      /the \d+ bytes from 0 on are \d+/,
    ],
    [
      "a list that is no JSON",
      (folder) => writeFileSync(join(folder, list), "x"),
      /not a complete/,
    ],
    ["a list of nothing", (folder) => rmSync(join(folder, list)), /packs\.json: ENOENT/],
    [
      "another id in the list",
      edit(list, ({ packs }) => ((packs as { ids: number[] }[])[0]!.ids[0] = 999)),
      /api\/posts\/\d+\.json: ENOENT/,
    ],
    [
      "an id less in the list",
      edit(list, ({ packs }) => (packs as { ids: number[] }[])[0]!.ids.pop()),
      /holds \d+ bytes of posts instead of/,
    ],
    ...[{}, [], { packs: 5 }, { packs: {} }, { packs: [null] }, { packs: [{ file: "../x" }] }].map(
      (value): [string, Damage, RegExp] => [
        `a list of ${JSON.stringify(value)}`,
        (folder) => writeFileSync(join(folder, list), JSON.stringify(value)),
        /is not a complete snapshot: packs\.json is not a list of packs/,
      ],
    ),
    [
      "a packed post that is a file, too",
      (folder) => writeFileSync(join(folder, postFile(1)), new PostReader(folder).read(1)),
      /api\/posts\/1\.json: snapshot\.json does not list this file/,
    ],
  ];
  test.each(damages)("%s", async (_, damage, problem) => {
    expect((await problemsAfter(damage, "--post-files", "5")).join("\n")).toMatch(problem);
  });
});

describe("verifySnapshot compares every post with its digest, and finds", () => {
  const damages: [string, Damage][] = [
    ["other likes", post(20, (value) => (value["countLikes"] = 999))],
    ["another date", post(20, (value) => (value["postDateGmt"] = "2024-01-01T00:00:00.000Z"))],
    [
      "another comment",
      post(1, (value) => ((value["comments"] as Json[])[0]!["commentContent"] = "changed")),
    ],
    [
      "an added script",
      post(
        20,
        (value) =>
          (value["postContentHtml"] = `${String(value["postContentHtml"])}<b onclick="x()">`),
      ),
    ],
    ["a space at the end", (folder) => appendFileSync(join(folder, postFile(20)), " ")],
  ];
  test.each(damages)("%s", async (_, damage) => {
    expect((await problemsAfter(damage)).join("\n")).toMatch(
      /^api\/posts\/\d+\.json: is not the file that was built$/m,
    );
  });
});

describe("verifySnapshot finds", () => {
  const damages: [string, Damage, RegExp][] = [
    [
      "a missing manifest",
      (folder) => rmSync(join(folder, "snapshot.json")),
      /is not a complete snapshot: ENOENT/,
    ],
    [
      "a manifest of another version",
      edit("snapshot.json", (value) => (value["version"] = 2)),
      /is not a complete snapshot: snapshot\.json has another format version than 5/,
    ],
    ["a missing post", (folder) => rmSync(join(folder, postFile(20))), /posts\/20\.json: ENOENT/],
    [
      "a post that is cut short",
      (folder) => writeFileSync(join(folder, postFile(20)), "{"),
      /20\.json: is not JSON/,
    ],
    [
      "a field too many",
      rebuilt(20, (value) => (value["secret"] = 1)),
      /^api\/posts\/20\.json: \/ must NOT have additional properties: "secret"$/m,
    ],
    [
      "a field too few",
      rebuilt(20, (value) => delete value["countLikes"]),
      /20\.json: \/ must have required property 'countLikes'/,
    ],
    [
      "a bad date",
      rebuilt(20, (value) => (value["postDateGmt"] = "yesterday")),
      /20\.json: \/postDateGmt must match format "date-time"/,
    ],
    ["another post's id", rebuilt(20, (value) => (value["postId"] = 21)), /20\.json: is post 21/],
    [
      "a wrong count of comments",
      rebuilt(1, (value) => (value["countComments"] = 5)),
      /1\.json: countComments is not the number of its comments/,
    ],
    [
      "an answer to no comment",
      rebuilt(1, (value) => ((value["comments"] as Json[])[0]!["commentParent"] = 999)),
      /1\.json: comment \d+ answers a comment that is not there/,
    ],
    [
      "a title that differs from its links",
      rebuilt(20, (value) => (value["postTitle"] = "x")),
      /\d+\.json: gives post 20 another title or URL than api\/posts\/\d+\.json/,
    ],
    [
      "a broken chain of neighbours",
      rebuilt(20, (value) => (value["previousPost"] = null)),
      /20\.json: previousPost is not the post before it/,
    ],
    [
      "a chain of neighbours that is broken in the other direction",
      rebuilt(20, (value) => (value["nextPost"] = null)),
      /20\.json: nextPost is not the post after it/,
    ],
    [
      "a reference to a post that is not there",
      rebuilt(20, (value) => {
        const { postTitle, postUrl } = value;
        value["similarPosts"] = [{ postId: 987_654, postTitle, postUrl }];
      }),
      /20\.json: refers to post 987654, which is not there/,
    ],
    [
      "another title in the document before the post's own alone",
      rebuilt(20, (value) => {
        value["nextPost"] = { ...(value["nextPost"] as Json), postTitle: "x" };
      }),
      /\d+\.json: gives post \d+ another title or URL than api\/posts\/20\.json/,
    ],
    [
      "another URL in the document after the post's own alone",
      rebuilt(20, (value) => {
        const { postUrl, ...rest } = value["previousPost"] as Json;
        value["previousPost"] = { ...rest, postUrl: `${String(postUrl)}x` };
      }),
      /20\.json: gives post \d+ another title or URL than api\/posts\/\d+\.json/,
    ],
    [
      "a post that is similar to itself",
      rebuilt(20, (value) => {
        const { postId, postTitle, postUrl } = value;
        value["similarPosts"] = [{ postId, postTitle, postUrl }];
      }),
      /20\.json: is similar to itself/,
    ],
    [
      "a file that the manifest does not list",
      (folder) => writeFileSync(join(folder, "api/posts/notes.txt"), ""),
      /api\/posts\/notes\.txt: snapshot\.json does not list this file/,
    ],
    [
      "a post that the manifest does not list",
      (folder) => cpSync(join(folder, postFile(20)), join(folder, postFile(99))),
      /api\/posts\/99\.json: snapshot\.json does not list this file/,
    ],
    [
      "an empty folder",
      (folder) => mkdirSync(join(folder, "api/posts/x/y"), { recursive: true }),
      /^api\/posts\/x\/y\/: is an empty folder$/m,
    ],
    [
      "a page that was changed",
      (folder) => appendFileSync(join(folder, "index.html"), "<p>"),
      /^index\.html: is not the file that was built/m,
    ],
    [
      "a missing page",
      (folder) => rmSync(join(folder, "en/index.html")),
      /en\/index\.html: ENOENT/,
    ],
    [
      "a damaged index",
      (folder) => writeFileSync(join(folder, indexFolder, "positions.bin"), "x"),
      /positions\.bin: is not the file that was built/,
    ],
  ];
  test.each(damages)("%s", async (_, damage, message) => {
    expect((await problemsAfter(damage)).join("\n")).toMatch(message);
  });
});

describe("verifySnapshot finds a change of the manifest's field", () => {
  const other = "0123456789abcdef".repeat(4);
  const changes: Partial<Record<keyof SnapshotManifest, [unknown, RegExp]>> = {
    format: ["another", /is not a complete snapshot/],
    version: [999, /is not a complete snapshot/],
    id: [other, /its id does not follow from its inputDigest and the posts/],
    inputDigest: [other, /its id does not follow from its inputDigest and the posts/],
    apiVersion: ["9.9.9", /says API version 9\.9\.9, api\/openapi\.json \d/],
  };
  test.each(Object.entries(changes))("%s", async (name, [value, message]) => {
    const damage = edit("snapshot.json", (manifest) => (manifest[name] = value));
    expect((await problemsAfter(damage)).join("\n")).toMatch(message);
  });
});

test("verifySnapshot reports 20 of many problems, and counts the others", async () => {
  const problems = await problemsAfter((folder) =>
    rmSync(join(folder, "api/posts"), { recursive: true }),
  );
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toMatch(/^and \d+ more$/);
});

test("the verify command reports success, or what to do with exit code 1", async () => {
  expect(await runInProcess(verify, [await built(sample)])).toMatchObject({
    code: 0,
    stdout: `${await built(sample)}: all is well.\n`,
  });
  const folder = temporaryFolder();
  expect(await runInProcess(verify, [folder])).toMatchObject({
    code: 1,
    stderr: `${folder}: no snapshot is there. Build one with npm run build.\n`,
  });
  writeFileSync(join(folder, "snapshot.json"), "{");
  const { code, stdout, stderr } = await runInProcess(verify, [folder]);
  expect(code).toBe(1);
  expect(stderr).toContain("is not a complete snapshot");
  expect(stdout).toContain("do not publish this");
});
