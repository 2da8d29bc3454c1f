/** What `npm run build` does: reads an export, checks it, writes a snapshot and puts it in place. */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import type { CommandIo } from "../cli/io.ts";
import { ExportError } from "../export/errors.ts";
import { truncateList, pluralize } from "../lib/text.ts";
import { findChangedFiles, hasMatchingDigests } from "../snapshot/compare-files.ts";
import { listedFiles, type SnapshotManifest } from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { writeSnapshot, type SnapshotReport } from "../snapshot/write-snapshot.ts";
import {
  assertReplaceable,
  removeFolder,
  replaceSnapshot,
  findSnapshotFolder,
  withLockedTarget,
} from "./atomic-swap.ts";
import { readBaseline, resolveBaseline, type Baseline } from "./baseline.ts";
import { programDigest, readStamp, writeStamp } from "./build-stamp.ts";
import { defaultCollectionFile } from "./collection-file.ts";
import { changeLines } from "./diff.ts";
import { withValidatedExport, type ValidatedExport } from "./load-export.ts";
import { findLosses, tooManyRemovals } from "./loss-guard.ts";
import {
  buildCommand,
  defaultPostUrl,
  isSample,
  missingExport,
  buildPolicy,
  postUrlFrom,
  settingsFrom,
  type BuildValues,
  type Settings,
} from "./options.ts";
import {
  answerWarnings,
  assertRuntime,
  directoryWarnings,
  sizeWarnings,
} from "./platform-limits.ts";
import { Report } from "./report.ts";

/** One build: what it is to do, and where it reports. */
interface Run {
  readonly settings: Settings;
  readonly report: Report;
  /** What the new snapshot is compared with: a snapshot, nothing, or what the target holds. */
  readonly comparedWith: Baseline | undefined | "target";
  /** Whether what changes is shown. */
  readonly showsChanges: boolean;
  /** When it began, by `performance.now()`. */
  readonly started: number;
}

/**
 * Runs a build.
 *
 * @param args options as on the command line, without the command
 * @returns the exit code: 0; 1 with the reason on standard error; 2 for wrong options
 */
export const build = (args: readonly string[], io: CommandIo): Promise<number> =>
  buildCommand.run(args, io, async (values) => {
    const report = new Report(io);
    try {
      assertRuntime(io.env);
      await buildWith(values, report);
      const isDryRun = values["dry-run"];
      report.writeSummary("Build", isDryRun ? "Nothing was replaced." : "The build is done.");
      return 0;
    } catch (error) {
      report.writeSummary("Build", `The build failed. ${(error as Error).message}`);
      throw error;
    }
  });

/**
 * For the command and for the watched build: builds by options and environment, or shows what a build would do.
 *
 * @param beforeSwap called when the finished snapshot is about to take its place
 * @throws as `buildFrom`
 */
export async function buildWith(
  values: BuildValues,
  report: Report,
  beforeSwap = async (): Promise<void> => {},
): Promise<void> {
  const settings = { ...settingsFrom(values, buildPolicy(report.io.env)), beforeSwap };
  const comparedWith = await resolveBaseline(settings.comparison, report.log);
  await (values["dry-run"] ? dryRun : buildFrom)(settings, comparedWith, report);
}

/**
 * Builds a snapshot and puts it in place. A release begins here, with what it compares already known.
 *
 * @returns the manifest of what is in the target in the end
 * @throws Failure for what stops the build, in words; the target is then as it was
 */
export async function buildFrom(
  settings: Settings,
  comparedWith: Run["comparedWith"],
  report: Report,
  showsChanges = false,
): Promise<SnapshotManifest> {
  const run: Run = { settings, report, comparedWith, showsChanges, started: performance.now() };
  try {
    // Locks the target; reads and checks the export; compares; writes and swaps.
    return await withLockedTarget(settings.out, async (target) => {
      assertSampleFits(settings, settings.out);
      const manifest = await withValidatedExport(settings, report, (input) =>
        updateTarget(run, target, input),
      );
      writeStamp(target, isSample(settings.exportFile));
      return manifest;
    });
  } catch (error) {
    throw expectedFailure(error);
  }
}

/** Compares the input with what is published, and writes a snapshot where it is not there already. */
async function updateTarget(
  run: Run,
  target: string,
  input: ValidatedExport,
): Promise<SnapshotManifest> {
  const { settings, report } = run;
  const local = readBaseline(settings.out);
  const published = publishedBefore(run, local);
  assertNothingLost(published && tooManyRemovals(published, input.checked.postIds, settings));
  const current = local && unchangedManifest(local, input.digest);
  const finish = (manifest: SnapshotManifest, folder: string): void => {
    assertNothingLost(published && findLosses(published, manifest, settings));
    reportChanges(run, published, manifest, { folder, input });
  };
  const seconds = (): string => ((performance.now() - run.started) / 1000).toFixed(1);
  if (current !== undefined) {
    finish(current, settings.out);
    const id = current.id.slice(0, 12);
    report.log(`${settings.out}: nothing changed since snapshot ${id}; ${seconds()} s`);
    return current;
  }
  const written = await replaceSnapshot(target, async (folder) => {
    const done = await writeVerified(run, input, folder, local && target);
    finish(done.manifest, folder);
    await settings.beforeSwap?.();
    return done;
  });
  for (const hint of urlHints(settings, input)) report.log(hint);
  const id = written.manifest.id.slice(0, 12);
  report.log(`${settings.out}: ${summarize(written)} in ${seconds()} s; snapshot ${id}`);
  return written.manifest;
}

/** What a publisher may not have meant about URLs, in sentences. */
const urlHints = (
  { isDefaultSite, siteUrl }: Settings,
  { postUrlTemplate }: ValidatedExport,
): string[] => [
  ...(isDefaultSite
    ? [
        `URLs in it begin with ${siteUrl}, for use on this machine. To publish it, name the site: --site-url https://...`,
      ]
    : []),
  ...(postUrlTemplate === defaultPostUrl
    ? [
        `postUrl leads to the page of the API, ${defaultPostUrl}. Where your own site has a page for each post, name it: "postUrl" in ${defaultCollectionFile}, or --post-url.`,
      ]
    : []),
];

/** Shows what a build would change. It writes to a temporary folder, so it may run beside a build. */
async function dryRun(
  settings: Settings,
  comparedWith: Run["comparedWith"],
  report: Report,
): Promise<void> {
  const started = performance.now();
  const run: Run = { settings, report, comparedWith, showsChanges: true, started };
  try {
    const before = findSnapshotFolder(settings.out);
    assertReplaceable(before);
    assertSampleFits(settings, before);
    await withValidatedExport(settings, report, (input) =>
      showBuild(run, input, publishedBefore(run, readBaseline(before))),
    );
  } catch (error) {
    throw expectedFailure(error);
  }
}

async function showBuild(
  run: Run,
  input: ValidatedExport,
  published: Baseline | undefined,
): Promise<void> {
  const { settings, report } = run;
  const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
  await withCleanUp(
    () => removeFolder(folder),
    async () => {
      const { manifest } = await writeVerified(run, input, folder, undefined);
      reportChanges(run, published, manifest, { folder, input });
      const losses = published && [
        tooManyRemovals(published, input.checked.postIds, settings),
        findLosses(published, manifest, settings),
      ];
      for (const loss of losses ?? [])
        if (loss !== undefined) report.warn(`a build would stop: ${loss}`);
      report.log("nothing was replaced.");
    },
  );
}

/** Errors of an export and of the system, as what a person who publishes needs to know. */
function expectedFailure(error: unknown): unknown {
  if (error instanceof ExportError) return new Failure(error.message);
  if (!(error instanceof Error && "syscall" in error)) return error;
  // The disk is full, or a folder may not be written: the system's own words say which.
  const remedy =
    (error as NodeJS.ErrnoException).code === "ENOSPC" ? " Free some space on that disk." : "";
  return new Failure(
    `build stopped: ${error.message}. What was published before is unchanged.${remedy}`,
  );
}

/**
 * The sample takes the place of nothing but itself, unless it is asked for.
 *
 * @param before folder of the target's snapshot
 * @throws Failure where that holds anything else, or it is not known what
 */
function assertSampleFits({ isSampleByDefault, out }: Settings, before: string): void {
  if (!isSampleByDefault || !existsSync(join(before, snapshotFiles.manifest))) return;
  const stamp = readStamp(out);
  if (stamp?.isSample) return;
  throw missingExport(
    stamp === undefined
      ? `The sample would replace ${out}, of which no file beside it says what it was built from. `
      : `${out} holds other posts than the sample, which would replace them. `,
    "--sample --against none",
  );
}

/** The manifest of a snapshot that this program made from the same inputs and that nobody has changed since. */
const unchangedManifest = (
  { location, manifest }: Baseline,
  inputDigest: string,
): SnapshotManifest | undefined =>
  manifest.inputDigest === inputDigest &&
  readStamp(location)?.program === programDigest() &&
  hasMatchingDigests(location, manifest)
    ? manifest
    : undefined;

/** The snapshot to compare with. The sample loses nothing when posts take its place. */
function publishedBefore(
  { settings: { exportFile, out }, comparedWith, report }: Run,
  local: Baseline | undefined,
): Baseline | undefined {
  if (comparedWith !== "target") return comparedWith;
  if (local === undefined || isSample(exportFile) || !readStamp(out)?.isSample) return local;
  report.log(`${out} holds the sample, and these posts take its place.`);
  return undefined;
}

/**
 * @param loss what the build would lose beyond the limits, in words
 * @throws Failure where there is any
 */
function assertNothingLost(loss: string | undefined): void {
  if (loss !== undefined) throw new Failure(`build stopped: ${loss}`);
}

/**
 * Writes a snapshot into a folder and reads it back.
 *
 * @param reuse folder of the snapshot before, if there is one
 */
async function writeVerified(
  { settings, report }: Run,
  { source, checked, collection, postUrlTemplate, digest }: ValidatedExport,
  folder: string,
  reuse: string | undefined,
): Promise<SnapshotReport> {
  const { siteUrl, bulk, placement, postFiles } = settings;
  const postUrl = postUrlFrom(postUrlTemplate, siteUrl);
  const from = { siteUrl, postUrl, collection, inputDigest: digest };
  const options = { ...from, placement, postFiles, reuse, bulk };
  const written = await writeSnapshot(source, folder, options, report.progress);
  source.assertUnchanged();
  const { posts, comments } = written.manifest.counts;
  const expected = { posts: checked.postIds.size, comments: checked.publishedComments };
  const problems = [
    ...(posts === expected.posts ? [] : [`${posts} of ${expected.posts} posts were written`]),
    ...(comments === expected.comments
      ? []
      : [`${comments} of ${expected.comments} comments were written`]),
    ...findChangedFiles(folder, written.manifest),
  ];
  if (problems.length > 0)
    throw new Failure(
      `build stopped: what was written does not read back. Is the disk sound?\n${truncateList(problems, "  ").join("\n")}`,
    );
  const warnings = [
    ...directoryWarnings(listedFiles(written.manifest)),
    ...sizeWarnings(written.index),
    ...answerWarnings(written.answers),
  ];
  for (const warning of warnings) report.warn(warning);
  return written;
}

/** Adds the changes to the summary, and shows them where they were asked for. */
function reportChanges(
  { report, showsChanges }: Run,
  published: Baseline | undefined,
  manifest: SnapshotManifest,
  { folder, input }: { readonly folder: string; readonly input: ValidatedExport },
): void {
  report.addTable(published?.manifest, manifest, input.checked.problems);
  if (!showsChanges) return;
  for (const line of changeLines(published, manifest, folder)) report.log(line);
}

function summarize({ manifest, documents, bytes }: SnapshotReport): string {
  const { posts, comments, tags } = manifest.counts;
  return (
    `${pluralize(posts, "posts")}, ${pluralize(comments, "comments")}, ${pluralize(tags, "tags")}; ` +
    `${pluralize(documents, "documents")}, ${pluralize(bytes, "bytes")}`
  );
}
