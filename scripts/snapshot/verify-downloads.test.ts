import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { SyncFile } from "../../functions/contract/sync.ts";
import { built, builtCopy, sample } from "../../tests/support/support.ts";
import { readManifest } from "./manifest.ts";
import { problemsOfDownloads } from "./verify-downloads.ts";

const bulk = "bulk/posts.jsonl.gz";
type Damage = (folder: string) => void;

const editSync =
  (change: (sync: { -readonly [K in keyof SyncFile]: SyncFile[K] }) => void): Damage =>
  (folder) => {
    const file = join(folder, "sync.json");
    const sync = JSON.parse(readFileSync(file, "utf8")) as SyncFile;
    change(sync);
    writeFileSync(file, JSON.stringify(sync));
  };
const editLines =
  (change: (lines: string[]) => void): Damage =>
  (folder) => {
    const lines = gunzipSync(readFileSync(join(folder, bulk)))
      .toString()
      .split("\n");
    change(lines);
    writeFileSync(join(folder, bulk), gzipSync(lines.join("\n")));
  };

async function problemsAfter(damage: Damage): Promise<string> {
  const manifest = readManifest(await built(sample));
  const folder = await builtCopy(sample);
  damage(folder);
  return (await problemsOfDownloads(folder, manifest)).join("\n");
}

test.each<[string, Damage, RegExp]>([
  ["nothing", () => {}, /^$/],
  ["another snapshot", editSync((sync) => (sync.snapshot = "x")), /^sync\.json: names snapshot x/],
  [
    "another digest",
    editSync((sync) => (sync.posts = { ...sync.posts, 1: "0123456789abcdef" })),
    /^sync\.json: has another digest of post 1 than snapshot\.json$/,
  ],
  [
    "a post too many",
    editSync((sync) => (sync.posts = { ...sync.posts, 999: "0123456789abcdef" })),
    /^sync\.json: lists 41 posts, there are 40/,
  ],
  ["no sync file", (folder) => rmSync(join(folder, "sync.json")), /sync\.json .*ENOENT/],
  [
    "a sync file of another form",
    editSync((sync) => (sync.posts = { 1: "short" })),
    /^sync\.json: \/posts\/1 must match pattern/,
  ],
  ["a changed line", editLines((lines) => (lines[2] += " ")), /^bulk\S+: line 3 is not post \d+$/],
  [
    "a line too many",
    editLines((lines) => lines.splice(40, 0, "{}")),
    /^bulk\S+: line 41 is not post of any id$/,
  ],
  [
    "a line too few",
    editLines((lines) => lines.splice(39, 1)),
    /holds other posts than sync\.json says\nno file for bulk download holds post \d+$/,
  ],
  ["a file cut short", (folder) => writeFileSync(join(folder, bulk), "x"), /cannot be read/],
  ["no bulk files", editSync((sync) => (sync.bulk = [])), /^$/],
])("verification of the downloads finds %s", async (_, damage, message) => {
  expect(await problemsAfter(damage)).toMatch(message);
});
