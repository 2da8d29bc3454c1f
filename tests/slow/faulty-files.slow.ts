/** 200 faulty files each of JSON Lines and CSV: read in part or refused in a sentence, and no private value is shown. */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runPull } from "../support/pull.ts";
import { temporaryFolder } from "../support/support.ts";

const secret = "CANARY_PRIVATE";
type Cells = Readonly<Record<string, string | number>>;
const post = (id: number): Cells => ({
  email: secret,
  postId: id,
  postTitle: `Zoë, "${id}"`,
  postContentHtml: `<p>a\nb ${id}</p>`,
  postDateGmt: "2024-05-31T09:00:00Z",
});
const jsonl = (posts: readonly Cells[]): string =>
  posts.map((one) => `${JSON.stringify(one)}\n`).join("");
const csv = (posts: readonly Cells[]): string =>
  [Object.keys(post(1)), ...posts.map((one) => Object.values(one))]
    .map((cells) => cells.map((one) => `"${String(one).replaceAll('"', '""')}"`).join() + "\n")
    .join("");

const posts = Array.from({ length: 20 }, (_, i) => post(i + 1));
const dates =
  "31.05.2024|5/31/2024|2024-13-01|2024-02-30|2024-5|2024|yesterday|2024-05-31T25:00:00|2024-05-31T09:61:00|2024/05-31|20240531|1717146000|May 31, 2024|令和6年5月31日|''|2024-05-31T09|24-05-31|2024-05-31 9|0000-00-00|2024-05-31T09:00:00+99:00".split(
    "|",
  );
const ids = ["x", "", "0", "-1", "1.5", String(2n ** 60n), "1e3", "0x10", "１", " ", 0, -1, 1.5];

/** Places in a file, equally far from each other. */
const places = (length: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => 1 + Math.floor((i * (length - 2)) / count));

/**
 * Faulty files.
 *
 * @param write the format
 */
function faultyFiles(write: (posts: readonly Cells[]) => string): Uint8Array[] {
  const whole = Buffer.from(write(posts));
  const packed = gzipSync(whole);
  const withPost = (fault: Cells): Buffer =>
    Buffer.from(write([...posts, { ...post(21), ...fault }]));
  const [head = ""] = write([post(1)]).split(/(?<=\n)(?="CANARY)/);
  return [
    ...places(whole.length, 50).map((at) => whole.subarray(0, at)),
    ...places(packed.length, 40).map((at) => packed.subarray(0, at)),
    ...[0, 0xff].flatMap((byte) => places(whole.length, 25).map((at) => whole.with(at, byte))),
    ...places(packed.length, 10).map((at) => packed.with(at, packed[at]! ^ 0x55)),
    ...dates.map((date) => withPost({ postDateGmt: date })),
    ...ids.map((id) => withPost({ postId: id })),
    ...[1, 7, 20].map((id) => withPost({ postId: id })),
    ...[
      "<!doctype html><p>",
      "PGDMP",
      "PK\x03\x04",
      "-- MySQL dump 10.13\n",
      "[{}]",
      "",
      "\n\n",
      "\0",
    ].map((text) => Buffer.from(text)),
    Buffer.from(`\uFEFF${whole.toString()}`, "utf16le"),
    Buffer.from(whole.toString(), "latin1"),
    gzipSync(Buffer.alloc(300_000_000)),
    Buffer.concat([Buffer.from(`${head}"`), Buffer.alloc(300_000_000, "x")]),
  ];
}

test.each([
  ["--jsonl", jsonl],
  ["--csv", csv],
] as const)(
  "npm run pull %s reads faulty files or refuses them in a sentence",
  async (option, write) => {
    const folder = temporaryFolder();
    const [file, out] = [join(folder, "posts"), join(folder, "export.sqlite")];
    const files = faultyFiles(write);
    expect(files.length).toBeGreaterThanOrEqual(198);
    let refused = 0;
    for (const [i, bytes] of files.entries()) {
      writeFileSync(file, write(posts));
      expect((await runPull([option, file, "--out", out])).code).toBe(0);
      const before = readFileSync(out);
      writeFileSync(file, bytes);
      const { code, stdout, stderr } = await runPull([option, file, "--out", out]);
      expect(stdout + stderr, `file ${i}`).not.toMatch(new RegExp(`${secret}|\\n +at `));
      if (code === 0) continue;
      refused++;
      expect([code, stderr], `file ${i}`).toEqual([1, expect.stringMatching(/[.?]\n$/)]);
      expect(readFileSync(out).equals(before), `file ${i}`).toBe(true);
    }
    console.log(`${option}: ${files.length} files, ${refused} refused`);
  },
);

test.each([
  ["--jsonl", jsonl],
  ["--csv", csv],
] as const)("npm run pull %s fails after retries when a URL breaks off", async (option, write) => {
  const text = write(posts);
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": text.length * 2 }).write(text);
    setTimeout(() => response.destroy(), 5);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const out = join(temporaryFolder(), "export.sqlite");
  const { code, stderr } = await runPull([option, `http://127.0.0.1:${port}/posts`, "--out", out]);
  server.close();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/failed 9 times; .*Try again later\.\n$/),
  ]);
});
