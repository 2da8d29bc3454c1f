/** The oldest Node: one version everywhere, and a sentence for an older one. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { root, runProgram, temporaryFolder, tsx } from "../support/support.ts";
import { oldestNode } from "../../scripts/cli/node-version.ts";

const text = (file: string): string => readFileSync(join(root, file), "utf8");

test("package.json and ci.yml name the oldest Node exactly", () => {
  const { engines } = JSON.parse(text("package.json")) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${oldestNode.join(".")}`);
  expect(text(".github/workflows/ci.yml")).toContain(`node: [${oldestNode.join(".")}.0, `);
});

test("every command imports node-version.ts first", () => {
  const commands = readdirSync(join(root, "scripts")).filter((name) => name.endsWith(".ts"));
  expect(commands.length).toBeGreaterThan(6);
  for (const name of commands)
    expect(/^import .*/m.exec(text(`scripts/${name}`))?.[0], name).toBe(
      'import "./cli/node-version.ts";',
    );
});

test.each(["20.20.2", "22.13.1", "18.0.0"])(
  "npm run build refuses Node %s in a sentence",
  async (version) => {
    const program = `
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
    await import(${JSON.stringify(join(root, "scripts/build.ts"))});
    console.log("went on");`;
    const { code, stdout, stderr } = await runProgram(process.execPath, [
      ...tsx,
      "--input-type=module",
      "-e",
      program,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^This project needs Node 22\.14 or newer; this is v.*npm run\.\n$/);
  },
);

test("createWorkerPool runs TypeScript when Node does not strip types by default", async () => {
  const file = join(temporaryFolder(), "jobs.mts");
  writeFileSync(file, "export default () => ({ work: (n: number): number => n * 2 });");
  const program = `
    import { createWorkerPool } from ${JSON.stringify(new URL("../../scripts/lib/worker-pool.ts", import.meta.url).href)};
    const runner = await createWorkerPool(new URL(${JSON.stringify(pathToFileURL(file).href)}), undefined, 2);
    for await (const result of runner.run("work", [1, 2, 3])) console.log(result);
    await runner.stop();`;
  const { stdout, stderr } = await runProgram(
    process.execPath,
    [...tsx, "--input-type=module", "-e", program],
    { env: { NODE_OPTIONS: "--no-experimental-strip-types" } },
  );
  expect([stdout, stderr]).toEqual(["2\n4\n6\n", ""]);
});
