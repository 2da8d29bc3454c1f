/** npm run verify -- DIR: verifies a snapshot folder. Exit code 0 when all is well, else 1. */
import { progressOn } from "./cli/progress.ts";
import { problemsOfSnapshot } from "./snapshot/verify.ts";

const usage = `npm run verify -- [DIR]

Reads every file of a snapshot back (default: dist) and checks it: documents against the published
description, references, neighbours, counts, and a sample of searches.
`;
const args = process.argv.slice(2);
if (args.includes("--help") || args.length > 1 || args[0]?.startsWith("-")) {
  process.stdout.write(usage);
  process.exit(args.includes("--help") ? 0 : 1);
}
const [folder = "dist"] = args;
const problems = await problemsOfSnapshot(folder, progressOn(process.stderr));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(
  problems.length === 0
    ? `${folder}: all is well.\n`
    : `${folder}: do not publish this; build it anew with npm run build.\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
