/** npm run verify: verifies the files of a snapshot. Exit code 0 when all is well, else 1. */
import "./cli/node-version.ts";
import { withCleanUp } from "./cli/clean-up.ts";
import { defineCommand, runAsMain } from "./cli/command.ts";
import type { CommandIo } from "./cli/io.ts";
import { endProgress, progressOn } from "./cli/progress.ts";
import { assertSnapshot } from "./snapshot/manifest.ts";
import { verifySnapshot } from "./snapshot/verify-snapshot.ts";

const verifyCommand = defineCommand({
  name: "verify",
  summary: `Reads every file of a snapshot back and checks it: digests, documents against the published
description, references and neighbours.`,
  positionals: {
    folder: { type: "string", value: "DIR", help: "folder of the snapshot", default: "dist" },
  },
  options: {},
});

/**
 * Verifies a snapshot.
 *
 * @returns the exit code
 */
export const verify = (args: readonly string[], io: CommandIo): Promise<number> =>
  verifyCommand.run(args, io, async ({ folder }) => {
    assertSnapshot(folder);
    // A bar takes the first Ctrl-C for itself; this way, it also ends the work.
    const problems = await withCleanUp(endProgress, () =>
      verifySnapshot(folder, progressOn(io.stderr)),
    );
    for (const problem of problems) io.stderr.write(`${problem}\n`);
    io.stdout.write(
      problems.length === 0
        ? `${folder}: all is well.\n`
        : `${folder}: do not publish this; build it again with npm run build.\n`,
    );
    return problems.length === 0 ? 0 : 1;
  });

await runAsMain(import.meta.filename, verify);
