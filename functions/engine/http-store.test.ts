/** Blocks that come over a network: whatever happens to them, an answer is right or a 503. */
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { allFaults, serveBlocks } from "../../tests/support/block-server.ts";
import { postsWith, smallIndex, type TitleAndText } from "../../tests/support/small-index.ts";
import { searchOn } from "../../tests/support/support.ts";
import { createHttpStore, type HttpLimits } from "./http-store.ts";
import { openIndex } from "./flexsearch-index.ts";
import { blockFolder, indexFolder } from "./index-format.ts";
import { FileStore, IndexUnavailable } from "./block-store.ts";
import { deployedBlockUrls } from "../http/environment.ts";

const passage = "一つの文章が、いくつもの投稿に含まれていることがあります。";
const posts: TitleAndText[] = Array.from({ length: 12 }, (_, i) => [
  `title ${i}`,
  `${passage.slice(i % 4, 8 + i)} ${i * 7919}`,
]);
const keywords = [
  ...[...passage].map((_, at) => passage.slice(at, at + 1 + (at % 5))),
  ...posts.flatMap(([title, text]) => [title, text.slice(3), text.slice(-4)]),
];
const snapshot = await smallIndex(posts, { placement: "cdn" });
const server = await serveBlocks(join(snapshot, blockFolder));
afterAll(() => server.close());

/** Time enough for a busy machine, and no time at all. */
const patient: HttpLimits = { milliseconds: 2000, parallel: 48 };
const hasty: HttpLimits = { milliseconds: 25, parallel: 48 };

/** The posts that the index finds; a new index each time, with nothing in its cache. */
async function found(keyword: string, limits = patient, bases = [server.url]): Promise<number[]> {
  const folder = new FileStore(join(snapshot, indexFolder));
  const index = await openIndex(folder, createHttpStore(bases, limits), 2 ** 20);
  try {
    return [...(await index.find(keyword))];
  } finally {
    folder.close();
  }
}

/** Every block that some keyword needs, with such a keyword. */
async function keywordByBlock(): Promise<Map<string, string>> {
  const byBlock = new Map<string, string>();
  for (const keyword of keywords) {
    server.requests.length = 0;
    expect(await found(keyword)).toEqual(postsWith(posts, keyword));
    for (const block of server.requests) byBlock.set(block, keyword);
  }
  return byBlock;
}

const blocks = await keywordByBlock();

describe.each(allFaults)("a search when a block is %s", (fault) => {
  const limits = fault === "slow" ? hasty : patient;

  test("throws IndexUnavailable", async () => {
    expect(blocks.size).toBeGreaterThan(20);
    for (const [block, keyword] of blocks) {
      server.faultOf = (name) => (name === block ? fault : undefined);
      await expect(found(keyword, limits)).rejects.toThrow(IndexUnavailable);
    }
  });

  test("asks for the block once more and finds the posts", async () => {
    // Each slow one takes its whole time.
    for (const [block, keyword] of [...blocks].slice(0, fault === "slow" ? 2 : 8)) {
      let asked = 0;
      server.faultOf = (name) => (name === block && asked++ === 0 ? fault : undefined);
      const answer = await found(
        keyword,
        fault === "slow" ? { ...patient, milliseconds: 400 } : limits,
      );
      expect(answer).toEqual(postsWith(posts, keyword));
      expect(asked).toBe(2);
    }
  });
});

test("a search is right or refused when a fifth of the reads fail", async () => {
  const outcomes = { right: 0, refused: 0 };
  // A linear congruential generator: the same reads fail in every run, sometimes two in a row.
  let state = 1;
  const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16;
  const quick = allFaults.filter((fault) => fault !== "slow");
  server.faultOf = () => (random() % 5 === 0 ? quick[random() % quick.length] : undefined);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...keywords), async (keyword) => {
      try {
        expect(await found(keyword)).toEqual(postsWith(posts, keyword));
        outcomes.right++;
      } catch (cause) {
        if (!(cause instanceof IndexUnavailable)) throw cause;
        outcomes.refused++;
      }
    }),
    { numRuns: 300 },
  );
  expect(outcomes.right).toBeGreaterThan(150);
  expect(outcomes.refused).toBeGreaterThan(0);
});

test("createHttpStore asks the second URL when the first lacks a block", async () => {
  server.faultOf = () => undefined;
  const elsewhere = await serveBlocks(join(snapshot, "nothing"));
  const keyword = keywords[5] ?? "";
  expect(await found(keyword, patient, [elsewhere.url, server.url])).toEqual(
    postsWith(posts, keyword),
  );
  expect(elsewhere.requests.length).toBeGreaterThan(0);
  await elsewhere.close();
});

test("createHttpStore runs no more requests at a time than its limit", async () => {
  const own = await serveBlocks(join(snapshot, blockFolder), { latency: 5, rate: 1e6 });
  const folder = new FileStore(join(snapshot, indexFolder));
  const source = createHttpStore([own.url], { ...patient, parallel: 3 });
  const index = await openIndex(folder, source, 2 ** 20);
  await Promise.all(keywords.map((keyword) => index.find(keyword)));
  folder.close();
  expect(own.mostAtOnce).toBe(3);
  expect(own.requests.length).toBe(new Set(own.requests).size);
  await own.close();
});

test("/api/search answers other searches from its cache while a block is missing", async () => {
  const { get } = searchOn(snapshot, 1, () => [server.url]);
  server.faultOf = () => undefined;
  const ask = async (keyword: string) =>
    (await get(`/api/search?q=${encodeURIComponent(keyword)}`)).status;
  const others = keywords.filter((_, i) => i % 3 !== 0);
  for (const keyword of others) expect(await ask(keyword)).toBe(200);
  server.requests.length = 0;
  for (const keyword of others) expect(await ask(keyword)).toBe(200);
  expect(server.requests).toEqual([]);
  const gone = blocks.keys().next().value ?? "";
  const wanting = [...blocks].find(([block]) => block === gone)?.[1] ?? "";
  const { get: fresh } = searchOn(snapshot, 1, () => [server.url]);
  server.faultOf = (block) => (block === gone ? "missing" : undefined);
  for (const keyword of others) await fresh(`/api/search?q=${encodeURIComponent(keyword)}`);
  server.requests.length = 0;
  const statuses = new Set<number>();
  for (const keyword of [wanting, ...others, wanting])
    statuses.add((await fresh(`/api/search?q=${encodeURIComponent(keyword)}`)).status);
  expect(statuses).toEqual(new Set([200, 503]));
  // The cache stays: only the block that is gone is asked for again.
  expect(new Set(server.requests)).toEqual(new Set([gone]));
  server.faultOf = () => undefined;
});

test("/api/search answers 503 and logs the cause until the blocks are back", async () => {
  const { get, faults: log } = searchOn(snapshot, 1, () => [server.url]);
  const ask = () => get(`/api/search?q=${keywords[3]}`);
  server.faultOf = () => "missing";
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(refused.headers.get("cache-control")).toBe("no-store");
  expect(log).toHaveLength(1);
  expect(log[0]).toMatch(/^search index: [0-9a-f]{24}\.bin: http.*status 404; http.*status 404$/);
  server.faultOf = () => undefined;
  // Reads of other segments may still be failing, and a search shares them.
  await expect.poll(async () => (await ask()).status).toBe(200);
  const { metadata } = (await (await ask()).json()) as { metadata: { count: number } };
  expect(metadata.count).toBe(postsWith(posts, keywords[3] ?? "").length);
});

test.each([
  [
    "its own deploy, then the site",
    {
      deploy: { id: "64f0", context: "production", published: true },
      site: { name: "cases", url: "https://cases.example" },
    },
    {},
    ["https://64f0--cases.netlify.app/search-blocks", "https://cases.example/search-blocks"],
  ],
  [
    "the site that the environment names",
    undefined,
    { URL: "http://localhost:8888" },
    ["http://localhost:8888/search-blocks"],
  ],
  [
    "an object store",
    undefined,
    { URL: "https://cases.example", SEARCH_BLOCKS_URL: "https://blocks.example/x/" },
    ["https://blocks.example/x"],
  ],
  ["nowhere", { deploy: { id: "", context: "", published: false }, site: {} }, {}, []],
])("deployedBlockUrls takes the blocks from %s", (_, context, env, urls) => {
  expect(deployedBlockUrls(context, env)).toEqual(urls);
});

test("a search is refused when no URL of blocks is known", async () => {
  await expect(found("title", patient, [])).rejects.toThrow("SEARCH_BLOCKS_URL");
});
