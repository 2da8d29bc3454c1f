import { expect, test } from "vitest";
import { serveStandIn } from "../../tests/support/stand-in.ts";
import { timeSearches } from "./deploy-test.ts";

test("an answer that breaks off stops the timing of searches, and no release", async () => {
  const site = await serveStandIn(({ response }) => {
    response.writeHead(200, { "Content-Length": 100 });
    response.write("{", () => response.destroy());
  });
  try {
    expect(await timeSearches(site.url)).toMatch(/^searches could not be timed: ./);
  } finally {
    await site.close();
  }
});
