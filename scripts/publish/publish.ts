/** What `npm run build` does: reads an export, checks it, writes a snapshot and puts it in place. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { postFile } from "../documents/post.ts";
import {
  changeLines,
  changesSince,
  ComparisonError,
  liveSnapshot,
  localSnapshot,
  type Published,
} from "./diff.ts";
import { recoverTarget, replaceSnapshot, TargetError } from "./replace-folder.ts";
import { checkExport } from "../export/check.ts";
import { ExportError } from "../export/errors.ts";
import { httpUrl } from "../export/column-rules.ts";
import { openExport, type Export } from "../export/open.ts";
import { problemLines } from "../export/problems.ts";
import { postWarnings } from "./platform-limits.ts";
import { programDigest } from "./input-digest.ts";
import type { CommandIo } from "../cli/command.ts";
import { progressOn, type Progress } from "../cli/progress.ts";
import {
  postDigests,
  writeSnapshot,
  type SnapshotManifest,
  type SnapshotOptions,
  type SnapshotReport,
} from "../snapshot/write.ts";
import { changedFiles, fileDigest, problemsOfSnapshot, type Expected } from "../snapshot/verify.ts";

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
  report: {
    type: "string",
    value: "FILE",
    help: "write all problems of the export's rows to FILE, as JSON",
  },
  strict: {
    type: "boolean",
    value: "",
    help: "let warnings about rows stop the build, as errors do",
  },
  "dry-run": {
    type: "boolean",
    value: "",
    help: "write nothing; tell what a build would change",
  },
  against: {
    type: "string",
    value: "URL",
    help: "compare with the live site's snapshot.json at URL instead of the snapshot in --out",
  },
  "max-removals": {
    type: "string",
    value: "N",
    help: "refuse to remove more posts than N (default: 5 % of the published posts, at least 10)",
  },
  help: { type: "boolean", value: "", help: "show this text" },
} as const;

const usage = `npm run build -- [options]

Reads posts from a database export and writes the files of the API.

${Object.entries(options)
  .map(([name, { value, help }]) => `  ${`--${name} ${value}`.padEnd(22)} ${help}`)
  .join("\n")}
`;

/** A build beyond these refuses to remove posts that are published. */
const removalShare = 0.05;
const leastRemovals = 10;

/** Options that cannot be used. */
class UsageError extends Error {}

/** A build that was stopped on purpose. */
class RefusedError extends Error {}

function addressFrom(value: string, option: string): string {
  const url = httpUrl(value);
  if (url === undefined)
    throw new UsageError(`--${option} ${value}: not an absolute http or https address.`);
  return url;
}

function addressesFrom(
  site: string,
  template: string,
): Pick<SnapshotOptions, "siteUrl" | "postUrl"> {
  const { href, origin } = new URL(addressFrom(site, "site-url"));
  // The rewrites and the page stand at the root of a host; anything more would be in no address.
  if (href !== `${origin}/`)
    throw new UsageError(
      `--site-url ${site}: must be a scheme and a host only, such as https://api.cases.example.`,
    );
  const siteUrl = origin;
  if (!template.includes("{postId}"))
    throw new UsageError(`--post-url ${template}: must contain {postId}.`);
  const address = (postId: number): string =>
    template.replaceAll("{site}", () => siteUrl).replaceAll("{postId}", String(postId));
  addressFrom(address(1), "post-url");
  return { siteUrl, postUrl: (postId) => httpUrl(address(postId)) ?? address(postId) };
}

const number = (value: number): string => value.toLocaleString("en-US");

/** Refuses to remove many posts: an export that lost rows looks like one from which they were deleted. */
function assertRemovals(
  published: Published | undefined,
  postIds: ReadonlySet<number>,
  allowed: string | undefined,
): void {
  if (published === undefined) return;
  const old = [...postDigests(published.manifest.posts).keys()];
  const removed = old.filter((id) => !postIds.has(id)).length;
  const limit =
    allowed === undefined
      ? Math.max(leastRemovals, Math.floor(old.length * removalShare))
      : Number(allowed);
  if (removed > limit)
    throw new RefusedError(
      `build stopped: it would remove ${number(removed)} of ${number(old.length)} posts of ${published.place}, more than ${number(limit)}. ` +
        `If that is right, allow it with --max-removals ${removed}.`,
    );
}

/** Whether a folder still holds the very files that its manifest describes. */
function isIntact(folder: string, manifest: SnapshotManifest): boolean {
  try {
    const posts = postDigests(manifest.posts);
    return (
      readdirSync(dirname(join(folder, postFile(1)))).length === posts.size &&
      [...posts].every(([id, digest]) =>
        fileDigest(join(folder, postFile(id))).startsWith(digest),
      ) &&
      changedFiles(folder, manifest).length === 0
    );
  } catch {
    return false;
  }
}

/** Writes a snapshot into a folder and reads it back. */
async function writeVerified(
  source: Export,
  folder: string,
  snapshotOptions: SnapshotOptions,
  expected: Expected,
  progress: Progress,
): Promise<SnapshotReport> {
  const report = await writeSnapshot(source, folder, snapshotOptions, progress);
  const problems = await problemsOfSnapshot(folder, progress, expected);
  if (problems.length > 0)
    throw new RefusedError(
      `build stopped: what was written does not read back as it should. Please report this.\n${problems.join("\n")}`,
    );
  return report;
}

async function run(args: readonly string[], { stdout, stderr, env }: CommandIo): Promise<number> {
  const started = performance.now();
  const { values } = parseArgs({ args: [...args], options, strict: true });
  if (values.help === true) {
    stdout.write(usage);
    return 0;
  }
  const file =
    values.export ?? defaultExports.find((name) => existsSync(name)) ?? defaultExports[2];
  const out = values.out ?? defaultOut;
  const site = values["site-url"] ?? (env["URL"] || defaultSite);
  const template = values["post-url"] ?? defaultPostUrl;
  const addresses = addressesFrom(site, template);
  const maxRemovals = values["max-removals"];
  if (maxRemovals !== undefined && !/^\d+$/.test(maxRemovals))
    throw new UsageError(`--max-removals ${maxRemovals}: must be a whole number.`);
  const against = values.against === undefined ? undefined : addressFrom(values.against, "against");

  const warn = (warning: string): void => void stderr.write(`warning: ${warning}\n`);
  const progress = progressOn(stderr);
  const source = openExport(file);
  try {
    const checking = progress.step("rows checked", undefined);
    const { problems, rows, digest, postIds, publishedComments } = checkExport(
      source,
      checking.update,
    );
    const expected: Expected = { posts: postIds.size, comments: publishedComments };
    checking.done();
    if (values.report !== undefined)
      writeFileSync(
        values.report,
        `${JSON.stringify({ export: file, rows, problems }, null, 2)}\n`,
      );
    for (const line of problemLines(problems)) stderr.write(`${line}\n`);
    const errors = problems.filter((problem) => problem.severity === "error").length;
    const stopping = values.strict === true ? problems.length : errors;
    if (stopping > 0)
      throw new RefusedError(
        `build stopped: ${number(errors)} errors and ${number(problems.length - errors)} warnings in ${file}; ${out} is unchanged.`,
      );
    postWarnings(postIds.size).forEach(warn);

    recoverTarget(out);
    const local = localSnapshot(out);
    const published = against === undefined ? local : await liveSnapshot(against);
    const snapshotOptions: SnapshotOptions = {
      ...addresses,
      source: createHash("sha256")
        .update(JSON.stringify([digest, addresses.siteUrl, template, programDigest()]))
        .digest("hex"),
      reuse: local && out,
    };

    if (values["dry-run"] === true) {
      const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
      try {
        const { manifest, warnings } = await writeVerified(
          source,
          folder,
          { ...snapshotOptions, reuse: undefined },
          expected,
          progress,
        );
        warnings.forEach(warn);
        const changes = changesSince(published?.manifest, manifest, folder);
        const lines = await changeLines(changes, published, folder);
        stdout.write(`${lines.join("\n")}\nnothing was written.\n`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      return 0;
    }

    assertRemovals(published, postIds, maxRemovals);
    if (local?.manifest.source === snapshotOptions.source && isIntact(out, local.manifest)) {
      stdout.write(
        `${out}: nothing changed since snapshot ${local.manifest.id.slice(0, 12)}; ${secondsSince(started)} s\n`,
      );
      return 0;
    }
    const { manifest, files, bytes, warnings } = await replaceSnapshot(out, (folder) =>
      writeVerified(source, folder, snapshotOptions, expected, progress),
    );
    warnings.forEach(warn);
    const { posts, comments, tags } = manifest.counts;
    stdout.write(
      `${out}: ${number(posts)} posts, ${number(comments)} comments, ${number(tags)} tags; ` +
        `${number(files)} documents, ${number(bytes)} bytes in ${secondsSince(started)} s; snapshot ${manifest.id.slice(0, 12)}\n`,
    );
    return 0;
  } finally {
    source.close();
  }
}

const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(1);

/**
 * Runs a build.
 *
 * @param args options as on the command line, without the command
 * @returns the exit code: 0, or 1 with the reason on standard error
 */
export async function build(args: readonly string[], io: CommandIo): Promise<number> {
  const { stderr } = io;
  try {
    return await run(args, io);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS"))
      stderr.write(`${(error as Error).message}\n\n${usage}`);
    else if (
      [ExportError, TargetError, RefusedError, ComparisonError].some(
        (kind) => error instanceof kind,
      )
    )
      stderr.write(`${(error as Error).message}\n`);
    else if ((error as NodeJS.ErrnoException).syscall !== undefined)
      // The disk is full, or a folder may not be written: the system's own words say which.
      stderr.write(
        `build stopped: ${(error as Error).message}. What was published before is unchanged.\n`,
      );
    else stderr.write(`build stopped: ${(error as Error).stack ?? String(error)}\n`);
    return 1;
  }
}
