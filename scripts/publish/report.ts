/** What a build or a release says: on the terminal, and in Markdown for the page of its run on GitHub. */
import { appendFileSync } from "node:fs";
import type { CommandIo } from "../cli/command.ts";
import { besideBars, progressOn, type Progress } from "../cli/progress.ts";
import { firstOf, listedAtMost } from "../lib/first-of.ts";
import { counted, formatted } from "../lib/format-number.ts";
import type { Problem } from "../export/problems.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { PostReader } from "../snapshot/read-posts.ts";
import { totalNames } from "../snapshot/totals.ts";
import type { ComparedSnapshot } from "./compared-snapshot.ts";
import { changesBetween } from "./diff.ts";

/** Characters of a sentence that says why something failed, and what to do. */
export const longestReason = 4000;

/**
 * A text that a user wrote, with all ASCII punctuation as character references. Markdown shows these as the
 * characters themselves, and never reads them as emphasis, a link, a mention or a tag.
 *
 * @param longest characters of it that are shown
 */
export const asData = (text: string, longest = 200): string =>
  text
    .slice(0, longest)
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ")
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/**
 * A text without the ids of deploys, of which the beginning stays. Who knows one can read that deploy, with all that
 * was taken down since, at a URL of its own.
 */
const withoutDeployIds = (text: string): string =>
  text.replace(/\b([0-9a-f]{8})[0-9a-f]{16}\b/g, "$1…");

/** The same streams; where everyone may read them, as those of a public repository's runs, without the ids of deploys. */
export function publicIo(io: CommandIo): CommandIo {
  if (io.env["GITHUB_ACTIONS"] !== "true") return io;
  const without = (stream: CommandIo["stdout"]): CommandIo["stdout"] => ({
    write: (text: string) => stream.write(withoutDeployIds(text)),
  });
  return { stdout: without(io.stdout), stderr: without(io.stderr), env: io.env };
}

/**
 * Says lines at once, and gathers sections of a summary, which it appends to the file that GitHub names
 * (GITHUB_STEP_SUMMARY). Elsewhere there is no summary.
 */
export class Report {
  readonly io: CommandIo;
  readonly progress: Progress;
  readonly #file: string | undefined;
  readonly #sections: string[] = [];

  constructor(io: CommandIo) {
    this.io = io;
    this.progress = progressOn(io.stderr);
    this.#file = io.env["GITHUB_STEP_SUMMARY"] || undefined;
  }

  /** Says a line of the result. */
  say(line: string): void {
    besideBars(() => this.io.stdout.write(`${line}\n`));
  }

  /** Says a line beside the result. */
  note(line: string): void {
    besideBars(() => this.io.stderr.write(`${line}\n`));
  }

  warn(warning: string): void {
    this.note(`warning: ${warning}`);
  }

  /** Whether there is a summary. */
  get hasSummary(): boolean {
    return this.#file !== undefined;
  }

  /** Adds a line to the summary, or several. */
  addToSummary(...lines: readonly string[]): void {
    this.#sections.push(lines.join("\n"));
  }

  /** Adds the rows with problems, by kind. */
  problems(found: readonly Problem[]): void {
    const kinds = Map.groupBy(
      found,
      ({ severity, table, rule }) => `${severity} | ${table} | ${rule}`,
    );
    if (kinds.size === 0) return;
    this.addToSummary(
      "| rows with problems | table | rule | number |\n|---|---|---|---|",
      ...[...kinds].map(([kind, all]) => `| ${kind} | ${formatted(all.length)} |`),
    );
  }

  /** Adds totals before and after, and the posts that came, changed and went. @param folder of the new snapshot */
  async changes(
    published: ComparedSnapshot | undefined,
    manifest: SnapshotManifest,
    folder: string,
  ): Promise<void> {
    if (!this.hasSummary) return;
    const before = published?.manifest;
    this.addToSummary(
      "| | before | now |\n|---|---|---|",
      ...totalNames.map((name) => {
        const cells = [before, manifest].map((one) => one?.counts[name]);
        return `| ${[name, ...cells.map((n) => (n === undefined ? "" : formatted(n)))].join(" | ")} |`;
      }),
    );
    const { added, changed, removed } = changesBetween(before, manifest);
    const reader = new PostReader(folder);
    const now = (id: number): string => reader.post(id).postTitle;
    for (const [word, ids, titleOf] of [
      ["added", added, now],
      ["edited", changed, now],
      // By their ids alone: what was taken down must not stay on a public page.
      ["removed", removed, undefined],
    ] as const) {
      if (ids.length === 0) continue;
      const lines = ids
        .slice(0, listedAtMost)
        .map((id) => (titleOf === undefined ? String(id) : `${id}: ${asData(titleOf(id))}`));
      const heading = `**${counted(ids.length, "posts")} ${word}**\n`;
      this.addToSummary(heading, ...firstOf(lines, "- ", ids.length));
    }
  }

  /** Writes the summary below a heading. @param outcome what a reader wants to know first, in a sentence */
  writeSummary(heading: string, outcome: string): void {
    if (this.#file === undefined) return;
    const text = [`## ${heading}`, asData(outcome, longestReason), ...this.#sections].join("\n\n");
    try {
      appendFileSync(this.#file, `${withoutDeployIds(text)}\n\n`);
    } catch (error) {
      // What was done is done.
      this.warn(`the summary cannot be written: ${(error as Error).message}`);
    }
  }
}
