/** What `npm run build` does: reads an export, checks it, writes a snapshot and puts it in place. */
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure, type CommandIo } from "../cli/command.ts";
import { counted } from "../lib/format-number.ts";
import { ExportError } from "../export/errors.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { isIntact } from "../snapshot/compare-files.ts";
import { listedFiles, type SnapshotManifest } from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { problemsOfSnapshot } from "../snapshot/verify-snapshot.ts";
import { writeSnapshot, type SnapshotReport } from "../snapshot/write-snapshot.ts";
import { programDigest, readStamp, writeStamp } from "./build-stamp.ts";
import { defaultCollectionFile } from "./collection-file.ts";
import { withCheckedInput, type CheckedInput } from "./checked-input.ts";
import { resolvedComparison, localSnapshot, type ComparedSnapshot } from "./compared-snapshot.ts";
import { changeLines } from "./diff.ts";
import { pageLost, tooManyRemovals, tooMuchLost } from "./loss-guard.ts";
import {
  buildCommand,
  defaultPostUrl,
  isSample,
  missingExport,
  policyOf,
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
import {
  assertReplaceable,
  removeFolder,
  replaceSnapshot,
  snapshotFolderOf,
  withTarget,
} from "./replace-folder.ts";
import { Report } from "./report.ts";

/** One build: what it is to do, and where it reports. */
interface Run {
  readonly settings: Settings;
  readonly report: Report;
  /** Whether a build that is no dry run shows what changes, too. */
  readonly showsChanges: boolean;
  /** When it began, by `performance.now()`. */
  readonly started: number;
}

/** What the new snapshot is compared with: a snapshot, nothing, or what the target holds. */
type Compared = ComparedSnapshot | undefined | "target";

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
  const settings = { ...settingsFrom(values, policyOf(report.io.env)), beforeSwap };
  const compared = await resolvedComparison(settings.comparison, report);
  await (values["dry-run"] ? dryRun : buildFrom)(settings, compared, report);
}

/**
 * Builds a snapshot and puts it in place. A release begins here, with what it compares already known.
 *
 * @returns the manifest of what is in the target in the end
 * @throws Failure for what stops the build, in words; the target is then as it was
 */
export async function buildFrom(
  settings: Settings,
  compared: Compared,
  report: Report,
  showsChanges = false,
): Promise<SnapshotManifest> {
  const run: Run = { settings, report, showsChanges, started: performance.now() };
  try {
    // Locks the target; reads and checks the export; compares; writes and swaps.
    return await withTarget(settings.out, async (target) => {
      assertSampleFits(settings, settings.out);
      const manifest = await withCheckedInput(settings, report, (input) =>
        updateTarget(run, target, input, compared),
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
  input: CheckedInput,
  compared: Compared,
): Promise<SnapshotManifest> {
  const { settings, report } = run;
  const local = localSnapshot(settings.out);
  const published = publishedBefore(run, compared, local);
  assertNothingLost(published && tooManyRemovals(published, input.checked.postIds, settings));
  const current = local && upToDate(local, input.digest);
  if (current === undefined) return replaceTarget(run, target, input, { published, local });
  assertNothingLost(published && lossOf(published, current, settings));
  await showChanges(run, published, current, settings.out);
  const id = current.id.slice(0, 12);
  report.say(`${settings.out}: nothing changed since snapshot ${id}; ${seconds(run)} s`);
  return current;
}

/** Writes a snapshot beside the target, and puts it in place. @param known the snapshots that were there before */
async function replaceTarget(
  run: Run,
  target: string,
  input: CheckedInput,
  known: Readonly<Record<"published" | "local", ComparedSnapshot | undefined>>,
): Promise<SnapshotManifest> {
  const { settings, report } = run;
  const { published, local } = known;
  const written = await replaceSnapshot(target, async (folder) => {
    const done = await writeVerified(run, input, folder, local && target);
    assertNothingLost(published && lossOf(published, done.manifest, settings));
    await showChanges(run, published, done.manifest, folder);
    await settings.beforeSwap?.();
    return done;
  });
  if (settings.isDefaultSite)
    report.say(
      `URLs in it begin with ${settings.siteUrl}, for use on this machine. To publish it, name the site: --site-url https://...`,
    );
  if (input.postUrlTemplate === defaultPostUrl)
    report.say(
      `postUrl leads to the page of the API, ${defaultPostUrl}. Where your own site has a page for each post, name it: "postUrl" in ${defaultCollectionFile}, or --post-url.`,
    );
  const id = written.manifest.id.slice(0, 12);
  report.say(`${settings.out}: ${summaryOf(written)} in ${seconds(run)} s; snapshot ${id}`);
  return written.manifest;
}

/** Shows what a build would change. It writes to a temporary folder, so it may run beside a build. */
async function dryRun(settings: Settings, compared: Compared, report: Report): Promise<void> {
  const run: Run = { settings, report, showsChanges: true, started: performance.now() };
  try {
    const before = snapshotFolderOf(settings.out);
    assertReplaceable(before);
    assertSampleFits(settings, before);
    await withCheckedInput(settings, report, (input) =>
      showBuild(run, input, publishedBefore(run, compared, localSnapshot(before))),
    );
  } catch (error) {
    throw expectedFailure(error);
  }
}

async function showBuild(
  run: Run,
  input: CheckedInput,
  published: ComparedSnapshot | undefined,
): Promise<void> {
  const { settings, report } = run;
  const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
  await withCleanUp(
    () => removeFolder(folder),
    async () => {
      const { manifest } = await writeVerified(run, input, folder, undefined);
      await showChanges(run, published, manifest, folder);
      const losses = published && [
        tooManyRemovals(published, input.checked.postIds, settings),
        lossOf(published, manifest, settings),
      ];
      for (const loss of losses ?? [])
        if (loss !== undefined) report.warn(`a build would stop: ${loss}`);
      report.say("nothing was replaced.");
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
const upToDate = (
  { location, manifest }: ComparedSnapshot,
  inputDigest: string,
): SnapshotManifest | undefined =>
  manifest.inputDigest === inputDigest &&
  readStamp(location)?.program === programDigest() &&
  isIntact(location, manifest)
    ? manifest
    : undefined;

/** The snapshot to compare with. The sample loses nothing when posts take its place. */
function publishedBefore(
  { settings: { exportFile, out }, report }: Run,
  compared: Compared,
  local: ComparedSnapshot | undefined,
): ComparedSnapshot | undefined {
  if (compared !== "target") return compared;
  if (local === undefined || isSample(exportFile) || !readStamp(out)?.isSample) return local;
  report.say(`${out} holds the sample, and these posts take its place.`);
  return undefined;
}

/** What a build would lose besides posts, in words. */
const lossOf = (
  published: ComparedSnapshot,
  manifest: SnapshotManifest,
  settings: Settings,
): string | undefined =>
  tooMuchLost(published, manifest, settings) ?? pageLost(published, manifest, settings);

/** @param loss what the build would lose beyond the limits, in words @throws Failure where there is any */
function assertNothingLost(loss: string | undefined): void {
  if (loss !== undefined) throw new Failure(`build stopped: ${loss}`);
}

/** Writes a snapshot into a folder and reads it back. @param reuse folder of the snapshot before, if there is one */
async function writeVerified(
  { settings, report }: Run,
  { source, checked, collection, postUrlTemplate, digest }: CheckedInput,
  folder: string,
  reuse: string | undefined,
): Promise<SnapshotReport> {
  const { siteUrl, bulk, placement, postFiles } = settings;
  const postUrl = postUrlFrom(postUrlTemplate, siteUrl);
  const from = { siteUrl, postUrl, collection, inputDigest: digest };
  const options = { ...from, placement, postFiles, reuse, bulk };
  const written = await writeSnapshot(source, folder, options, report.progress);
  source.assertUnchanged();
  collectGarbage();
  const expected = { posts: checked.postIds.size, comments: checked.publishedComments };
  const problems = await problemsOfSnapshot(folder, report.progress, expected);
  if (problems.length > 0)
    throw new Failure(
      `build stopped: what was written does not read back as it should. Please report this.\n${problems.join("\n")}`,
    );
  const warnings = [
    ...directoryWarnings(listedFiles(written.manifest)),
    ...sizeWarnings(written.index),
    ...answerWarnings(written.answers),
  ];
  for (const warning of warnings) report.warn(warning);
  return written;
}

/** Shows the changes where they were asked for. @param folder where the new snapshot's files are */
async function showChanges(
  { report, showsChanges }: Run,
  published: ComparedSnapshot | undefined,
  manifest: SnapshotManifest,
  folder: string,
): Promise<void> {
  await report.changes(published, manifest, folder);
  if (!showsChanges) return;
  for (const line of await changeLines(published, manifest, folder)) report.say(line);
}

const seconds = ({ started }: Run): string => ((performance.now() - started) / 1000).toFixed(1);

function summaryOf({ manifest, documents, bytes }: SnapshotReport): string {
  const { posts, comments, tags } = manifest.counts;
  return (
    `${counted(posts, "posts")}, ${counted(comments, "comments")}, ${counted(tags, "tags")}; ` +
    `${counted(documents, "documents")}, ${counted(bytes, "bytes")}`
  );
}
