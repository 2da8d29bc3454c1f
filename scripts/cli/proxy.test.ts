/** The proxy that the environment names. What a process does with it changes the whole process: hence another one. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProxy, type Proxy } from "../../tests/support/proxy.ts";
import { commandArguments, runProgram } from "../../tests/support/support.ts";
import { useProxy } from "./proxy.ts";

const site = createServer((_, response) => response.end("{}"));
const portOf = (server: typeof site): number => (server.address() as AddressInfo).port;
let proxy: Proxy;

beforeAll(async () => {
  await once(site.listen(0, "127.0.0.1"), "listening");
  proxy = await startProxy(portOf(site));
});
afterAll(() => {
  proxy.stop();
  site.closeAllConnections();
  site.close();
});

/** Whether this Node can use a proxy. */
const isNew = "setGlobalProxyFromEnv" in process.getBuiltinModule("node:http");
const smokeOf = (url: string, env: NodeJS.ProcessEnv) =>
  runProgram(process.execPath, commandArguments("smoke", url), { env });

test.skipIf(!isNew)(
  "the smoke command asks a site through the proxy, but not this machine",
  async () => {
    const { host, asked } = proxy;
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
  },
);

test("the smoke command uses no proxy when NO_PROXY is *", async () => {
  const { host, asked } = proxy;
  const { code } = await smokeOf("http://site.invalid", { http_proxy: host, no_proxy: "*" });
  expect([code, asked.splice(0)]).toEqual([1, []]);
});

test("the smoke command names an unusable proxy without its password", async () => {
  const env = { HTTP_PROXY: "http://me:secret@pro xy" };
  const { stderr } = await smokeOf(`http://127.0.0.1:${portOf(site)}`, env);
  expect(stderr).toMatch(/^note: .*HTTP_PROXY.* is not used/);
  expect(stderr).not.toContain("secret");
});

test("useProxy sets the proxy of child processes when NODE_USE_ENV_PROXY is set", () => {
  const env: NodeJS.ProcessEnv = {
    NODE_USE_ENV_PROXY: "1",
    HTTPS_PROXY: "me:secret@proxy.example",
  };
  expect(useProxy(env)).toBeUndefined();
  expect(env).toEqual({
    NODE_USE_ENV_PROXY: "1",
    http_proxy: "",
    https_proxy: "http://me:secret@proxy.example",
    no_proxy: "localhost,127.0.0.1,[::1]",
  });
});

test.each([
  [{ HTTPS_PROXY: "http://me:secret@proxy.example:8080", NO_PROXY: "*" }, undefined],
  [{ HTTP_PROXY: "http://me:secret@pro xy", https_proxy: "http://me:secret@pro xy" }, "note"],
])("useProxy removes a proxy that is not used from the environment: %j", (named, note) => {
  const env: NodeJS.ProcessEnv = { ...named, PATH: "/bin" };
  expect(typeof useProxy(env)).toBe(note === undefined ? "undefined" : "string");
  expect(env).toEqual({ PATH: "/bin" });
});
