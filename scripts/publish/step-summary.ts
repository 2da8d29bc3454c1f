/** What a build or a release did, in Markdown, for the page of the run on GitHub (GITHUB_STEP_SUMMARY). */
import { appendFileSync } from "node:fs";
import type { CommandIo } from "../cli/command.ts";
import { firstOf } from "../lib/first-of.ts";
import { counted, number } from "../lib/format-number.ts";
import type { Problem } from "../export/problems.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { PostReader } from "../snapshot/read-posts.ts";
import { totalNames } from "../snapshot/totals.ts";
import type { ComparedSnapshot } from "./compared-snapshot.ts";
import { changesBetween } from "./diff.ts";

/** Posts that are named. */
const listed = 20;

/**
 * A text that a user wrote, with all ASCII punctuation as character references. Markdown shows these as the
 * characters themselves, and never reads them as emphasis, a link, a mention or a tag.
 */
export const asData = (text: string): string =>
  text
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ")
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Gathers sections, and appends them to the file that GitHub names; does nothing elsewhere. */
export function createStepSummary({ env, stderr }: Pick<CommandIo, "env" | "stderr">) {
  const file = env["GITHUB_STEP_SUMMARY"] || undefined;
  const sections: string[] = [];

  /** Adds a line, or several. */
  function add(...lines: readonly string[]): void {
    sections.push(lines.join("\n"));
  }

  /** The rows with problems, by kind. */
  function problems(found: readonly Problem[]): void {
    const kinds = Map.groupBy(
      found,
      ({ severity, table, rule }) => `${severity} | ${table} | ${rule}`,
    );
    if (kinds.size === 0) return;
    add(
      "| rows with problems | table | rule | number |\n|---|---|---|---|",
      ...[...kinds].map(([kind, all]) => `| ${kind} | ${number(all.length)} |`),
    );
  }

  /** Totals before and after, and the posts that came, changed and went. @param folder of the new snapshot */
  async function changes(
    published: ComparedSnapshot | undefined,
    manifest: SnapshotManifest,
    folder: string,
  ): Promise<void> {
    if (file === undefined) return;
    const before = published?.manifest;
    add(
      "| | before | now |\n|---|---|---|",
      ...totalNames.map((name) => {
        const was = before?.counts[name];
        return `| ${name} | ${was === undefined ? "" : number(was)} | ${number(manifest.counts[name])} |`;
      }),
    );
    const { added, changed, removed } = changesBetween(before, manifest);
    const reader = new PostReader(folder);
    const now = (id: number): string => reader.post(id).postTitle;
    for (const [word, ids, titleOf] of [
      ["added", added, now],
      ["edited", changed, now],
      ["removed", removed, async (id: number) => (await published?.readPost(id))?.postTitle ?? ""],
    ] as const) {
      if (ids.length === 0) continue;
      const lines = await Promise.all(
        ids.slice(0, listed).map(async (id) => `${id}: ${asData(await titleOf(id))}`),
      );
      const heading = `**${counted(ids.length, "posts")} ${word}**\n`;
      add(heading, ...firstOf(lines, listed, "- ", ids.length));
    }
  }

  /** Writes everything below a heading. @param outcome what a reader wants to know first, in a sentence */
  function write(heading: string, outcome: string): void {
    if (file === undefined) return;
    const text = [`## ${heading}`, asData(outcome), ...sections].join("\n\n");
    try {
      appendFileSync(file, `${text}\n\n`);
    } catch (error) {
      // What was done is done.
      stderr.write(`warning: the summary cannot be written: ${(error as Error).message}\n`);
    }
  }

  /** Whether anybody reads it. */
  const isWanted = file !== undefined;
  return { add, problems, changes, write, isWanted };
}

export type StepSummary = ReturnType<typeof createStepSummary>;
