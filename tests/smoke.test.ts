import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandIo } from "../scripts/cli/io.ts";
import { smoke } from "../scripts/smoke.ts";

/** Runs the command, and keeps what it writes. */
async function run(...args: readonly string[]) {
  let output = "";
  const stream = { write: (text: string) => (output += text) };
  const io: CommandIo = { stdout: stream, stderr: stream, env: {} };
  return { code: await smoke(args, io), output };
}

describe("npm run smoke", () => {
  const server = createServer((_, response) => response.end("{}"));
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  test("reports each failed check with what it means, and ends with 1", async () => {
    const { code, output } = await run(url);
    expect(code).toBe(1);
    expect(output).toMatch(/^FAIL {2}the description is OpenAPI 3.1.0: Content-Type is null/m);
    expect(output).toMatch(
      /^FAIL {2}GET \/api\/search\?: .*\(the platform does not lead this path/m,
    );
    expect(output).toMatch(/^\d+ of \d+ checks failed\.$/m);
    expect(output).not.toMatch(/^\s+at /m);
  });

  test("shows five failures of a kind and counts the others", async () => {
    const { output } = await run(url);
    const lines = output.split("\n").filter((line) => line.startsWith("FAIL"));
    const kinds = Map.groupBy(lines, (line) => line.replace(/^FAIL  .*?: /, ""));
    for (const [kind, all] of kinds) expect(all.length, kind).toBeLessThanOrEqual(6);
    expect(output).toMatch(/^FAIL {2}\d+ more checks: /m);
  });

  test("ends with one line where nothing answers", async () => {
    const gone = createServer();
    await new Promise<void>((done) => gone.listen(0, "127.0.0.1", done));
    const { port } = gone.address() as AddressInfo;
    await new Promise((done) => gone.close(done));
    expect(await run(`http://127.0.0.1:${port}`)).toEqual({
      code: 1,
      output: `http://127.0.0.1:${port} does not answer (connect ECONNREFUSED 127.0.0.1:${port}). Is the URL right, and does the server run?\n`,
    });
  });

  test("names the site that a URL redirects to, as from http to https", async () => {
    const old = createServer((request, response) => {
      response.writeHead(301, { Location: `${url}${request.url}` }).end();
    });
    await new Promise<void>((done) => old.listen(0, "127.0.0.1", done));
    const { port } = old.address() as AddressInfo;
    expect(await run(`http://127.0.0.1:${port}`)).toEqual({
      code: 1,
      output: `http://127.0.0.1:${port} redirects to ${url}. Check that URL: npm run smoke -- ${url}\n`,
    });
    await new Promise((done) => old.close(done));
  });

  test.each([
    [["--bogus"], "Unknown option '--bogus'"],
    [["not-a-url"], "not-a-url: must be a scheme and a host, such as"],
    [["https://site.example/api"], "must be a scheme and a host, such as"],
    [["ftp://site.example"], "must be a scheme and a host, such as"],
  ])("refuses %j, and names --help", async (args, message) => {
    const { code, output } = await run(...args);
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain("npm run smoke -- --help lists all options.");
  });
});
