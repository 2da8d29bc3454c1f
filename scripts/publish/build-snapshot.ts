/** What `npm run build` does: reads an export, checks it, writes a snapshot and puts it in place. */
import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure, type CommandIo } from "../cli/command.ts";
import { counted } from "../lib/format-number.ts";
import { progressOn } from "../cli/progress.ts";
import { checkExport, type CheckResult } from "../export/check.ts";
import { ExportError } from "../export/errors.ts";
import { openExport, type Export } from "../export/open.ts";
import { printable, problemLines } from "../export/problems.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { isIntact } from "../snapshot/compare-files.ts";
import { isCurrent, listedFiles, sha256, type SnapshotManifest } from "../snapshot/manifest.ts";
import { problemsOfSnapshot } from "../snapshot/verify-snapshot.ts";
import { writeSnapshot, type SnapshotReport } from "../snapshot/write-snapshot.ts";
import { changeLines, otherVersionLine } from "./diff.ts";
import { diskLines } from "./disk-space.ts";
import { programDigest } from "./input-digest.ts";
import { tooManyRemovals, tooMuchLost } from "./loss-guard.ts";
import {
  buildCommand,
  defaultPostUrl,
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
import { liveSnapshot, localSnapshot, type ComparedSnapshot } from "./compared-snapshot.ts";
import { assertReplaceable, removeFolder, replaceSnapshot, withTarget } from "./replace-folder.ts";
import { createStepSummary, type StepSummary } from "./step-summary.ts";
import { otherSource, recordSource } from "./snapshot-source.ts";

/** What a release wants of its build. */
export interface BuildHooks {
  /** Whether a build that is no dry run shows what changes, too. */
  readonly showsChanges?: boolean;
  /** Takes what was done. */
  readonly summary: StepSummary;
}

/**
 * Runs a build.
 *
 * @param args options as on the command line, without the command
 * @returns the exit code: 0; 1 with the reason on standard error; 2 for wrong options
 */
export const build = (args: readonly string[], io: CommandIo): Promise<number> =>
  buildCommand.run(args, io, async (values) => {
    const summary = createStepSummary(io);
    try {
      await buildFrom(values, io, { summary });
      summary.write("Build", values["dry-run"] ? "Nothing was published." : "The build is done.");
      return 0;
    } catch (error) {
      summary.write("Build", `The build failed. ${(error as Error).message}`);
      throw error;
    }
  });

/**
 * Runs a build as a part of other work.
 *
 * @returns the manifest of what is in the target in the end; in a dry run, of what would be there
 * @throws UsageError for values that cannot be used; Failure for what stops the build, in words
 */
export async function buildFrom(
  values: BuildValues,
  io: CommandIo,
  hooks: BuildHooks,
): Promise<SnapshotManifest> {
  try {
    assertRuntime(io.env);
    const run = createBuild(settingsFrom(values, io.env), io, hooks);
    return await (values["dry-run"] ? run.dryRun() : run.publish());
  } catch (error) {
    throw expectedFailure(error);
  }
}

/** Errors of an export and of the system, as what a person who publishes needs to know. */
function expectedFailure(error: unknown): unknown {
  if (error instanceof ExportError) return new Failure(error.message);
  if (error instanceof Error && "syscall" in error)
    // The disk is full, or a folder may not be written: the system's own words say which.
    return new Failure(`build stopped: ${error.message}. What was published before is unchanged.`);
  return error;
}

/** The manifest of a published snapshot that was made from the same inputs and that nobody has changed since. */
function upToDate(
  published: ComparedSnapshot | undefined,
  inputDigest: string,
): SnapshotManifest | undefined {
  if (published === undefined || !isCurrent(published.manifest)) return undefined;
  const { location, manifest } = published;
  return manifest.inputDigest === inputDigest && isIntact(location, manifest)
    ? manifest
    : undefined;
}

function summaryOf({ manifest, documents, bytes }: SnapshotReport): string {
  const { posts, comments, tags } = manifest.counts;
  return (
    `${counted(posts, "posts")}, ${counted(comments, "comments")}, ${counted(tags, "tags")}; ` +
    `${counted(documents, "documents")}, ${counted(bytes, "bytes")}`
  );
}

/** One run of the command. */
function createBuild(settings: Settings, io: CommandIo, hooks: BuildHooks) {
  const progress = progressOn(io.stderr);
  const started = performance.now();

  /** Builds the snapshot and puts it in place. */
  function publish(): Promise<SnapshotManifest> {
    const { out } = settings;
    return withTarget(out, (target) =>
      withExport(async (source, checked) => {
        const local = localSnapshot(out);
        const published = await comparedWith(local);
        assertNothingLost(published && tooManyRemovals(published, checked.postIds, settings));
        const inputDigest = digestOfInputs(source, checked);
        const current = upToDate(local, inputDigest);
        if (current !== undefined) {
          assertNothingLost(published && tooMuchLost(published, current, settings));
          const id = current.id.slice(0, 12);
          await showChanges(published, current, out);
          say(`${out}: nothing changed since snapshot ${id}; ${seconds()} s`);
          recordSource(target, current.id, settings.exportFile);
          return current;
        }
        sayDiskSpace(checked.postIds.size, dirname(target));
        const report = await replaceSnapshot(target, async (folder) => {
          const written = await writeVerified(
            source,
            checked,
            folder,
            inputDigest,
            local && target,
          );
          assertNothingLost(published && tooMuchLost(published, written.manifest, settings));
          await showChanges(published, written.manifest, folder);
          return written;
        });
        recordSource(target, report.manifest.id, settings.exportFile);
        if (settings.isDefaultSite)
          say(
            `URLs in it begin with ${settings.siteUrl}, for use on this machine. To publish it, name the site: --site-url https://...`,
          );
        say(
          `${out}: ${summaryOf(report)} in ${seconds()} s; snapshot ${report.manifest.id.slice(0, 12)}`,
        );
        return report.manifest;
      }),
    );
  }

  /** Shows what a build would change. It writes to a temporary folder, so it may run beside a build. */
  function dryRun(): Promise<SnapshotManifest> {
    const { out } = settings;
    assertReplaceable(out);
    return withExport(async (source, checked) => {
      const published = await comparedWith(localSnapshot(out));
      const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
      return withCleanUp(
        () => removeFolder(folder),
        async () => {
          const inputDigest = digestOfInputs(source, checked);
          const { manifest } = await writeVerified(source, checked, folder, inputDigest, undefined);
          await hooks.summary.changes(published, manifest, folder);
          for (const line of await changeLines(published, manifest, folder)) say(line);
          for (const loss of published === undefined
            ? []
            : [
                tooManyRemovals(published, checked.postIds, settings),
                tooMuchLost(published, manifest, settings),
              ])
            if (loss !== undefined) warn(`a build would stop: ${loss}`);
          say("nothing was published.");
          return manifest;
        },
      );
    });
  }

  function sayDiskSpace(posts: number, folder: string): void {
    const { line, warning } = diskLines(settings.exportFile, posts, folder);
    if (line !== undefined) say(line);
    if (warning !== undefined) warn(warning);
  }

  function say(line: string): void {
    io.stdout.write(`${line}\n`);
  }

  function warn(warning: string): void {
    io.stderr.write(`warning: ${warning}\n`);
  }

  function seconds(): string {
    return ((performance.now() - started) / 1000).toFixed(1);
  }

  /** Opens and checks the export, and works with it. */
  async function withExport<T>(
    work: (source: Export, checked: CheckResult) => Promise<T>,
  ): Promise<T> {
    const { exportFile, isSample } = settings;
    say(`export: ${exportFile}${isSample ? " (the sample; name yours with --export FILE)" : ""}`);
    const source = openExport(exportFile);
    try {
      return await work(source, check(source));
    } finally {
      source.close();
    }
  }

  /** Checks every row and reports the problems. @throws Failure when they stop the build */
  function check(source: Export): CheckResult {
    const { exportFile, out, report, strict } = settings;
    const step = progress.step("check", "rows", undefined);
    const checked = checkExport(source, step.update);
    step.done();
    const { problems, rows } = checked;
    hooks.summary.problems(problems);
    if (report !== undefined) writeReport(report, exportFile, rows, problems);
    for (const notice of source.notices) io.stderr.write(`note: ${printable(notice)}\n`);
    for (const line of problemLines(problems)) io.stderr.write(`${line}\n`);
    const errors = problems.filter(({ severity }) => severity === "error").length;
    if (checked.postIds.size === 0 && !settings.allowEmpty)
      throw new Failure(
        `build stopped: ${exportFile} has no posts; ${out} is unchanged. If that is right, allow it with --allow-empty.`,
      );
    if ((strict ? problems.length : errors) > 0)
      throw new Failure(
        `build stopped: ${counted(errors, "errors")} and ${counted(problems.length - errors, "warnings")} in ${exportFile}; ${out} is unchanged.`,
      );
    return checked;
  }

  /**
   * The snapshot to compare with: the live one where one is named, else the one in the target, unless it was
   * built from another export, such as the sample.
   */
  async function comparedWith(
    found: ComparedSnapshot | undefined,
  ): Promise<ComparedSnapshot | undefined> {
    const { against, exportFile, out } = settings;
    const other =
      against === undefined && found !== undefined
        ? otherSource(found, out, exportFile)
        : undefined;
    if (other !== undefined)
      say(
        `${out} holds a snapshot of another export, ${printable(other)}. Nothing of it counts as lost.`,
      );
    const local = other === undefined ? found : undefined;
    const published = against === undefined ? local : await liveSnapshot(against);
    if (against !== undefined && published === undefined)
      say(`${against} answers 404: nothing is published there yet to compare with`);
    if (published !== undefined && !isCurrent(published.manifest)) say(otherVersionLine(published));
    return published;
  }

  /** @param loss what the build would lose beyond the limits, in words */
  function assertNothingLost(loss: string | undefined): void {
    if (loss !== undefined) throw new Failure(`build stopped: ${loss}`);
  }

  /** Shows the changes where they were asked for. @param folder where the new snapshot's files are */
  async function showChanges(
    published: ComparedSnapshot | undefined,
    manifest: SnapshotManifest,
    folder: string,
  ): Promise<void> {
    await hooks.summary.changes(published, manifest, folder);
    if (hooks.showsChanges !== true) return;
    for (const line of await changeLines(published, manifest, folder)) say(line);
  }

  /** The option, else what the export brings with it, else the usual one. */
  function postUrlTemplate({ postUrl }: Export): string {
    return settings.postUrlTemplate ?? postUrl ?? defaultPostUrl;
  }

  /** Digest of everything that the snapshot follows from. */
  function digestOfInputs(source: Export, { digest, postIds }: CheckResult): string {
    const { siteUrl, bulk, placement, postFiles } = settings;
    const files = Math.min(postFiles, postIds.size);
    const options = [siteUrl, postUrlTemplate(source), bulk, placement, files];
    return sha256(JSON.stringify([digest, ...options, programDigest()]));
  }

  /** Writes a snapshot into a folder and reads it back. */
  async function writeVerified(
    source: Export,
    { postIds, publishedComments }: CheckResult,
    folder: string,
    inputDigest: string,
    reuse: string | undefined,
  ): Promise<SnapshotReport> {
    const { siteUrl, bulk, placement, postFiles } = settings;
    const postUrl = postUrlFrom(postUrlTemplate(source), siteUrl);
    const options = { siteUrl, postUrl, placement, postFiles, inputDigest, reuse, bulk };
    const report = await writeSnapshot(source, folder, options, progress);
    source.assertUnchanged();
    collectGarbage();
    const expected = { posts: postIds.size, comments: publishedComments };
    const problems = await problemsOfSnapshot(folder, progress, expected);
    if (problems.length > 0)
      throw new Failure(
        `build stopped: what was written does not read back as it should. Please report this.\n${problems.join("\n")}`,
      );
    const warnings = [
      ...directoryWarnings(listedFiles(report.manifest)),
      ...sizeWarnings(report.index),
      ...answerWarnings(report.answers),
    ];
    for (const warning of warnings) warn(warning);
    return report;
  }

  return { publish, dryRun };
}

/** Writes all problems as JSON, one a line: together they may be longer than a string can be. */
function writeReport(
  file: string,
  exportFile: string,
  rows: CheckResult["rows"],
  problems: CheckResult["problems"],
): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, "w");
  } catch (error) {
    throw new Failure(`build stopped: --report cannot be written: ${(error as Error).message}`);
  }
  try {
    const head = JSON.stringify({ export: exportFile, rows }).slice(0, -1);
    writeSync(descriptor, `${head},"problems":[`);
    for (const [i, problem] of problems.entries())
      writeSync(descriptor, `${i === 0 ? "" : ","}\n${JSON.stringify(problem)}`);
    writeSync(descriptor, "\n]}\n");
  } finally {
    closeSync(descriptor);
  }
}
