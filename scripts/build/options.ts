/** The options of `npm run build`: what they are called, and what follows from them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CollectionFile } from "../../functions/contract/collection.ts";
import { platform } from "../../functions/contract/platform.ts";
import { defineCommand, Failure, UsageError, type Values } from "../cli/command.ts";
import { httpUrl } from "../export/column-rules.ts";
import { redactUrl } from "../lib/http.ts";
import { placementOptions, type PlacementOption } from "../search-index/placement.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import type { SnapshotOptions } from "../snapshot/write-snapshot.ts";
import { defaultCollectionFile, readCollectionFile } from "./collection-file.ts";
import { defaultMaxLoss } from "./loss-guard.ts";
import type { Comparison } from "./baseline.ts";
import { isOnNetlify } from "./platform-limits.ts";
import { realPath } from "../lib/fs.ts";

/** Exports that are looked for when none is named. */
export const defaultExports = ["data/export.sqlite", "data/export.sql"] as const;
const sampleExport = "data/sample.sql";
/** Whether an export is the program's sample. */
export const isSample = (file: string): boolean => realPath(file) === realPath(sampleExport);
const defaultSite = "http://localhost:8888";
/** Where posts are, unless an option or the collection says otherwise: the page shows them itself. */
export const defaultPostUrl = "{site}/?post={postId}";

/** The value of --against that switches the comparison off. */
const noComparison = "none";

/** The options of a build; dev and release take most of them. */
export const buildOptions = {
  export: {
    type: "string",
    value: "FILE",
    help: `finished SQLite database, or .sql dump, to publish; sqlite3 FILE "VACUUM INTO 'data/export.sqlite'" makes a finished copy of a database in use (default: the first of ${defaultExports.join(", ")} that exists, else the sample where nothing else is published)`,
  },
  sample: {
    type: "boolean",
    help: `publish ${sampleExport}; a build on Netlify publishes it only when asked to`,
  },
  collection: {
    type: "string",
    value: "FILE",
    help: `what the collection is called, its subject, publisher and license (default: ${defaultCollectionFile}, if it is there; the sample has its own)`,
  },
  out: {
    type: "string",
    value: "DIR",
    default: "dist",
    help: "folder of the snapshot; a build replaces all of it",
  },
  "site-url": {
    type: "string",
    value: "URL",
    help: `origin of the API (default: the environment's URL, else ${defaultSite})`,
  },
  "post-url": {
    type: "string",
    value: "TEMPLATE",
    help: `URL of a post's page, with {postId} and, if wanted, {site} (default: the collection's own, else ${defaultPostUrl})`,
  },
  index: {
    type: "string",
    value: "PLACE",
    default: "auto",
    help: `where the search index goes: ${placementOptions.join(", ")}; bundle is inside the function, cdn is public files that the function reads, auto is bundle while it fits`,
  },
  "post-files": {
    type: "integer",
    value: "N",
    // The newest posts; some files besides them, and posts of the next release, find room, too.
    default: platform.filesInDirectory - 4000,
    help: "give the newest N posts files of their own; older ones go into packs, which the function reads",
  },
  report: {
    type: "string",
    value: "FILE",
    help: "write all problems of the export's rows to FILE, as JSON; a file that is no such report is not overwritten",
  },
  "no-bulk": { type: "boolean", help: "leave out the files that hold all posts for bulk download" },
  strict: { type: "boolean", help: "let warnings about rows stop the build, as errors do" },
  "dry-run": { type: "boolean", help: "replace nothing; show what a build would change" },
  against: {
    type: "string",
    value: "URL",
    help: `compare with the live site's ${snapshotFiles.manifest} at URL instead of the snapshot in --out (default on Netlify: the site's own; ${noComparison}: do not, as where another collection takes its place)`,
  },
  "max-removals": {
    type: "integer",
    value: "N",
    help: "refuse to remove more posts than N (default: 5 % of the published posts, at least 10)",
  },
  "max-loss": {
    type: "integer",
    value: "PERCENT",
    default: defaultMaxLoss,
    help: "refuse to lower comments, tags or characters of text by more than this share of what is published; in a small collection, a few may always go",
  },
  "allow-empty": { type: "boolean", help: "publish an export without posts" },
} as const;

/** The command itself: its help, and how its arguments are read. */
export const buildCommand = defineCommand({
  name: "build",
  summary: "Reads posts from a database export and writes the files of the API.",
  options: buildOptions,
});

/** The values of these options. */
export type BuildValues = Values<typeof buildOptions>;

/** What a build follows besides its options: where it runs decides it. */
export interface BuildPolicy {
  /** Origin of the API where no option names one. */
  readonly siteUrl: string | undefined;
  /** Whether URLs may lead to this machine where nothing names the site. */
  readonly mayBeLocal: boolean;
  /** Whether the sample is built where no export is found. */
  readonly sampleByDefault: boolean;
  /** What a build is compared with where no option says it. */
  readonly comparison: Comparison;
}

/** The policy of an environment. On Netlify, dist is empty before each build: only the live site knows what is published. */
export function buildPolicy(env: Readonly<Record<string, string | undefined>>): BuildPolicy {
  const siteUrl = env["URL"] || undefined;
  if (!isOnNetlify(env))
    return { siteUrl, mayBeLocal: true, sampleByDefault: true, comparison: "target" };
  const live = siteUrl && new URL(snapshotFiles.manifest, absoluteUrl(siteUrl, "against")).href;
  return {
    siteUrl,
    mayBeLocal: false,
    sampleByDefault: false,
    comparison: live ? { url: live, allowMissing: true } : "target",
  };
}

/** What a build is to do. */
export interface Settings {
  /** Origin of the API. */
  readonly siteUrl: string;
  /** Whether URLs are made for this machine, since nothing names the site. */
  readonly isDefaultSite: boolean;
  /** Template of the URLs of posts, where it was given. */
  readonly postUrlTemplate: string | undefined;
  readonly placement: PlacementOption;
  readonly postFiles: number;
  readonly exportFile: string;
  /** What the publisher says of the collection. */
  readonly collection: CollectionFile;
  /** Whether it is the sample, and nobody asked for it. */
  readonly isSampleByDefault: boolean;
  /** Other exports in the places where one is looked for, which are not read. */
  readonly ignoredExports: readonly string[];
  readonly out: string;
  readonly report: string | undefined;
  readonly bulk: boolean;
  readonly strict: boolean;
  readonly comparison: Comparison;
  readonly maxRemovals: number | undefined;
  readonly maxLoss: number;
  readonly allowEmpty: boolean;
  /** Called when a finished snapshot is about to take its place: a server lets its answers end. */
  readonly beforeSwap?: () => Promise<void>;
}

/**
 * What follows from options and policy.
 *
 * @param folder where an export is looked for when none is named
 * @throws UsageError for values that cannot be used, alone or together; Failure where an export is missing
 */
export function settingsFrom(
  values: Omit<BuildValues, "dry-run">,
  policy: BuildPolicy,
  folder = "",
): Settings {
  const { out, report } = values;
  const givenSite = values["site-url"] ?? policy.siteUrl;
  if (givenSite === undefined && !policy.mayBeLocal)
    throw new Failure(
      "nothing names the site, so that URLs would lead to this machine. Link the folder (npx netlify link), then run the same command again; " +
        "or publish by npm run release.",
    );
  const siteUrl = siteUrlFrom(givenSite ?? defaultSite);
  const template = values["post-url"];
  const fault = template && faultOfPostUrl(template, siteUrl);
  if (fault) throw new UsageError(`--post-url ${redactUrl(template)}: ${fault}.`);
  const exportFile = exportFrom(values, policy, siteUrl, folder);
  // What the publisher says is about the publisher's own posts.
  const collection =
    isSample(exportFile) && values.collection === undefined
      ? {}
      : readCollectionFile(values.collection, folder);
  return {
    siteUrl,
    isDefaultSite: givenSite === undefined,
    postUrlTemplate: template,
    placement: placementFrom(values.index),
    postFiles: values["post-files"],
    exportFile,
    collection,
    isSampleByDefault: values.export === undefined && !values.sample && exportFile === sampleExport,
    ignoredExports: exportCandidates(values).filter(
      (file) => file !== exportFile && file !== sampleExport && existsSync(join(folder, file)),
    ),
    out,
    report,
    bulk: !values["no-bulk"],
    strict: values.strict,
    comparison: values.against === undefined ? policy.comparison : comparisonFrom(values.against),
    maxRemovals: values["max-removals"],
    maxLoss: values["max-loss"],
    allowEmpty: values["allow-empty"],
  };
}

function placementFrom(value: string): PlacementOption {
  const placement = placementOptions.find((option) => option === value);
  if (placement === undefined)
    throw new UsageError(`--index ${value}: must be one of ${placementOptions.join(", ")}.`);
  return placement;
}

function absoluteUrl(value: string, option: string): string {
  const url = httpUrl(value);
  if (url === undefined)
    throw new UsageError(`--${option} ${redactUrl(value)}: not an absolute http or https URL.`);
  return url;
}

function siteUrlFrom(site: string): string {
  const { href, origin } = new URL(absoluteUrl(site, "site-url"));
  // The rewrites and the page live at the root of a host; anything more would be in no URL.
  if (href !== `${origin}/`)
    throw new UsageError(
      `--site-url ${redactUrl(site)}: must be a scheme and a host only, such as https://api.cases.example.`,
    );
  return origin;
}

const filled = (template: string, siteUrl: string, postId: number): string =>
  template.replaceAll("{site}", () => siteUrl).replaceAll("{postId}", String(postId));

/** What is wrong with a template of the URLs of posts, if anything. */
export function faultOfPostUrl(template: string, siteUrl: string): string | undefined {
  if (!template.includes("{postId}")) return "must contain {postId}";
  // In the place of a port, only small ids make a URL.
  const url = httpUrl(filled(template, siteUrl, Number.MAX_SAFE_INTEGER));
  if (url === undefined) return "does not give an absolute http or https URL for every post";
  return redactUrl(url) === url
    ? undefined
    : "has a user name or a password, which would be published with every post";
}

/**
 * The URLs of posts.
 *
 * @param template one without a fault
 */
export function postUrlFrom(template: string, siteUrl: string): SnapshotOptions["postUrl"] {
  return (postId) => {
    const url = filled(template, siteUrl, postId);
    return httpUrl(url) ?? url;
  };
}

/** The options that name an export. */
export type ExportChoice = Pick<BuildValues, "export" | "sample">;

/** The exports that options name, the first that exists is built. */
export const exportCandidates = ({ export: file, sample }: ExportChoice): string[] =>
  sample ? [sampleExport] : file === undefined ? [...defaultExports, sampleExport] : [file];

/** The export to publish. */
function exportFrom(
  values: ExportChoice & Pick<BuildValues, "against" | "site-url">,
  { sampleByDefault }: BuildPolicy,
  siteUrl: string,
  folder: string,
): string {
  if (values.sample && values.export !== undefined)
    throw new UsageError("--sample and --export name two exports. Give one of them.");
  if (values.sample) return sampleExport;
  const file = values.export ?? defaultExports.find((name) => existsSync(join(folder, name)));
  if (file !== undefined) return file;
  // What names a site, or is compared with one, is meant for it. `npm run dev` names one on this machine.
  const namesSite = values["site-url"] !== undefined && new URL(siteUrl).hostname !== "localhost";
  const isForSite = namesSite || (values.against ?? noComparison) !== noComparison;
  if (!sampleByDefault || isForSite) throw missingExport("");
  return sampleExport;
}

/**
 * No export is where it is looked for.
 *
 * @param reason why the sample does not take its place, in a sentence
 * @param forSample options that publish the sample all the same
 */
export const missingExport = (reason: string, forSample = "--sample"): Failure =>
  new Failure(
    `build stopped: there is no export: neither ${defaultExports.join(" nor ")} exists. ${reason}` +
      `Add one, name another with --export FILE, or publish the sample with ${forSample}.`,
  );

function comparisonFrom(given: string): Comparison {
  if (given === noComparison) return "nothing";
  const url = absoluteUrl(given, "against");
  // Not shown: messages and logs would hold the password.
  if (/^https?:\/\/[^/]*@/.test(url))
    throw new UsageError("--against: a URL with a user name or password cannot be asked.");
  return { url, allowMissing: false };
}
