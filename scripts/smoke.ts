/** npm run smoke: asks a published API what the contract promises. Exit code 1 when a check fails. */
import "./cli/node-version.ts";
import { defineCommand, Failure, runAsMain, UsageError } from "./cli/command.ts";
import type { CommandIo } from "./cli/io.ts";
import { paths } from "../functions/contract/http.ts";
import { ask, failureReason, redactUrl } from "./lib/http.ts";
import { smokeTest } from "./checks/smoke-test.ts";

const smokeCommand = defineCommand({
  name: "smoke",
  summary: `Checks a published API: every kind of request with its status, headers and body. A line a check; one
that fails says what it means.`,
  positionals: {
    site: {
      type: "string",
      value: "URL",
      help: "base URL of the site",
      default: "http://localhost:8888",
    },
  },
  options: {},
});

/** Failures with the same words that are shown; the others are counted. */
const shownOfAKind = 5;

/**
 * @throws Failure where nothing answers there at all, or where another site does
 */
async function assertAnswers(site: string): Promise<void> {
  const response = await ask(new URL(paths.openapi, site).href).catch((error: Error) => {
    throw new Failure(
      `${site} does not answer (${failureReason(error)}). Is the URL right, and does the server run?`,
    );
  });
  await response.body?.cancel();
  const { origin } = new URL(response.url);
  if (origin !== new URL(site).origin)
    throw new Failure(`${site} redirects to ${origin}. Check that URL: npm run smoke -- ${origin}`);
}

/**
 * Checks a site.
 *
 * @returns the exit code
 */
export const smoke = (args: readonly string[], { stdout, ...io }: CommandIo): Promise<number> =>
  smokeCommand.run(args, { stdout, ...io }, async ({ site }) => {
    if (!/^https?:\/\/[^/?#@]+\/*$/.test(site) || !URL.canParse(site))
      throw new UsageError(
        `${redactUrl(site)}: must be a scheme and a host, such as https://api.cases.example.`,
      );
    await assertAnswers(site);
    let checks = 0;
    let failures = 0;
    const kinds = new Map<string, number>();
    for await (const { check, failure } of smokeTest({ site: site.replace(/\/+$/, "") })) {
      checks++;
      if (failure === undefined) {
        stdout.write(`ok    ${check}\n`);
        continue;
      }
      failures++;
      const count = (kinds.get(failure) ?? 0) + 1;
      kinds.set(failure, count);
      if (count <= shownOfAKind) stdout.write(`FAIL  ${check}: ${failure}\n`);
    }
    for (const [failure, count] of kinds)
      if (count > shownOfAKind)
        stdout.write(`FAIL  ${count - shownOfAKind} more checks: ${failure}\n`);
    stdout.write(
      failures === 0
        ? `all ${checks} checks passed.\n`
        : `${failures} of ${checks} checks failed.\n`,
    );
    return failures === 0 ? 0 : 1;
  });

await runAsMain(import.meta.filename, smoke);
