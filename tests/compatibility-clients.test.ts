/**
 * The promise to clients that copy, follow or connect over MCP: names and fields of the downloads and the
 * tools stay. `published-clients.json` holds them as they were published.
 *
 * A change on purpose: list it in `changes` (functions/contract/api.ts), and put what the failing test
 * reports as gained into the file. What is lost breaks clients.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { bulkFile, downloadHeaders, downloads, mcpPath } from "../functions/contract/http.ts";
import { syncFile } from "../functions/contract/sync.ts";
import { differences, type Json } from "./support/interface.ts";
import { built, sample, searchOn } from "./support/support.ts";

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "published-clients.json"), "utf8"),
) as Json;

/** The tools as the official client sees them. */
async function tools(): Promise<object> {
  const { handler } = searchOn(await built(sample));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(mcpPath, "https://api.example"), {
      fetch: (url, init) => handler(new Request(url, init)),
    }),
  );
  const list = await client.listTools();
  await client.close();
  return list.tools.map(({ name, inputSchema, outputSchema }) => ({
    name,
    inputSchema,
    outputSchema,
  }));
}

test("downloads and MCP tools have the published names and fields", async () => {
  const current = JSON.parse(
    JSON.stringify({
      paths: { ...downloads, part: `/${bulkFile(1000)}`, mcp: mcpPath },
      types: Object.entries(downloadHeaders).map(([name, headers]) => ({
        name,
        type: headers["Content-Type"],
      })),
      sync: syncFile,
      tools: await tools(),
    }),
  ) as Json;
  expect(differences(published, current)).toEqual({ lost: [], gained: [] });
});
