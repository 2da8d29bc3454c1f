/** npm run pull: reads a running site, or files of posts, and writes an export. */
import "./cli/node-version.ts";
import { setTimeout } from "node:timers/promises";
import { defineCommand, runAsMain, UsageError, type Values } from "./cli/command.ts";
import type { CommandIo } from "./cli/io.ts";
import { pluralize } from "./lib/text.ts";
import { besideBars, progressOn } from "./cli/progress.ts";
import { writeCanonicalFile } from "./pull/canonical-file.ts";
import { problemLines } from "./export/problems.ts";
import { csvSource } from "./pull/csv.ts";
import { d1Source } from "./pull/d1.ts";
import { webUrl } from "./pull/answer.ts";
import { jsonlSource } from "./pull/jsonl.ts";
import type { ClientEdges } from "./pull/rate-limited-client.ts";
import type { PullTools, Source } from "./pull/source.ts";
import { wordpressSource } from "./pull/wordpress.ts";

/** What a pull does outside its own process, but for what it prints. */
type Edges = Omit<ClientEdges, "say"> & Pick<PullTools, "stdin">;

const options = {
  d1: { type: "string", value: "NAME", help: "name or ID of a Cloudflare D1 database" },
  wordpress: { type: "string", value: "URL", help: "home page of a WordPress site" },
  jsonl: {
    type: "strings",
    value: "FILE|URL…",
    help: "JSON Lines, a post a line in the API's own names, plain or gzip; - is standard input",
  },
  csv: {
    type: "string",
    value: "FILE|URL",
    help: "CSV of posts; the header names post_id, post_title, post_content_html or _text, post_date_gmt, tags …",
  },
  comments: { type: "string", value: "FILE|URL", help: "CSV of the comments, beside --csv" },
  encoding: {
    type: "string",
    value: "CHARSET",
    default: "utf-8",
    help: "charset of CSV, such as shift_jis",
  },
  categories: { type: "boolean", help: "make tags of a WordPress site's categories, too" },
  out: {
    type: "string",
    value: "FILE",
    default: "data/export.sqlite",
    help: "file to write; it is replaced when the new one is complete",
  },
} as const;

const pullCommand = defineCommand({
  name: "pull",
  summary: `Reads a running site, or files of posts, and writes an export in the canonical shape, where build and
release find it. A site stays up. docs/your-data.md says which way is for whom. For D1, CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN (permission D1: Read), in the
environment, name the account and prove the right to read. A WordPress site needs no key: what a guest
sees is read over its REST API.`,
  options,
});

/**
 * The source that the options name.
 *
 * @throws UsageError where they name none, two, or one that cannot be read
 */
function selectSource(values: Omit<Values<typeof options>, "out">, tools: PullTools): Source {
  const { d1, wordpress, jsonl, csv, comments, encoding, categories } = values;
  if ([d1, wordpress, jsonl, csv].filter((one) => one !== undefined).length !== 1)
    throw new UsageError(
      "Name one source: --d1 NAME, --wordpress URL, --jsonl FILE|URL… or --csv FILE.",
    );
  if (csv !== undefined) return csvSource({ posts: csv, comments, encoding }, tools);
  if (comments !== undefined) throw new UsageError("--comments goes with --csv.");
  if (d1 !== undefined) return d1Source(d1, tools);
  if (jsonl !== undefined) return jsonlSource(jsonl, tools);
  const site = webUrl(wordpress ?? "");
  if (site !== undefined) return wordpressSource(site.href, categories, tools);
  // The value is not shown: it may hold a password.
  throw new UsageError(
    "--wordpress must be a URL that begins with http:// or https://, without a user name and a password, such as https://blog.example.",
  );
}

const edges: Edges = {
  fetch,
  wait: setTimeout,
  now: () => performance.now(),
  stdin: () => process.stdin,
};

/**
 * Pulls.
 *
 * @returns the exit code
 */
export const pull = (
  args: readonly string[],
  io: CommandIo,
  outside: Partial<Edges> = {},
): Promise<number> =>
  pullCommand.run(args, io, async ({ out, ...values }) => {
    const say = (line: string): void => besideBars(() => void io.stdout.write(`${line}\n`));
    const progress = progressOn(io.stderr);
    const source = selectSource(values, { ...edges, ...outside, env: io.env, say, progress });
    const { rows, problems, lines } = await writeCanonicalFile(out, source.collect);
    for (const line of problemLines(problems)) io.stderr.write(`${line}\n`);
    for (const line of lines) say(line);
    const tables = ["posts", "comments", "tags"] as const;
    const counts = tables.map((table) => pluralize(rows[table] ?? 0, table));
    say(`${out}: ${counts.join(", ")} from ${source.name}`);
    return 0;
  });

await runAsMain(import.meta.filename, pull);
