/** The search against the oracle, on the sample and on what is hard to find. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mcpPath } from "../functions/contract/http.ts";
import { normalizeTagName } from "../functions/engine/normalize.ts";
import { createOracle } from "./support/oracle.ts";
import { describeSearchOn } from "./support/search-suite.ts";
import { built, exportWith, publishedPosts, sample, searchOn } from "./support/support.ts";

describeSearchOn(sample);

test("search answers as the oracle for pieces of a widely shared passage", async () => {
  const file = exportWith(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
    INSERT INTO posts (post_id, post_title, post_content_html, post_date_gmt)
      SELECT 300000 + i, 'title ' || i,
        (SELECT group_concat(post_title || char(33 + i % 3), '') FROM posts WHERE post_id < 40),
        '2024-01-01 00:00:00' FROM n`);
  const folder = await built(file);
  const oracle = createOracle(publishedPosts(folder));
  const { search } = searchOn(folder);
  const passage =
    publishedPosts(folder).find(({ postId }) => postId === 300_001)?.postContentHtml ?? "";
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(3, 7, 8, 9, 10, 16, 40, 100, 300),
      fc.nat(passage.length),
      fc.boolean(),
      async (length, at, broken) => {
        const piece = passage.slice(at, at + length);
        // Broken: a keyword whose parts all occur, but not together. A lone surrogate cannot come from a URL.
        const q = Buffer.from(broken ? piece + piece.slice(0, 4) : piece).toString();
        expect(await search({ q })).toEqual(oracle({ q }));
      },
    ),
    { numRuns: 300, examples: [[8, 238, true]] },
  );
});

/** Some are of WordPress' theme unit test. */
const oddTags = [
  "featured image",
  "Post Formats",
  "twitter embed",
  `tag with "quotes"`,
  "O'Brien 'n' 5\" & <b>",
  "machine learning",
  "machine_learning",
  "全角\u3000の  空白\n",
  "か\u3099 行",
  " ",
  "100%",
];

test("search finds tags with spaces and quotes from API, page and MCP", async () => {
  const names = oddTags.map((name) => `('${name.replaceAll("'", "''")}')`).join(",");
  const folder = await built(
    exportWith(`
      INSERT INTO tags (tag_id, tag_name) SELECT 900 + row_number() OVER (), column1 FROM (VALUES ${names});
      INSERT INTO post_tags SELECT post_id, 900 + row_number() OVER () FROM posts LIMIT ${oddTags.length}`),
  );
  const oracle = createOracle(publishedPosts(folder));
  const { handler, search } = searchOn(folder);
  const client = new Client({ name: "test", version: "1" });
  const url = new URL(mcpPath, "https://api.example");
  const fetch = (input: string | URL, init?: RequestInit) => handler(new Request(input, init));
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  for (const name of oddTags) {
    const expected = oracle({ tags: name.split(/\s+/).join("_") });
    const count = name.startsWith("machine") ? 2 : 1;
    expect(expected, name).toMatchObject({ metadata: { count } });
    expect(await search({ tags: normalizeTagName(name) })).toEqual(expected);
    const { structuredContent } = await client.callTool({
      name: "search",
      arguments: { tags: [name, ""] },
    });
    expect(structuredContent, name).toMatchObject({ metadata: { count } });
  }
  await client.close();
});
