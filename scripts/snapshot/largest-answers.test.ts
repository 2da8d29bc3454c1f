/** The largest answers that are foreseen, compared with what the function answers. */
import { expect, test } from "vitest";
import type { SearchHit } from "../../functions/contract/resources.ts";
import { createHandler } from "../../functions/http/handler.ts";
import { smallIndex, type TitleAndText } from "../../tests/support/small-index.ts";
import { largestAnswers } from "./largest-answers.ts";

const url = "https://api.example";

test("largestAnswers foresees the size of answers with long titles, or slightly less", async () => {
  const posts = Array.from({ length: 60 }, (_, i): TitleAndText => [
    `${i}"${"題".repeat(450)}`,
    "",
  ]);
  const folder = await smallIndex(posts);
  const answer = createHandler({
    snapshotFolder: () => folder,
    cacheMegabytes: 8,
    log: () => {},
    readFile: () => Promise.reject(new Error("no snippets")),
  });
  const found = await answer(new Request(`${url}/api/search?pageSize=50`));
  const body = await found.text();
  const agents = await answer(
    new Request(`${url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search", arguments: { pageSize: 50 } },
      }),
    }),
  );
  const hits = (JSON.parse(body) as { results: SearchHit[] }).results;
  const sizes = largestAnswers(hits, new Map(Object.entries({ a: 20, b: 60 })));
  expect(sizes.postIds).toHaveLength(3);
  for (const [actual, foreseen] of [
    [Buffer.byteLength(body), sizes.search],
    [Buffer.byteLength(await agents.text()), sizes.mcp],
  ] as const) {
    expect(actual).toBeGreaterThanOrEqual(foreseen);
    expect(actual / foreseen).toBeLessThan(1.1);
  }
});
