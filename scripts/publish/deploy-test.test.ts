import { createServer } from "node:http";
import { expect, test } from "vitest";
import { freePort } from "../../tests/support/ports.ts";
import { timeSearches } from "./deploy-test.ts";

test("an answer that breaks off stops the timing of searches, and no release", async () => {
  const port = await freePort();
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": 100 });
    response.write("{", () => response.destroy());
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  try {
    expect(await timeSearches(`http://127.0.0.1:${port}`)).toMatch(
      /^searches could not be timed: ./,
    );
  } finally {
    server.close();
  }
});
