/**
 * Programs that make each call, for curl, JavaScript and Python. `programs/` has a file for each; words in capitals stand
 * for a site's own values. A test runs every program as the page shows it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { downloads, paths } from "../../../functions/contract/http.ts";
import { html, type Markup } from "./html.ts";
import type { Translate } from "./languages.ts";

/** The values of a site. */
export interface SampleValues {
  /** Origin of the API, without a trailing slash. */
  readonly siteUrl: string;
  /** A keyword, for a search. */
  readonly q?: string;
  readonly postId?: number;
  /** Path of a file for bulk download: the only one, or the first part. */
  readonly bulkFile?: string;
}

/** A URL, percent-encoded as a shell's single quotes need it. */
export const encoded = (url: string): string => new URL(url).href.replaceAll("'", "%27");

/** What each call or download asks the site for, and what a shell does with the answer. */
const asked = {
  search: ({ q = "" }) => [`${paths.search}?${new URLSearchParams({ q, pageSize: "2" })}`],
  post: ({ postId }) => [`${paths.posts}${postId}`],
  openapi: () => [paths.openapi],
  bulk: ({ bulkFile }) => [`/${bulkFile}`, " | gunzip | head -n 1"],
  feed: () => [downloads.feed],
} as const satisfies Record<string, (values: SampleValues) => readonly [string, string?]>;

/** A call or download that has programs. */
export type SampledCall = keyof typeof asked;

/**
 * The program in a file of `programs/`, with a site's values.
 *
 * @returns undefined where there is no such file: the language would need a package for it
 */
export function sampleProgram(
  file: string,
  { siteUrl, q = "", postId }: SampleValues,
): string | undefined {
  const path = join(import.meta.dirname, "../programs", file);
  if (!existsSync(path)) return undefined;
  const values: Readonly<Record<string, string>> = {
    SITE: siteUrl,
    // As both JavaScript and Python write a text.
    KEYWORD: JSON.stringify(q).slice(1, -1),
    POST_ID: String(postId),
  };
  return readFileSync(path, "utf8")
    .trimEnd()
    .replace(/SITE|KEYWORD|POST_ID/g, (word) => values[word] ?? word);
}

/** Programs of a call, folded up until they are wanted. */
export function codeSamplesOf(t: Translate, call: SampledCall, values: SampleValues): Markup {
  const [path, use = ""] = asked[call](values);
  const samples = Object.entries({
    curl: `curl '${encoded(values.siteUrl + path)}'${use}`,
    JavaScript: sampleProgram(`${call}.js`, values),
    Python: sampleProgram(`${call}.py`, values),
  }).filter(([, text]) => text !== undefined);
  return html`<div class="samples">
    ${samples.map(
      ([language, text]) =>
        html`<details>
          <summary>${language}</summary>
          <pre
            tabindex="0"
            role="group"
            aria-label="${t("Samples")}: ${language}"
            data-sample="${call} ${language}"
          ><code>${text}</code></pre>
        </details>`,
    )}
  </div>`;
}
