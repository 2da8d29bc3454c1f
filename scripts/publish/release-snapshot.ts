/** What `npm run release` does: builds, tests the result as a draft, makes that very draft live, and takes it back if it fails there. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../../functions/contract/http.ts";
import { indexFolder } from "../../functions/search/index-format.ts";
import { endings } from "../cli/clean-up.ts";
import { defineCommand, Failure, UsageError, type CommandIo } from "../cli/command.ts";
import { firstOf } from "../lib/first-of.ts";
import { counted, number } from "../lib/format-number.ts";
import { settingFrom } from "../cli/setting.ts";
import { listedFiles, readManifest, type SnapshotManifest } from "../snapshot/manifest.ts";
import { isIntact } from "../snapshot/compare-files.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { changesBetween } from "./diff.ts";
import { netlifyCli, type Bundle, type NetlifyCli, type RunCli, type Site } from "./netlify-cli.ts";
import { buildOptions, settingsFrom, type BuildValues } from "./options.ts";
import { creditLine, directoryWarnings, runtimeWarnings, sizeWarnings } from "./platform-limits.ts";
import { buildFrom } from "./build-snapshot.ts";
import { liveSnapshot, type ComparedSnapshot } from "./compared-snapshot.ts";
import { withLock } from "./replace-folder.ts";
import { differences, drawRequests } from "./spot-check.ts";
import { smokeTest } from "./smoke-test.ts";
import { asData, createStepSummary, type StepSummary } from "./step-summary.ts";

type ReleaseValues = Omit<BuildValues, "out">;

/** What a release does outside its own process. */
export interface Edges {
  /** The project's folder, in which `runCli` runs the CLI. */
  readonly folder: string;
  readonly runCli: RunCli;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** Posts that the smoke test reads; posts, and searches, that are compared with the snapshot. */
const smokePosts = 20;
const compared = 50;
/** A deploy becomes visible within moments: try 30 times, 2 s apart. */
const looks = 30;
const lookMilliseconds = 2000;
/** Looks for a deploy that becomes live although publishing it failed. */
const looksForLate = 6;
/** Searches after the first one that are timed. */
const timedSearches = 50;
/** Signals in this time count as one. */
const repeatedMilliseconds = 5000;
/** Failed checks that are listed. */
const listed = 20;

const { out: _, ...options } = buildOptions;

const releaseCommand = defineCommand({
  name: "release",
  summary: `Builds a snapshot into dist, uploads it to Netlify as a draft, tests the draft, makes it live and
tests it again. If the live site fails, the deploy before it is put back. NETLIFY_AUTH_TOKEN and
NETLIFY_SITE_ID, in the environment, name account and site.`,
  options: {
    ...options,
    "site-url": { ...options["site-url"], help: "origin of the API (default: the site's own)" },
    against: {
      ...options.against,
      help: "compare with the snapshot.json at URL (default: the site's own; none: do not)",
    },
    "dry-run": {
      type: "boolean",
      help: "build, show what would be uploaded, and upload nothing; without an account, compare with dist",
    },
  },
});

/**
 * Releases a snapshot.
 *
 * @param args options as on the command line, without the command
 * @returns the exit code: 0 when the snapshot is live, or was already; 1 with the reason and what is live
 *   now on standard error; 2 for wrong options
 */
export const release = (args: readonly string[], io: CommandIo, edges: Edges): Promise<number> =>
  releaseCommand.run(args, io, async (values) => {
    // What is wrong with an option is said before anything is asked for.
    settingsFrom(
      { ...values, out: "dist", "dry-run": false },
      { ...io.env, NETLIFY: "true", URL: "" },
    );
    const hasAccount = credentials.some(({ name }) => (io.env[name] ?? "").trim() !== "");
    if (values["dry-run"] && !hasAccount) return planWithoutAccount(values, io, edges);
    const [siteId = "", token = ""] = credentials.map(({ name, meaning }) =>
      settingFrom(io.env, name, meaning),
    );
    const cli = netlifyCli(edges.runCli, edges.folder, siteId, token);
    let run: ReturnType<typeof createRelease> | undefined;
    const summary = createStepSummary(io);
    try {
      run = createRelease(cli, await cli.site(), edges, io, summary);
      await run.build(values);
      const isLive = run.isLive();
      if (isLive) await run.testLive();
      else await run.upload(values["dry-run"]);
      const outcome = isLive ? "Nothing changed" : "Nothing was uploaded, in a dry run";
      summary.write(
        "Release",
        isLive || values["dry-run"] || !summary.isWanted ? `${outcome}.` : await run.liveNow(),
      );
      return 0;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // At each failure, whoever releases needs to know what visitors get.
      const reason = error instanceof Failure ? error.message : (error as Error).stack;
      const live = (await run?.liveNow()) ?? nothingIsLive;
      summary.add("**The release failed:**", asData(reason ?? ""));
      summary.write("Release", live);
      throw new Failure(`${reason}\n${live}`);
    }
  });

const nothingIsLive = "Nothing of this release is live.";

/** What names the site, and proves the right to publish there. */
const credentials = [
  { name: "NETLIFY_SITE_ID", meaning: "the project ID in the site's settings" },
  {
    name: "NETLIFY_AUTH_TOKEN",
    meaning: "a personal access token (User settings → Applications)",
  },
] as const;

/** One run of the command. @param site as it was when the release began */
function createRelease(
  cli: NetlifyCli,
  site: Site,
  edges: Edges,
  io: CommandIo,
  summary: StepSummary,
) {
  const dist = join(edges.folder, "dist");
  let published: ComparedSnapshot | undefined;
  let built: SnapshotManifest | undefined;
  /** Id of the draft, from the moment on at which it may be live. */
  let publishing: string | undefined;

  /** Builds the snapshot. @param values options, which replace the defaults */
  async function build(values: ReleaseValues): Promise<void> {
    assertUnlocked(site);
    const { url } = site;
    const against = manifestUrl(url);
    const { publishedDeployId: live } = site;
    // Without this check, a release could remove everything that is published.
    if (
      live !== undefined &&
      values.against === undefined &&
      (await liveSnapshot(against)) === undefined
    )
      throw new Failure(
        `release stopped: ${deployName(live)} is live at ${url}, but ${against} answers 404, so there is nothing to compare with. If this release is to replace another kind of site, allow it with --against none.`,
      );
    built = await buildForRelease(
      {
        ...values,
        out: dist,
        "site-url": values["site-url"] ?? url,
        against: values.against ?? against,
      },
      io,
      summary,
    );
    // What is there need not be a snapshot, where nothing is compared.
    published = await liveSnapshot(against).catch((error: unknown) => {
      if (values.against === "none") return undefined;
      throw error;
    });
  }

  /** Whether the snapshot is live already. */
  function isLive(): boolean {
    const { id } = manifestBuilt();
    const isSame = idOf(published?.manifest) === id;
    if (isSame)
      say(`nothing changed: snapshot ${id.slice(0, 12)} is live already; nothing was uploaded`);
    return isSame;
  }

  /** Tests what was live already: a release that was interrupted may have left it untested. @throws Failure */
  async function testLive(): Promise<void> {
    try {
      await assertWorks(site.url, "the live site");
    } catch (error) {
      throw new Failure(
        `${(error as Error).message}\nNothing was uploaded. To take this deploy back, publish an earlier one: Deploys on app.netlify.com.`,
      );
    }
  }

  /** Shows what an upload takes, and releases; nothing else replaces dist meanwhile. @param isDryRun shows it only */
  function upload(isDryRun: boolean): Promise<void> {
    return withLock(dist, async () => {
      assertUnchanged();
      await plan();
      if (!isDryRun) await publishDraft();
    });
  }

  /** @throws Failure where dist is no longer what was built */
  function assertUnchanged(): void {
    const now = readManifest(dist);
    if (now.id !== manifestBuilt().id || !isIntact(dist, now))
      throw new Failure(
        `release stopped: ${dist} was changed or replaced since it was built. Run the release again.`,
      );
  }

  /** Shows what an upload takes. @throws Failure beyond a limit of the platform */
  async function plan(): Promise<void> {
    const bundle = await cli.bundle();
    const lines = uploadLines(published?.manifest, manifestBuilt(), dist, bundle);
    for (const line of lines) say(line);
    summary.add(...lines.map((line) => `- ${asData(line)}`));
  }

  /** Uploads, tests and publishes what was built. @throws Failure when the snapshot is not live in the end */
  async function publishDraft(): Promise<void> {
    const { url } = site;
    const draft = await cli.uploadDraft();
    // The CLI read the files meanwhile.
    assertUnchanged();
    say(`uploaded: draft ${draft.deployId} at ${draft.url}`);
    await assertShows(draft.url, manifestBuilt().id);
    await timeSearches(draft.url);
    await assertWorks(draft.url, "the draft");
    await assertNobodyElseReleased();
    publishing = draft.deployId;
    const interruption = takeInterruptions(() => {
      io.stderr.write(
        `release stopped: deploy ${draft.deployId} may be live, untested, at ${url}. Look at Deploys on app.netlify.com.\n`,
      );
    });
    try {
      // A signal does not stop this request: once it is sent, it would still make the deploy live later.
      await cli.publish(draft.deployId);
      say(`live: deploy ${draft.deployId} at ${url}`);
      await interruption.stops(assertWorks(url, "the live site"));
    } catch (error) {
      throw new Failure(`${(error as Error).message}\n${await putBack(draft.deployId)}`);
    } finally {
      interruption.end();
    }
    say(`released: snapshot ${manifestBuilt().id.slice(0, 12)}`);
  }

  /** What visitors get now, for the end of a release that failed. */
  async function liveNow(): Promise<string> {
    const { publishedDeployId: before, url } = site;
    if (publishing === undefined)
      return `${nothingIsLive} Live when it began: ${deployName(before)}.`;
    try {
      const { publishedDeployId: now } = await cli.site();
      const whose =
        now === publishing
          ? "the new one"
          : now === before
            ? "as before this release"
            : "published by somebody else meanwhile";
      return `Live now at ${url}: ${deployName(now)}, ${whose}.`;
    } catch (error) {
      return `What is live now is not known (${(error as Error).message}). Look at Deploys on app.netlify.com.`;
    }
  }

  function say(line: string): void {
    io.stdout.write(`${line}\n`);
  }

  function manifestBuilt(): SnapshotManifest {
    if (built === undefined) throw new Error("nothing was built");
    return built;
  }

  function manifestUrl(site: string): string {
    return new URL(snapshotFiles.manifest, site).href;
  }

  /** Tests a deploy, and compares some of its answers, drawn at random, with the snapshot. @throws Failure with what is wrong */
  async function assertWorks(url: string, name: string): Promise<void> {
    const manifest = manifestBuilt();
    await assertShows(url, manifest.id);
    const problems: string[] = [];
    let checks = 0;
    const report = (check: string, failure?: string): void => {
      checks++;
      if (failure !== undefined) problems.push(`${check}: ${failure}`);
    };
    await smokeTest({ site: url, posts: smokePosts, report });
    const seed = manifest.id.slice(0, 12);
    const requests = drawRequests(dist, manifest, compared, seed);
    problems.push(...(await differences(url, dist, requests)));
    const asked = `${counted(checks, "checks")}, and ${counted(requests.length, "answers")} drawn at random (seed ${seed})`;
    if (problems.length > 0)
      throw new Failure(
        [
          `${name} at ${url} fails ${number(problems.length)} of ${asked}:`,
          ...firstOf(problems, listed, "  "),
        ].join("\n"),
      );
    say(`${name} passes ${asked}`);
    summary.add(`- ${asData(`${name} passes ${asked}`)}: <${url}>`);
  }

  /** Times searches of a deploy: the first one starts the function on the platform, and finds no cache. */
  async function timeSearches(url: string): Promise<void> {
    const times: number[] = [];
    for (let i = 0; i <= timedSearches; i++) {
      const start = performance.now();
      // Another page each time, which no cache has.
      const response = await fetch(`${url}${paths.search}?q=a&page=${i + 1}`).catch(
        () => undefined,
      );
      await response?.text();
      times.push(performance.now() - start);
    }
    const [first = 0, ...others] = times;
    const median = others.sort((a, b) => a - b)[Math.floor(others.length / 2)] ?? 0;
    const line = `the first search took ${first.toFixed(0)} ms, the next ${timedSearches} took ${median.toFixed(0)} ms at the median`;
    say(line);
    summary.add(`- ${line}`);
  }

  /** @throws Failure where another deploy became live, or was locked, since this release began */
  async function assertNobodyElseReleased(): Promise<void> {
    const now = await cli.site();
    assertUnlocked(now);
    if (now.publishedDeployId !== site.publishedDeployId)
      throw new Failure(
        `release stopped: somebody else made deploy ${now.publishedDeployId ?? "none"} live meanwhile, which this release would overwrite. Run it again to compare with that one.`,
      );
  }

  /** Waits until a deploy shows a snapshot. @throws Failure when it does not */
  async function assertShows(site: string, id: string): Promise<void> {
    const url = manifestUrl(site);
    let shown: string | undefined;
    for (let look = 0; look < looks; look++) {
      shown = idOf((await liveSnapshot(url).catch(() => undefined))?.manifest);
      if (shown === id) return;
      await edges.wait(lookMilliseconds);
    }
    const hint = shown === undefined ? " A site behind a password cannot be tested." : "";
    throw new Failure(`${url} shows snapshot ${shown ?? "none"} instead of ${id}.${hint}`);
  }

  /**
   * Makes the deploy live again that was live before, unless somebody else has published another one.
   *
   * @returns what was done, in words
   */
  async function putBack(failedId: string): Promise<string> {
    const { publishedDeployId: before, url } = site;
    if (before === undefined)
      return "There is no earlier deploy to put back. Fix the cause and release again.";
    try {
      let now: string | undefined;
      // A request that got no answer may still have its effect.
      for (let look = 0; look < looksForLate && now !== failedId; look++) {
        if (look > 0) await edges.wait(lookMilliseconds);
        ({ publishedDeployId: now } = await cli.site());
      }
      if (now !== failedId) return "The new deploy is not live, so none was put back.";
      await cli.publish(before);
      const id = idOf(published?.manifest);
      if (id === undefined)
        return `Deploy ${before} was put back; it has no snapshot to prove it by.`;
      await assertShows(url, id);
      return `Deploy ${before} was put back: the site shows its snapshot ${id.slice(0, 12)} again.`;
    } catch (error) {
      return `Deploy ${before} could not be put back: ${(error as Error).message} Publish it by hand: Deploys on app.netlify.com.`;
    }
  }

  return { build, isLive, testLive, upload, liveNow };
}

/** Builds by the rules of a build on Netlify: the sample only when it is asked for. @throws as `buildFrom` */
const buildForRelease = (
  values: Omit<BuildValues, "dry-run">,
  io: CommandIo,
  summary: StepSummary,
): Promise<SnapshotManifest> =>
  buildFrom(
    { ...values, "dry-run": false },
    { ...io, env: { ...io.env, NETLIFY: "true" } },
    { showsChanges: true, summary },
  );

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
  const files = changesBetween(before, manifest)
    .uploads.filter((path) => !isInBundle(path))
    .concat(snapshotFiles.manifest);
  const fileBytes = files.reduce((sum, path) => sum + statSync(join(dist, path)).size, 0);
  const indexBytes = Object.entries(manifest.files)
    .filter(([path]) => isInBundle(path))
    .reduce((sum, [, { bytes }]) => sum + bytes, 0);
  const problems = [
    ...directoryWarnings(listedFiles(manifest)),
    ...sizeWarnings({ bytes: indexBytes, zippedBytes }),
    ...runtimeWarnings(runtime),
  ];
  if (problems.length > 0)
    throw new Failure(`release stopped before the upload: ${problems.join("\n")}`);
  return [
    `on Netlify: ${counted(files.length, "files")} with ${counted(fileBytes, "bytes")}; the function with ${counted(zippedBytes, "bytes")} zipped, on ${runtime}`,
    `cost: ${creditLine(fileBytes)}`,
  ];
}

/** A dry run without credentials: what changes in dist, and what a first upload takes. @returns the exit code */
async function planWithoutAccount(
  values: ReleaseValues,
  io: CommandIo,
  edges: Edges,
): Promise<number> {
  const dist = join(edges.folder, "dist");
  const built = await buildForRelease({ ...values, out: dist }, io, createStepSummary(io));
  const bundle = await netlifyCli(edges.runCli, edges.folder, "", "").bundle();
  for (const line of uploadLines(undefined, built, dist, bundle)) io.stdout.write(`${line}\n`);
  io.stdout.write(
    `Nothing was uploaded. ${credentials.map(({ name }) => name).join(" and ")} are not set, ` +
      "so this was not compared with a live site. The snapshot is in dist; npm run preview serves it. " +
      "Without --site-url, its URLs are those of this machine.\n",
  );
  return 0;
}

/**
 * Takes Ctrl-C and other signals that would end the process, so that what is live can be put right first. One
 * key press may arrive twice: npm passes it on, and the terminal sends it, too. Some hosts send another signal a
 * moment later. A signal after some seconds ends the process at once.
 *
 * @param last called before the process ends at once
 */
function takeInterruptions(last: () => void) {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting for it when it comes.
  promise.catch(() => {});
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    first ??= performance.now();
    reject(new Failure(`release stopped: ${signal} came before the live site was tested.`));
    if (performance.now() - first < repeatedMilliseconds) return;
    last();
    process.exit(130);
  };
  for (const signal of endings) process.on(signal, onSignal);
  return {
    /** Waits for work, or fails at a signal; also at one that came before. */
    async stops(work: Promise<void>): Promise<void> {
      work.catch(() => {});
      await Promise.race([promise, work]);
    },
    /** From now on, signals end the process again. */
    end(): void {
      for (const signal of endings) process.off(signal, onSignal);
    },
  };
}

const deployName = (id: string | undefined): string =>
  id === undefined ? "nothing, the site has no deploy yet" : `deploy ${id}`;

/** Somebody who locks a deploy wants no other to be live. */
function assertUnlocked({ isLocked, publishedDeployId }: Site): void {
  if (isLocked)
    throw new Failure(
      `release stopped: deploy ${publishedDeployId} is locked. To release again, unlock it: Deploys → Start auto publishing.`,
    );
}

const idOf = (manifest: SnapshotManifest | undefined): string | undefined => manifest?.id;
