/** The export of a build, opened and checked: its problems are reported, and some of them stop the build. */
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { completeCollection, type Collection } from "../../functions/contract/collection.ts";
import { Failure } from "../cli/command.ts";
import { checkExport, type CheckResult } from "../export/check.ts";
import { openExport, type Export } from "../export/open.ts";
import { problemLines } from "../export/problems.ts";
import { pluralize, escapeControlChars } from "../lib/text.ts";
import { readRange } from "../lib/fs.ts";
import { outputVersion, sha256, snapshotFormat } from "../snapshot/manifest.ts";
import { parseCollection, defaultCollectionFile } from "./collection-file.ts";
import { defaultPostUrl, faultOfPostUrl, isSample, type Settings } from "./options.ts";
import type { Report } from "./report.ts";

/** An export whose rows may be published. */
export interface ValidatedExport {
  readonly source: Export;
  readonly checked: CheckResult;
  /** Of the URLs of posts: the option, else what the export brings with it, else the usual one. */
  readonly postUrlTemplate: string;
  readonly collection: Collection;
  /** Digest of everything that the snapshot follows from. */
  readonly digest: string;
}

/**
 * Opens and checks the export, and works with it.
 *
 * @throws ExportError where it cannot be read; Failure where its problems stop the build
 */
export async function withValidatedExport<T>(
  settings: Settings,
  report: Report,
  work: (input: ValidatedExport) => Promise<T>,
): Promise<T> {
  const { exportFile } = settings;
  report.log(
    `export: ${exportFile}${isSample(exportFile) ? " (the sample; name yours with --export FILE)" : ""}`,
  );
  for (const file of settings.ignoredExports)
    report.warn(
      `${file} is there, too, and is not read. Remove it, or name it with --export FILE.`,
    );
  const source = openExport(exportFile);
  try {
    const step = report.progress.step("check", "rows", undefined);
    const checked = await checkExport(source, step.update);
    step.done();
    reportProblems(source, checked, settings, report);
    assertPublishable(checked, settings);
    const presented = collectionWithUrls(source, settings);
    const { title } = presented.collection;
    report.log(
      title === undefined
        ? `collection: it has no name; give it one in ${defaultCollectionFile} (docs/your-data.md)`
        : `collection: ${escapeControlChars(title.en === title.ja ? title.en : `${title.ja} / ${title.en}`)}`,
    );
    return await work({
      source,
      checked,
      ...presented,
      digest: digestInput(checked, settings, presented),
    });
  } finally {
    source.close();
  }
}

function reportProblems(
  { notices }: Export,
  { problems, rows, plainTextPosts }: CheckResult,
  { exportFile, report: file }: Settings,
  report: Report,
): void {
  if (file !== undefined) writeReport(file, exportFile, { rows, problems });
  for (const notice of notices) report.info(`note: ${escapeControlChars(notice)}`);
  for (const line of problemLines(problems)) report.info(line);
  if (plainTextPosts > 0)
    report.warn(
      `most posts have no element of HTML, so the line breaks of ${pluralize(plainTextPosts, "posts")} are shown as spaces. docs/your-data.md says how plain text becomes HTML.`,
    );
}

/**
 * @throws Failure where problems stop the build
 */
function assertPublishable({ problems, postIds }: CheckResult, settings: Settings): void {
  const { exportFile, out, strict, allowEmpty } = settings;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if ((strict ? problems.length : errors) > 0)
    throw new Failure(
      `build stopped: ${pluralize(errors, "errors")} and ${pluralize(problems.length - errors, "warnings")} in ${exportFile}; ${out} is unchanged.`,
    );
  if (postIds.size === 0 && !allowEmpty)
    throw new Failure(
      `build stopped: ${exportFile} has no posts; ${out} is unchanged. If that is right, allow it with --allow-empty.`,
    );
}

/** What is said of the collection, and where its posts are. */
type CollectionWithUrls = Pick<ValidatedExport, "collection" | "postUrlTemplate">;

/**
 * What the publisher says in the collection's file and in options, else what the export brings with it.
 *
 * @throws Failure where the export brings what cannot be used
 */
function collectionWithUrls(
  { postUrl, collection: json }: Export,
  { postUrlTemplate, collection: own, siteUrl, exportFile }: Settings,
): CollectionWithUrls {
  const place = (name: string): string => `${exportFile}: ${name} in the table export_settings`;
  const brought = json === undefined ? {} : parseCollection(json, place("collection"));
  const collection = completeCollection({ ...brought, ...own });
  const given = postUrlTemplate ?? own.postUrl;
  const template = given ?? postUrl ?? defaultPostUrl;
  const fault = faultOfPostUrl(template, siteUrl);
  if (fault !== undefined)
    throw new Failure(
      `build stopped: ${given === undefined ? place("post_url") : "postUrl of the collection"} ${fault}. Correct it, or give --post-url.`,
    );
  return { collection, postUrlTemplate: template };
}

function digestInput(
  { digest, postIds }: CheckResult,
  { siteUrl, bulk, placement, postFiles }: Settings,
  { postUrlTemplate, collection }: CollectionWithUrls,
): string {
  const files = Math.min(postFiles, postIds.size);
  const options = [siteUrl, postUrlTemplate, collection, bulk, placement, files];
  // How texts are normalised follows from the version of Unicode that Node knows.
  const versions = [outputVersion, snapshotFormat.version, process.versions["unicode"]];
  return sha256(JSON.stringify([digest, ...options, ...versions]));
}

/** Writes all problems as JSON, one a line: together they may be longer than a string can be. */
function writeReport(
  file: string,
  exportFile: string,
  { rows, problems }: Pick<CheckResult, "rows" | "problems">,
): void {
  const start = `{"export":`;
  let descriptor: number;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0 && readRange(file, 0, start.length).toString() !== start)
      throw new Error(`${file} is no report of a build, and would be lost. Name another file`);
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
