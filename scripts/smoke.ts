/** npm run smoke: asks a published API what the contract promises. Exit code 1 when a check fails. */
import "./cli/node-version.ts";
import { defineCommand, runAsMain, UsageError, type CommandIo } from "./cli/command.ts";
import { smokeTest } from "./publish/smoke-test.ts";

const command = defineCommand({
  name: "smoke",
  summary: `Checks a published API: every kind of request with its status, headers and body, a search walked
through all its pages, and a sample of posts. A line a check; one that fails says what it means.`,
  positionals: {
    site: {
      type: "string",
      value: "URL",
      help: "base URL of the site",
      default: "http://localhost:8888",
    },
  },
  options: {
    posts: { type: "integer", value: "N", help: "posts to read", default: 20, minimum: 1 },
  },
});

/** Checks a site. @returns the exit code */
export const smoke = (args: readonly string[], { stdout, ...io }: CommandIo): Promise<number> =>
  command.run(args, { stdout, ...io }, async ({ site, posts }) => {
    if (!/^https?:\/\//.test(site) || !URL.canParse(site))
      throw new UsageError(`${site}: not an http or https URL.`);
    let checks = 0;
    const failures = await smokeTest({
      site: site.replace(/\/+$/, ""),
      posts,
      fetch,
      report(check, failure) {
        checks++;
        stdout.write(failure === undefined ? `ok    ${check}\n` : `FAIL  ${check}: ${failure}\n`);
      },
    });
    stdout.write(
      failures === 0
        ? `all ${checks} checks passed.\n`
        : `${failures} of ${checks} checks failed.\n`,
    );
    return failures === 0 ? 0 : 1;
  });

await runAsMain(import.meta.filename, smoke);
