/** What `npm run build` does: reads an export, checks it, writes a snapshot and puts it in place. */
import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure, type CommandIo } from "../cli/command.ts";
import { counted } from "../lib/format-number.ts";
import { progressOn, type Progress } from "../cli/progress.ts";
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
import { assertRuntime, directoryWarnings, sizeWarnings } from "./platform-limits.ts";
import { liveSnapshot, localSnapshot, type ComparedSnapshot } from "./compared-snapshot.ts";
import { assertReplaceable, removeFolder, replaceSnapshot, withTarget } from "./replace-folder.ts";
import { StepSummary } from "./step-summary.ts";
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
    const summary = new StepSummary(io);
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
    const run = new Build(settingsFrom(values, io.env), io, hooks);
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
class Build {
  readonly #settings: Settings;
  readonly #hooks: BuildHooks;
  readonly #io: CommandIo;
  readonly #progress: Progress;
  readonly #started = performance.now();

  constructor(settings: Settings, io: CommandIo, hooks: BuildHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
    this.#io = io;
    this.#progress = progressOn(io.stderr);
  }

  /** Builds the snapshot and puts it in place. */
  publish(): Promise<SnapshotManifest> {
    const { out } = this.#settings;
    return withTarget(out, (target) =>
      this.#withExport(async (source, checked) => {
        const local = localSnapshot(out);
        const published = await this.#published(local);
        this.#assertNothingLost(
          published && tooManyRemovals(published, checked.postIds, this.#settings),
        );
        const inputDigest = this.#inputDigest(source, checked);
        const current = upToDate(local, inputDigest);
        if (current !== undefined) {
          this.#assertNothingLost(published && tooMuchLost(published, current, this.#settings));
          const id = current.id.slice(0, 12);
          await this.#showChanges(published, current, out);
          this.#say(`${out}: nothing changed since snapshot ${id}; ${this.#seconds()} s`);
          recordSource(target, current.id, this.#settings.exportFile);
          return current;
        }
        this.#sayDiskSpace(checked.postIds.size, dirname(target));
        const report = await replaceSnapshot(target, async (folder) => {
          const written = await this.#writeVerified(
            source,
            checked,
            folder,
            inputDigest,
            local && target,
          );
          this.#assertNothingLost(
            published && tooMuchLost(published, written.manifest, this.#settings),
          );
          await this.#showChanges(published, written.manifest, folder);
          return written;
        });
        recordSource(target, report.manifest.id, this.#settings.exportFile);
        if (this.#settings.isDefaultSite)
          this.#say(
            `URLs in it begin with ${this.#settings.siteUrl}, for use on this machine. To publish it, name the site: --site-url https://...`,
          );
        this.#say(
          `${out}: ${summaryOf(report)} in ${this.#seconds()} s; snapshot ${report.manifest.id.slice(0, 12)}`,
        );
        return report.manifest;
      }),
    );
  }

  /** Shows what a build would change. It writes to a temporary folder, so it may run beside a build. */
  dryRun(): Promise<SnapshotManifest> {
    const { out } = this.#settings;
    assertReplaceable(out);
    return this.#withExport(async (source, checked) => {
      const published = await this.#published(localSnapshot(out));
      const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
      return withCleanUp(
        () => removeFolder(folder),
        async () => {
          const inputDigest = this.#inputDigest(source, checked);
          const { manifest } = await this.#writeVerified(
            source,
            checked,
            folder,
            inputDigest,
            undefined,
          );
          await this.#hooks.summary.changes(published, manifest, folder);
          for (const line of await changeLines(published, manifest, folder)) this.#say(line);
          for (const loss of published === undefined
            ? []
            : [
                tooManyRemovals(published, checked.postIds, this.#settings),
                tooMuchLost(published, manifest, this.#settings),
              ])
            if (loss !== undefined) this.#warn(`a build would stop: ${loss}`);
          this.#say("nothing was published.");
          return manifest;
        },
      );
    });
  }

  #sayDiskSpace(posts: number, folder: string): void {
    const { line, warning } = diskLines(this.#settings.exportFile, posts, folder);
    if (line !== undefined) this.#say(line);
    if (warning !== undefined) this.#warn(warning);
  }

  #say(line: string): void {
    this.#io.stdout.write(`${line}\n`);
  }

  #warn(warning: string): void {
    this.#io.stderr.write(`warning: ${warning}\n`);
  }

  #seconds(): string {
    return ((performance.now() - this.#started) / 1000).toFixed(1);
  }

  /** Opens and checks the export, and works with it. */
  async #withExport<T>(work: (source: Export, checked: CheckResult) => Promise<T>): Promise<T> {
    const { exportFile, isSample } = this.#settings;
    this.#say(
      `export: ${exportFile}${isSample ? " (the sample; name yours with --export FILE)" : ""}`,
    );
    const source = openExport(exportFile);
    try {
      return await work(source, this.#check(source));
    } finally {
      source.close();
    }
  }

  /** Checks every row and reports the problems. @throws Failure when they stop the build */
  #check(source: Export): CheckResult {
    const { exportFile, out, report, strict } = this.#settings;
    const step = this.#progress.step("check", "rows", undefined);
    const checked = checkExport(source, step.update);
    step.done();
    const { problems, rows } = checked;
    this.#hooks.summary.problems(problems);
    if (report !== undefined) writeReport(report, exportFile, rows, problems);
    for (const notice of source.notices) this.#io.stderr.write(`note: ${printable(notice)}\n`);
    for (const line of problemLines(problems)) this.#io.stderr.write(`${line}\n`);
    const errors = problems.filter(({ severity }) => severity === "error").length;
    if (checked.postIds.size === 0 && !this.#settings.allowEmpty)
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
  async #published(found: ComparedSnapshot | undefined): Promise<ComparedSnapshot | undefined> {
    const { against, exportFile, out } = this.#settings;
    const other =
      against === undefined && found !== undefined
        ? otherSource(found, out, exportFile)
        : undefined;
    if (other !== undefined)
      this.#say(
        `${out} holds a snapshot of another export, ${printable(other)}. Nothing of it counts as lost.`,
      );
    const local = other === undefined ? found : undefined;
    const published = against === undefined ? local : await liveSnapshot(against);
    if (against !== undefined && published === undefined)
      this.#say(`${against} answers 404: nothing is published there yet to compare with`);
    if (published !== undefined && !isCurrent(published.manifest))
      this.#say(otherVersionLine(published));
    return published;
  }

  /** @param loss what the build would lose beyond the limits, in words */
  #assertNothingLost(loss: string | undefined): void {
    if (loss !== undefined) throw new Failure(`build stopped: ${loss}`);
  }

  /** Shows the changes where they were asked for. @param folder where the new snapshot's files are */
  async #showChanges(
    published: ComparedSnapshot | undefined,
    manifest: SnapshotManifest,
    folder: string,
  ): Promise<void> {
    await this.#hooks.summary.changes(published, manifest, folder);
    if (this.#hooks.showsChanges !== true) return;
    for (const line of await changeLines(published, manifest, folder)) this.#say(line);
  }

  /** The option, else what the export brings with it, else the usual one. */
  #postUrlTemplate({ postUrl }: Export): string {
    return this.#settings.postUrlTemplate ?? postUrl ?? defaultPostUrl;
  }

  /** Digest of everything that the snapshot follows from. */
  #inputDigest(source: Export, { digest, postIds }: CheckResult): string {
    const { siteUrl, bulk, placement, postFiles } = this.#settings;
    const files = Math.min(postFiles, postIds.size);
    const options = [siteUrl, this.#postUrlTemplate(source), bulk, placement, files];
    return sha256(JSON.stringify([digest, ...options, programDigest()]));
  }

  /** Writes a snapshot into a folder and reads it back. */
  async #writeVerified(
    source: Export,
    { postIds, publishedComments }: CheckResult,
    folder: string,
    inputDigest: string,
    reuse: string | undefined,
  ): Promise<SnapshotReport> {
    const { siteUrl, bulk, placement, postFiles } = this.#settings;
    const postUrl = postUrlFrom(this.#postUrlTemplate(source), siteUrl);
    const options = { siteUrl, postUrl, placement, postFiles, inputDigest, reuse, bulk };
    const report = await writeSnapshot(source, folder, options, this.#progress);
    source.assertUnchanged();
    collectGarbage();
    const expected = { posts: postIds.size, comments: publishedComments };
    const problems = await problemsOfSnapshot(folder, this.#progress, expected);
    if (problems.length > 0)
      throw new Failure(
        `build stopped: what was written does not read back as it should. Please report this.\n${problems.join("\n")}`,
      );
    const warnings = [
      ...directoryWarnings(listedFiles(report.manifest)),
      ...sizeWarnings(report.index),
    ];
    for (const warning of warnings) this.#warn(warning);
    return report;
  }
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
