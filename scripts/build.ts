/** npm run build: reads an export and writes a snapshot. Exit code 0, or 1 with the reason on standard error. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { replaceSnapshot, TargetError } from "./dist.ts";
import { checkExport, problemLines } from "./export/check.ts";
import { ExportError } from "./export/errors.ts";
import { httpUrl } from "./export/values.ts";
import { openExport } from "./export.ts";
import { postWarnings } from "./limits.ts";
import { progressOn } from "./progress.ts";
import { writeSnapshot, type SnapshotOptions } from "./snapshot.ts";

/** Exports that are looked for when none is named, the sample of the project last. */
const defaultExports = ["data/export.sqlite", "data/export.sql", "data/sample.sql"] as const;
const defaultOut = "dist";
const defaultSite = "http://localhost:8888";
const defaultPostUrl = "{site}/archives/{postId}";

const options = {
  export: {
    type: "string",
    value: "FILE",
    help: `SQLite database or .sql dump to publish (default: the first of ${defaultExports.join(", ")} that exists)`,
  },
  out: {
    type: "string",
    value: "DIR",
    help: `folder of the snapshot, replaced as a whole (default: ${defaultOut})`,
  },
  "site-url": {
    type: "string",
    value: "URL",
    help: `address of the API (default: the environment's URL, else ${defaultSite})`,
  },
  "post-url": {
    type: "string",
    value: "TEMPLATE",
    help: `address of a post's page, with {postId} and, if wanted, {site} (default: ${defaultPostUrl})`,
  },
  help: { type: "boolean", value: "", help: "show this text" },
} as const;

const usage = `npm run build -- [options]

Reads posts from a database export and writes the files of the API.

${Object.entries(options)
  .map(([name, { value, help }]) => `  ${`--${name} ${value}`.padEnd(22)} ${help}`)
  .join("\n")}
`;

/** Options that cannot be used. */
class UsageError extends Error {}

function addressFrom(value: string, option: string): string {
  const url = httpUrl(value);
  if (url === undefined)
    throw new UsageError(`--${option} ${value}: not an absolute http or https address.`);
  return url;
}

function snapshotOptionsFrom(site: string, template: string): SnapshotOptions {
  const siteUrl = addressFrom(site, "site-url").replace(/\/+$/, "");
  if (!template.includes("{postId}"))
    throw new UsageError(`--post-url ${template}: must contain {postId}.`);
  const address = (postId: number): string =>
    template.replaceAll("{site}", siteUrl).replaceAll("{postId}", String(postId));
  addressFrom(address(1), "post-url");
  return { siteUrl, postUrl: (postId) => httpUrl(address(postId)) ?? address(postId) };
}

const number = (value: number): string => value.toLocaleString("en-US");

/** @returns the exit code */
function main(args: readonly string[]): number {
  const started = performance.now();
  const { values } = parseArgs({ args: [...args], options, strict: true });
  if (values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const file =
    values.export ?? defaultExports.find((name) => existsSync(name)) ?? defaultExports[2];
  const out = values.out ?? defaultOut;
  const snapshotOptions = snapshotOptionsFrom(
    values["site-url"] ?? (process.env["URL"] || defaultSite),
    values["post-url"] ?? defaultPostUrl,
  );

  const progress = progressOn(process.stderr);
  const source = openExport(file);
  try {
    const checking = progress.step("rows checked", undefined);
    const { problems } = checkExport(source, checking.update);
    checking.done();
    for (const line of problemLines(problems)) process.stderr.write(`${line}\n`);
    const errors = problems.filter((problem) => problem.severity === "error").length;
    if (errors > 0) {
      process.stderr.write(
        `build stopped: ${number(errors)} errors in ${file}; ${out} is unchanged.\n`,
      );
      return 1;
    }
    const warn = (warning: string): void => void process.stderr.write(`warning: ${warning}\n`);
    postWarnings(source.count("posts")).forEach(warn);
    const { manifest, files, bytes, warnings } = replaceSnapshot(out, (folder) =>
      writeSnapshot(source, folder, snapshotOptions, progress),
    );
    warnings.forEach(warn);
    const { posts, comments, tags } = manifest.counts;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `${out}: ${number(posts)} posts, ${number(comments)} comments, ${number(tags)} tags; ` +
        `${number(files)} documents, ${number(bytes)} bytes in ${seconds} s; snapshot ${manifest.id.slice(0, 12)}\n`,
    );
    return 0;
  } finally {
    source.close();
  }
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS"))
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
  else if (error instanceof ExportError || error instanceof TargetError)
    process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`build stopped: ${(error as Error).stack ?? String(error)}\n`);
  process.exitCode = 1;
}
