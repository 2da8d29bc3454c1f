/** What a build or a release says: on the terminal, and in Markdown for the page of its run on GitHub. */
import { appendFileSync } from "node:fs";
import type { CommandIo } from "../cli/io.ts";
import { besideBars, progressOn, type Progress } from "../cli/progress.ts";
import { formatNumber } from "../lib/text.ts";
import type { Problem } from "../export/problems.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { totalLabels, totalNames } from "../snapshot/totals.ts";
import { compareSnapshots } from "./diff.ts";

/** Characters of a text that a summary shows. */
const maxTextLength = 4000;

/**
 * Escapes all ASCII punctuation of a text as character references. Markdown shows these as the characters themselves,
 * and never reads them as emphasis, a link, a mention or a tag.
 */
const escapeMarkdown = (text: string): string =>
  text
    .slice(0, maxTextLength)
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ")
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/**
 * A text without the ids of deploys, of which the beginning stays. Who knows one can read that deploy, with all that
 * was taken down since, at a URL of its own.
 */
const redactDeployIds = (text: string): string =>
  text.replace(/\b([0-9a-f]{8})[0-9a-f]{16}\b/g, "$1…");

/** The same streams; where everyone may read them, as those of a public repository's runs, without the ids of deploys. */
export function redactIo(io: CommandIo): CommandIo {
  if (io.env["GITHUB_ACTIONS"] !== "true") return io;
  const redact = (stream: CommandIo["stdout"]): CommandIo["stdout"] => ({
    write: (text: string) => stream.write(redactDeployIds(text)),
  });
  return { stdout: redact(io.stdout), stderr: redact(io.stderr), env: io.env };
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

  /** Says a line of the result, on standard output. */
  readonly log = (line: string): void => {
    besideBars(() => this.io.stdout.write(`${line}\n`));
  };

  /** Says a line beside the result, on standard error. */
  readonly info = (line: string): void => {
    besideBars(() => this.io.stderr.write(`${line}\n`));
  };

  warn(warning: string): void {
    this.info(`warning: ${warning}`);
  }

  /** Adds lines to the summary. */
  addToSummary(...lines: readonly string[]): void {
    this.#sections.push(lines.map(escapeMarkdown).join("\n\n"));
  }

  /** Adds a table of the totals before and now, of posts that changed, and of rows with problems. */
  addTable(
    before: SnapshotManifest | undefined,
    after: SnapshotManifest,
    problems: readonly Problem[],
  ): void {
    const { added, changed, removed } = compareSnapshots(before, after);
    const rows: readonly (readonly [string, number | undefined, number])[] = [
      ...totalNames.map(
        (name) => [totalLabels[name], before?.counts[name], after.counts[name] ?? 0] as const,
      ),
      ["posts added", undefined, added.length],
      ["posts changed", undefined, changed.length],
      ["posts removed", undefined, removed.length],
      ["rows with problems", undefined, problems.length],
    ];
    const cell = (value: number | undefined): string =>
      value === undefined ? "" : formatNumber(value);
    const lines = rows.map(([name, was, is]) => `| ${name} | ${cell(was)} | ${cell(is)} |`);
    this.#sections.push(["| | before | now |", "|---|---|---|", ...lines].join("\n"));
  }

  /**
   * Writes the summary below a heading.
   *
   * @param outcome what a reader wants to know first, in a sentence
   */
  writeSummary(heading: string, outcome: string): void {
    if (this.#file === undefined) return;
    const text = [`## ${heading}`, escapeMarkdown(outcome), ...this.#sections].join("\n\n");
    try {
      appendFileSync(this.#file, `${redactDeployIds(text)}\n\n`);
    } catch (error) {
      // What was done is done.
      this.warn(`the summary cannot be written: ${(error as Error).message}`);
    }
  }
}
