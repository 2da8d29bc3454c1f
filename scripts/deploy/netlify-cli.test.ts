import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "../../tests/support/support.ts";
import { netlifyIn } from "./netlify-cli.ts";

test("netlifyIn gives the CLI its secrets without the white space around them", async () => {
  const env = {
    ...process.env,
    NETLIFY_AUTH_TOKEN: " secret\n",
    NETLIFY_SITE_ID: "site \n",
    NODE_OPTIONS: `--import=data:text/javascript,console.log(JSON.stringify([process.env.NETLIFY_AUTH_TOKEN,process.env.NETLIFY_SITE_ID]));process.exit(0)`,
  };
  const run = netlifyIn(temporaryFolder(), env, () => import.meta.filename);
  expect((await run([], 60)).stdout).toBe('["secret","site"]\n');
});

/** The versions of packages that a lock file names. */
function lockedVersions(lock: string, names: readonly string[]): (string | undefined)[] {
  const { packages } = JSON.parse(readFileSync(join(root, lock), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  return names.map((name) => packages[`node_modules/${name}`]?.version);
}

test("the tests read headers, redirects and archives with the packages of the locked CLI", () => {
  const names = [
    "@netlify/headers-parser",
    "@netlify/redirect-parser",
    "netlify-redirector",
    "node-stream-zip",
  ];
  const versions = lockedVersions("package-lock.json", names);
  expect(versions).not.toContain(undefined);
  expect(lockedVersions("scripts/deploy/netlify/cli/package-lock.json", names)).toEqual(versions);
});
