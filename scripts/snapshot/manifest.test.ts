import { describe, expect, test } from "vitest";
import { manifestWith } from "../../tests/support/manifest.ts";
import { ManifestError, parseManifest, postDigests, snapshotId } from "./manifest.ts";

const digest = "0123456789ab";
const manifest = manifestWith({
  posts: { 1: digest, 20: "ba9876543210" },
  tags: { a: 2 },
  files: { "en/index.html": { bytes: 1, digest } },
});

describe("parseManifest", () => {
  test("reads a manifest as it was written", () => {
    expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest);
  });

  test("reads posts that postDigests gives by ascending id, large ids too", () => {
    const large = 2 ** 53 - 1;
    const read = parseManifest(
      JSON.stringify({ ...manifest, posts: { [large]: digest, 4294967295: digest, 7: digest } }),
    );
    expect([...postDigests(read).keys()]).toEqual([7, 4294967295, large]);
  });

  test.each<[string, string, RegExp]>([
    ["a page", "<!doctype html>", /is not JSON/],
    ["null", "null", /is not a case-collection-snapshot/],
    ["a list", "[]", /is not a case-collection-snapshot/],
    ["another format", '{"format":"x"}', /is not a case-collection-snapshot/],
    [
      "of another version",
      JSON.stringify({ ...manifest, version: 2 }),
      /has another format version than 5, which this program reads and writes/,
    ],
    ...Object.entries({
      id: 1,
      inputDigest: "",
      apiVersion: null,
      counts: { ...manifest.counts, posts: -1 },
      posts: undefined,
      tags: { a: "1" },
      files: { "../x": { bytes: 1, digest } },
      packed: ["1"],
      added: 1,
    }).map(([name, value]): [string, string, RegExp] => [
      `a wrong "${name}"`,
      JSON.stringify({ ...manifest, [name]: value }),
      new RegExp(`is not usable: /.*${name}`),
    ]),
    [
      "an empty digest, which every file would match",
      JSON.stringify({ ...manifest, posts: { 1: "" } }),
      /is not usable: \/posts/,
    ],
    [
      "a post that is no id",
      JSON.stringify({ ...manifest, posts: { "../1": digest } }),
      /is not usable: \/posts/,
    ],
  ])("refuses as a manifest: %s", (_, text, message) => {
    expect(() => parseManifest(text)).toThrow(ManifestError);
    expect(() => parseManifest(text)).toThrow(message);
  });
});

test("snapshotId follows from the inputs and from every post", () => {
  const id = snapshotId("a", ["1", "2"]);
  expect(snapshotId("a", ["1", "2"])).toBe(id);
  const others = [snapshotId("b", ["1", "2"]), snapshotId("a", ["1"]), snapshotId("a", ["2", "1"])];
  expect(new Set([id, ...others]).size).toBe(4);
});

test.each(["x", "a/b", "a/..b", ".well-known/x", "a/...", "ü"])(
  "parseManifest accepts a file called %s",
  (path) => {
    const read = { ...manifest, files: { [path]: { bytes: 1, digest } } };
    expect(parseManifest(JSON.stringify(read))).toEqual(read);
  },
);
test.each(["", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b"])(
  "parseManifest refuses a file called %s",
  (path) => {
    const read = { ...manifest, files: { [path]: { bytes: 1, digest } } };
    expect(() => parseManifest(JSON.stringify(read))).toThrow("is not usable: /files");
  },
);

test("a manifest of 100,000 posts takes less than 3 MB", () => {
  const posts = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i + 1, digest]));
  expect(JSON.stringify({ ...manifest, posts }, null, 2).length).toBeLessThan(3e6);
});
