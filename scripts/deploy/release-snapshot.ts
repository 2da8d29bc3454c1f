/** What `npm run release` does: builds, tests the result as a draft, makes that very draft live, and puts the previous deploy back if it fails there. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { indexFolder } from "../../functions/engine/index-format.ts";
import { onSignal } from "../cli/clean-up.ts";
import { defineCommand, Failure, type Values } from "../cli/command.ts";
import type { CommandIo } from "../cli/io.ts";
import { filesBelow } from "../lib/fs.ts";
import { pluralize } from "../lib/text.ts";
import { requireEnv } from "../cli/setting.ts";
import { listedFiles, type SnapshotManifest } from "../snapshot/manifest.ts";
import { hasMatchingDigests } from "../snapshot/compare-files.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { buildFrom } from "../build/build-snapshot.ts";
import {
  fetchBaseline,
  readBaseline,
  resolveBaseline,
  SiteFailure,
  type Baseline,
} from "../build/baseline.ts";
import { manifestUrl, testDeploy, type DeployTest } from "../checks/deploy-test.ts";
import { compareSnapshots } from "../build/diff.ts";
import {
  NetlifyCli,
  type Bundle,
  type Draft,
  type RunCli,
  type NetlifySite,
} from "./netlify-cli.ts";
import { buildOptions, defaultExports, settingsFrom, type Settings } from "../build/options.ts";
import {
  creditLine,
  directoryWarnings,
  permissionWarnings,
  runtimeWarnings,
  sizeWarnings,
} from "../build/platform-limits.ts";
import { describeLiveDeploy, promoteDraft } from "./promote.ts";
import { withLock } from "../build/atomic-swap.ts";
import { redactIo, Report } from "../build/report.ts";

/** What a release does outside its own process. */
export interface Dependencies {
  /** The project's folder, in which `runCli` runs the CLI. */
  readonly folder: string;
  readonly runCli: RunCli;
  readonly wait: DeployTest["wait"];
}

/** One run of the command. */
interface Release {
  readonly cli: NetlifyCli;
  /** As it was when the release began. */
  readonly site: NetlifySite;
  readonly settings: Settings;
  readonly wait: DeployTest["wait"];
  readonly report: Report;
}

/** What was built, and what it takes the place of. */
interface BuiltRelease {
  readonly manifest: SnapshotManifest;
  /** The snapshot that is live, where the site shows one. */
  readonly live: SnapshotManifest | undefined;
}

const { out: _, ...options } = buildOptions;

const releaseOptions = {
  ...options,
  export: {
    ...options.export,
    help: `finished SQLite database, or .sql dump, to publish (default: the first of ${defaultExports.join(", ")} that exists; never the sample)`,
  },
  "site-url": { ...options["site-url"], help: "origin of the API (default: the site's own)" },
  against: {
    ...options.against,
    help: "compare with the snapshot.json at URL (default: the site's own; none: do not)",
  },
  again: {
    type: "boolean",
    help: "make a deploy also where nothing changed: settings of the function take effect with the next one",
  },
  "dry-run": {
    type: "boolean",
    help: "build into dist, show what would be uploaded, and upload nothing; without an account, compare with dist",
  },
} as const;

/** The values of these options. */
type ReleaseValues = Values<typeof releaseOptions>;

const releaseCommand = defineCommand({
  name: "release",
  summary: `Builds a snapshot into dist, uploads it to Netlify as a draft, tests the draft, makes it live and
tests it again. If the live site fails, the deploy before it is put back. NETLIFY_AUTH_TOKEN and
NETLIFY_SITE_ID, in the environment, name account and site.`,
  options: releaseOptions,
});

/**
 * How a release builds where no option says it: never the sample. With an account, URL and comparison come from the
 * site instead (`release`, `buildRelease`); what is here holds for a dry run without one.
 */
const releasePolicy = {
  siteUrl: undefined,
  mayBeLocal: true,
  sampleByDefault: false,
  comparison: "target",
} as const;

/**
 * Releases a snapshot.
 *
 * @param args options as on the command line, without the command
 * @returns the exit code: 0 when the snapshot is live, or was already, or a dry run is done; 1 with the reason and what is live
 *   now on standard error; 2 for wrong options
 */
export const release = (
  args: readonly string[],
  outer: CommandIo,
  dependencies: Dependencies,
): Promise<number> => {
  const io = redactIo(outer);
  return releaseCommand.run(args, io, async (values) => {
    // What is wrong with an option is reported before anything is asked for.
    const dist = join(dependencies.folder, "dist");
    const settings = settingsFrom({ ...values, out: dist }, releasePolicy);
    const hasAccount = credentials.some(({ name }) => (io.env[name] ?? "").trim() !== "");
    const report = new Report(io);
    if (values["dry-run"] && !hasAccount) return planWithoutAccount(settings, report, dependencies);
    const [siteId, token] = credentials.map(({ name, meaning }) =>
      requireEnv(io.env, name, meaning),
    );
    const cli = new NetlifyCli(dependencies.runCli, dependencies.folder, siteId, token);
    const { wait } = dependencies;
    let site: NetlifySite | undefined;
    // Until a draft is made live, a signal ends the release at once.
    const lastWords = (signal: NodeJS.Signals): void =>
      report.info(`release stopped: ${signal} came. ${nothingIsLive}${liveBefore(site)}`);
    try {
      const outcome = await onSignal(lastWords, async () => {
        site = await cli.site();
        const own =
          values["site-url"] === undefined ? { siteUrl: site.url, isDefaultSite: false } : {};
        return releaseTo({ cli, site, settings: { ...settings, ...own }, wait, report }, values);
      });
      report.writeSummary("Release", outcome);
      return 0;
    } catch (error) {
      const reason = error instanceof Failure ? error.message : ((error as Error).stack ?? "");
      // At each failure, whoever releases needs to know what visitors get.
      const live = site === undefined ? nothingIsLive : await describeLiveDeploy(cli, site);
      report.addToSummary(reason);
      report.writeSummary("Release", `The release failed. ${live}`);
      throw new Failure(`${reason}\n${live}`);
    }
  });
};

const nothingIsLive = "Nothing of this release is live.";

/** What was live when a release began, in a sentence; empty where that is not known. */
const liveBefore = (site: NetlifySite | undefined): string =>
  site === undefined ? "" : ` Live when it began: deploy ${site.publishedDeployId ?? "none"}.`;

/** What names the site, and proves the right to publish there. */
const credentials = [
  { name: "NETLIFY_SITE_ID", meaning: "the project ID in the site's settings" },
  {
    name: "NETLIFY_AUTH_TOKEN",
    meaning: "a personal access token (User settings → Applications)",
  },
] as const;

/**
 * Releases to a site: build, bundle and plan, draft, live; or only a test, where the snapshot is live already.
 *
 * @param values options
 * @returns how it ended, in a sentence
 */
async function releaseTo(
  run: Release,
  { against, again, "dry-run": isDryRun }: ReleaseValues,
): Promise<string> {
  const { cli, site, settings, report } = run;
  const built = await buildRelease(run, against);
  // Files may differ under one id: the publisher may have changed the page.
  if (isDeepStrictEqual(built.live, built.manifest) && !again) return testLive(run, built);
  // The build gave its lock back, so dist is compared with what was built; from here on nothing else replaces it.
  return withLock(settings.out, async () => {
    assertUnchanged(run, built);
    await bundleAndShowUpload(run, built);
    if (isDryRun) return "Nothing was uploaded, in a dry run.";
    const draft = await uploadAndTestDraft(run, built);
    const test = { dist: settings.out, manifest: built.manifest, wait: run.wait };
    // From here on, a signal puts the deploy before back instead of ending the process.
    await promoteDraft({ cli, site, before: built.live, test, report }, draft);
    report.log(`released: snapshot ${built.manifest.id.slice(0, 12)}`);
    return `The release is live: deploy ${draft.deployId}.`;
  });
}

/**
 * Builds the snapshot, compared with what is live.
 *
 * @throws Failure, UsageError as a build
 */
async function buildRelease(run: Release, against: string | undefined): Promise<BuiltRelease> {
  const { site, settings, report } = run;
  assertUnlocked(site);
  const live = await fetchLive(site, against);
  const compared =
    against === undefined ? live : await resolveBaseline(settings.comparison, report.log);
  const manifest = await buildFrom(settings, compared, report, true);
  return { manifest, live: live?.manifest };
}

/** What to do where a domain does not lead to Netlify yet: it may lead nowhere, or to another host's page. */
const newDomain =
  "Is the domain new? Then wait until its DNS and its certificate lead to Netlify, or remove it from the site's settings until they do.";
const otherSite =
  "If this release is to replace another kind of site there, or a snapshot of another version, allow it with --against none.";

/**
 * The snapshot that a site shows; undefined where there is none.
 *
 * @param against the option: where it names something else, what the site shows may be of any kind
 * @throws Failure where a deploy is live that cannot be compared with: a release could remove everything; and where
 *   the site cannot be reached
 */
async function fetchLive(
  { publishedDeployId, url }: NetlifySite,
  against: string | undefined,
): Promise<Baseline | undefined> {
  const shown = manifestUrl(url);
  let live: Baseline | undefined;
  try {
    live = await fetchBaseline(shown);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    // It would go live, could not be tested there, and would be taken back.
    if (!error.isReached)
      throw new Failure(
        `release stopped: ${url}, the address of the site in Netlify's settings, cannot be reached (${error.reason}). A release is compared and tested there. ${newDomain} Else release from a machine that reaches it.`,
      );
    if (against === undefined)
      throw new Failure(
        `release stopped: ${shown} shows no snapshot to compare with: ${error.reason}. ${newDomain} ${otherSite}`,
      );
  }
  if (against !== undefined) return live;
  if (publishedDeployId !== undefined && live === undefined)
    throw new Failure(
      `release stopped: deploy ${publishedDeployId} is live at ${url}, but ${shown} answers 404, so there is nothing to compare with. ${newDomain} ${otherSite}`,
    );
  return live;
}

/**
 * Tests what was live already: a release that was interrupted may have left it untested.
 *
 * @returns how it ended, in a sentence
 */
async function testLive(
  { site, settings, wait, report }: Release,
  { manifest }: BuiltRelease,
): Promise<string> {
  report.log(
    `nothing changed: snapshot ${manifest.id.slice(0, 12)} is live already; nothing was uploaded`,
  );
  try {
    report.log(await testDeploy(site.url, "the live site", { dist: settings.out, manifest, wait }));
  } catch (error) {
    throw new Failure(
      `${(error as Error).message}\nNothing was uploaded. To take this deploy back, publish an earlier one: Deploys on app.netlify.com.`,
    );
  }
  return "Nothing changed. To release a change of netlify.toml or of the function alone, use --again.";
}

/**
 * @throws Failure where dist is no longer what was built
 */
function assertUnchanged({ settings: { out } }: Release, { manifest }: BuiltRelease): void {
  if (
    !isDeepStrictEqual(readBaseline(out)?.manifest, manifest) ||
    !hasMatchingDigests(out, manifest)
  )
    throw new Failure(
      `release stopped: ${out} was changed or replaced since it was built. Run the release again.`,
    );
}

/**
 * Has the function bundled, and shows what an upload takes.
 *
 * @throws Failure beyond a limit of the platform
 */
async function bundleAndShowUpload(
  { settings, cli, report }: Release,
  { live, manifest }: BuiltRelease,
): Promise<void> {
  const lines = uploadLines(live, manifest, settings.out, await cli.bundle());
  for (const line of lines) report.log(line);
  report.addToSummary(...lines);
}

/**
 * Uploads what was built, and tests it.
 *
 * @throws Failure when the draft must not become live
 */
async function uploadAndTestDraft(run: Release, built: BuiltRelease): Promise<Draft> {
  const { cli, settings, site, report, wait } = run;
  const draft = await cli.uploadDraft();
  // The CLI read the files meanwhile.
  assertUnchanged(run, built);
  report.log(`uploaded: draft ${draft.deployId} at ${draft.url}`);
  const test = { dist: settings.out, manifest: built.manifest, wait };
  const tested = await testDeploy(draft.url, "the draft", test);
  report.log(tested);
  report.addToSummary(tested);
  await assertNobodyElseReleased(cli, site);
  return draft;
}

/**
 * @throws Failure where another deploy became live, or was locked, since this release began
 */
async function assertNobodyElseReleased(cli: NetlifyCli, siteBefore: NetlifySite): Promise<void> {
  const now = await cli.site();
  assertUnlocked(now);
  if (now.publishedDeployId !== siteBefore.publishedDeployId)
    throw new Failure(
      `release stopped: somebody else made deploy ${now.publishedDeployId ?? "none"} live meanwhile, which this release would overwrite. Run it again to compare with that one.`,
    );
}

/**
 * What an upload takes, in lines.
 *
 * @param before what is live, of which unchanged files are not sent again
 * @throws Failure beyond a limit of the platform
 */
function uploadLines(
  before: SnapshotManifest | undefined,
  manifest: SnapshotManifest,
  dist: string,
  { zippedBytes, runtime }: Bundle,
): string[] {
  const isInBundle = (path: string): boolean => path.startsWith(`${indexFolder}/`);
  const files = compareSnapshots(before, manifest)
    .uploads.filter((path) => !isInBundle(path))
    .concat(snapshotFiles.manifest);
  const fileBytes = files.reduce((sum, path) => sum + statSync(join(dist, path)).size, 0);
  const indexFiles = Object.entries(manifest.files).filter(([path]) => isInBundle(path));
  const indexBytes = indexFiles.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  const functions = join(dist, "../functions");
  const problems = [
    ...directoryWarnings(listedFiles(manifest)),
    ...sizeWarnings({ bytes: indexBytes, zippedBytes }),
    ...runtimeWarnings(runtime),
    // By one file of what npm installed, and those of the function and the build: some may be older, with other permissions.
    ...permissionWarnings([
      ...["package.json", "node_modules/flexsearch/package.json"].map((path) =>
        join(dist, "..", path),
      ),
      ...filesBelow(functions)
        .filter((path) => path.endsWith(".ts"))
        .map((path) => join(functions, path)),
      ...indexFiles.map(([path]) => join(dist, path)),
    ]),
  ];
  if (problems.length > 0)
    throw new Failure(`release stopped before the upload: ${problems.join("\n")}`);
  return [
    `on Netlify: ${pluralize(files.length, "files")} with ${pluralize(fileBytes, "bytes")}; the function with ${pluralize(zippedBytes, "bytes")} zipped, on ${runtime}`,
    `cost: ${creditLine(fileBytes)}`,
  ];
}

/**
 * A dry run without credentials: what changes in dist, and what a first upload takes.
 *
 * @returns the exit code
 */
async function planWithoutAccount(
  settings: Settings,
  report: Report,
  { folder, runCli }: Dependencies,
): Promise<number> {
  const compared = await resolveBaseline(settings.comparison, report.log);
  const built = await buildFrom(settings, compared, report, true);
  const bundle = await new NetlifyCli(runCli, folder).bundle();
  for (const line of uploadLines(undefined, built, settings.out, bundle)) report.log(line);
  report.log(
    `Nothing was uploaded. ${credentials.map(({ name }) => name).join(" and ")} are not set, ` +
      "so this was not compared with a live site. The snapshot is in dist; npm run preview serves it. " +
      "Without --site-url, its URLs are those of this machine.",
  );
  return 0;
}

/** Somebody who locks a deploy wants no other to be live. */
function assertUnlocked({ isLocked, publishedDeployId }: NetlifySite): void {
  if (isLocked)
    throw new Failure(
      `release stopped: deploy ${publishedDeployId} is locked. To release again, unlock it: Deploys → Start auto publishing.`,
    );
}
