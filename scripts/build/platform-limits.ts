/** What Netlify accepts, and what to say when a snapshot is larger. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { mcpPath, postFile } from "../../functions/contract/http.ts";
import { platform } from "../../functions/contract/platform.ts";
import { Failure } from "../cli/command.ts";
import { pluralize, formatNumber } from "../lib/text.ts";
import type { AnswerSizes } from "../snapshot/largest-answers.ts";
import type { IndexSize } from "../snapshot/write-snapshot.ts";

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * What to say of directories with many files.
 *
 * @param listed all files that are published, by path
 */
export function directoryWarnings(
  listed: Iterable<readonly [path: string, digest: string]>,
): string[] {
  const files = new Map<string, number>();
  for (const [path] of listed) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
  return [...files]
    .filter(([, count]) => count > platform.filesInDirectory)
    .map(
      ([folder, count]) =>
        `${folder}/ has ${formatNumber(count)} files; Netlify accepts ${formatNumber(platform.filesInDirectory)} in one directory. ` +
        (folder === dirname(postFile(1))
          ? "Give fewer posts files of their own, with --post-files N."
          : "Serve a copy of this folder from a host without this limit, and name it in SEARCH_BLOCKS_URL."),
    );
}

/** What to say of a search index of this size. */
export const sizeWarnings = ({ bytes, zippedBytes }: IndexSize): string[] =>
  zippedBytes <= platform.functionZipped && bytes <= platform.functionUnzipped
    ? []
    : [
        `the search index takes ${megabytes(zippedBytes)} zipped and ${megabytes(bytes)} unzipped; ` +
          `a function carries ${megabytes(platform.functionZipped)} and ${megabytes(platform.functionUnzipped)}. ` +
          "A deploy to Netlify would be refused; a server of your own can serve this snapshot.",
      ];

/**
 * What to say of files that only their owner may read. The function's archive keeps permissions, and AWS runs it as
 * another user, so it "requires global read permissions" (AWS Lambda, "Deploying Lambda functions as .zip file archives").
 */
export function permissionWarnings(files: readonly string[]): string[] {
  const closed = files.filter((file) => {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o444;
    return (mode & 0o004) === 0;
  });
  const [first, ...others] = closed;
  return first === undefined
    ? []
    : [
        `other users may not read ${first}${others.length === 0 ? "" : ` and ${pluralize(others.length, "files")} more`}, nor could the function on Netlify, to which permissions go along. ` +
          "Run this, then release from the same shell: umask 022; chmod -R go+rX package.json functions node_modules dist",
      ];
}

/** What to say of answers that are larger than a function can give. */
export const answerWarnings = ({ search, mcp, postIds }: AnswerSizes): string[] =>
  Math.max(search, mcp) <= platform.functionAnswer
    ? []
    : [
        `a page of results can take ${megabytes(search)}, and ${megabytes(mcp)} for agents (${mcpPath}); ` +
          `a function answers with ${megabytes(platform.functionAnswer)} at most, so such a search fails on Netlify. ` +
          `Shorten titles or names of tags. Posts that take most: ${postIds.join(", ")}.`,
      ];

/** Whether this runs as a build of Netlify: there, or by `netlify deploy` or `netlify build` on a machine, not by `netlify dev`. */
export const isOnNetlify = ({
  NETLIFY,
  NETLIFY_LOCAL,
  NETLIFY_DEV,
  CONTEXT,
}: Readonly<Record<string, string | undefined>>): boolean =>
  NETLIFY === "true" ||
  (NETLIFY_LOCAL === "true" && NETLIFY_DEV !== "true" && !["dev", undefined].includes(CONTEXT));

/**
 * What to say of a runtime that functions cannot be created with.
 *
 * @param runtime for example "nodejs24.x"
 */
export function runtimeWarnings(runtime: string): string[] {
  const [, version] = /^nodejs(\d+)\.x$/.exec(runtime) ?? [];
  return version === undefined || Number(version) >= platform.oldestRuntime
    ? []
    : [
        `AWS_LAMBDA_JS_RUNTIME is ${runtime}, with which Netlify creates no functions any more: ` +
          `remove this variable in the site's settings, or set it to nodejs${platform.oldestRuntime}.x or newer.`,
      ];
}

/**
 * Refuses a build on Netlify whose settings ask for a runtime that functions cannot be created with.
 *
 * @throws Failure naming the variable and the least value
 */
export function assertRuntime(env: Readonly<Record<string, string | undefined>>): void {
  if (!isOnNetlify(env)) return;
  for (const warning of runtimeWarnings(env["AWS_LAMBDA_JS_RUNTIME"] ?? ""))
    throw new Failure(warning);
}

/** What a release takes: its deploy, and the traffic of delivering what changed once. */
export function creditLine(changedBytes: number): string {
  const { credits } = platform;
  const taken = credits.deploy + (credits.gigabyte * changedBytes) / 1e9;
  return `about ${taken.toFixed(1)} of Netlify's credits for this release; the free plan gives ${credits.freeMonth} a month`;
}
