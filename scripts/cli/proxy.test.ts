/** The proxy that the environment names. What a process does with it changes the whole process: hence another one. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandArguments, runProgram } from "../../tests/support/support.ts";

const site = createServer((_, response) => response.end("{}"));
/** Where the proxy was asked to lead. */
const asked: string[] = [];
const proxy = createServer().on("connect", ({ url = "" }, socket) => {
  asked.push(url);
  socket.write("HTTP/1.1 200 OK\r\n\r\n");
  const onward = connect((site.address() as AddressInfo).port, "127.0.0.1");
  socket
    .pipe(onward)
    .pipe(socket)
    .on("error", () => onward.destroy());
});
const portOf = (server: typeof site): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [site, proxy]) await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  for (const server of [site, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Whether this Node can use a proxy. */
const isNew = "setGlobalProxyFromEnv" in process.getBuiltinModule("node:http");
const smokeOf = (url: string, env: NodeJS.ProcessEnv) =>
  runProgram(process.execPath, commandArguments("smoke", url), { env });

test.skipIf(!isNew)("a site is asked through the proxy, this machine is not", async () => {
  const host = `127.0.0.1:${portOf(proxy)}`;
  const env = { http_proxy: host, https_proxy: `http://${host}`, no_proxy: "" };
  const through = await smokeOf("http://site.example", env);
  expect(through.stdout).toMatch(
    /^FAIL {2}the description is OpenAPI 3.1.0: Content-Type is null/m,
  );
  expect(new Set(asked.splice(0))).toEqual(new Set(["site.example:80"]));
  const directly = await smokeOf(`http://127.0.0.1:${portOf(site)}`, env);
  expect(directly.stdout).toMatch(
    /^FAIL {2}the description is OpenAPI 3.1.0: Content-Type is null/m,
  );
  expect(asked).toEqual([]);
});

test("where NO_PROXY is *, no site is asked through the proxy", async () => {
  const host = `127.0.0.1:${portOf(proxy)}`;
  const { code } = await smokeOf("http://site.invalid", { http_proxy: host, no_proxy: "*" });
  expect([code, asked.splice(0)]).toEqual([1, []]);
});

test("a proxy that cannot be used is named without its password", async () => {
  const env = { HTTP_PROXY: "http://me:secret@pro xy" };
  const { stderr } = await smokeOf(`http://127.0.0.1:${portOf(site)}`, env);
  expect(stderr).toMatch(/^note: .*HTTP_PROXY.* is not used/);
  expect(stderr).not.toContain("secret");
});
