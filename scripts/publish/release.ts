/** What `npm run release` does: builds, tests the result as a draft, makes that very draft live, and takes it back if it fails there. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { indexFolder } from "../../functions/search/index-format.ts";
import { defineCommand, Failure, type CommandIo } from "../cli/command.ts";
import { number } from "../cli/number.ts";
import {
  isCurrent,
  listedFiles,
  readManifest,
  type OtherManifest,
  type SnapshotManifest,
} from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { changeLines, changesBetween } from "./diff.ts";
import { NetlifyCli, type RunCli, type Site } from "./netlify-cli.ts";
import { buildOptions } from "./options.ts";
import { creditLine, directoryWarnings, runtimeWarnings, sizeWarnings } from "./platform-limits.ts";
import { build } from "./build.ts";
import { liveSnapshot, type Published } from "./compared-snapshot.ts";
import { differences, drawSample } from "./sample.ts";
import { smokeTest } from "./smoke-test.ts";

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
/** A deploy becomes visible within moments: so often it is looked for, and so long between. */
const looks = 30;
const lookMilliseconds = 2000;
/** Failed checks that are listed. */
const listed = 20;

const { out: _, ...options } = buildOptions;

const releaseCommand = defineCommand({
  name: "release",
  summary: `Builds a snapshot into dist, uploads it to Netlify as a draft, tests the draft, makes it live and
tests it again. If the live site fails, the deploy before it is put back. NETLIFY_AUTH_TOKEN and
NETLIFY_SITE_ID name account and site. URLs of site and live snapshot are the site's own by default.`,
  options: {
    ...options,
    "dry-run": { type: "boolean", help: "build, show what would be uploaded, and upload nothing" },
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
    const cli = new NetlifyCli(
      edges.runCli,
      edges.folder,
      setting(io, "NETLIFY_SITE_ID", "the project ID in the site's settings"),
      setting(io, "NETLIFY_AUTH_TOKEN", "a personal access token (User settings → Applications)"),
    );
    let run: Release | undefined;
    try {
      run = new Release(cli, await cli.site(), edges, io);
      await run.build(args.filter((arg) => arg !== "--dry-run"));
      if (run.isLive()) return 0;
      await run.plan();
      if (!values["dry-run"]) await run.release();
      return 0;
    } catch (error) {
      // At each failure, whoever releases needs to know what visitors get.
      const reason = error instanceof Failure ? error.message : (error as Error).stack;
      throw new Failure(`${reason}\n${(await run?.liveNow()) ?? nothingIsLive}`);
    }
  });

const nothingIsLive = "Nothing of this release is live.";

/** A setting from the environment. @throws Failure where it is missing */
function setting({ env }: CommandIo, name: string, meaning: string): string {
  const value = env[name]?.trim() ?? "";
  if (value === "") throw new Failure(`${name} is not set. Set it to ${meaning}.`);
  return value;
}

/** One run of the command. */
class Release {
  readonly #cli: NetlifyCli;
  /** The site as it was when the release began. */
  readonly #site: Site;
  readonly #edges: Edges;
  readonly #io: CommandIo;
  readonly #dist: string;
  #live: Published | undefined;
  /** Id of the draft, from the moment on at which it may be live. */
  #publishing: string | undefined;

  constructor(cli: NetlifyCli, site: Site, edges: Edges, io: CommandIo) {
    this.#cli = cli;
    this.#site = site;
    this.#edges = edges;
    this.#io = io;
    this.#dist = join(edges.folder, "dist");
  }

  /** Builds the snapshot. @param args of the build, which replace the defaults */
  async build(args: readonly string[]): Promise<void> {
    assertUnlocked(this.#site);
    const { url } = this.#site;
    const against = this.#manifestUrl(url);
    const code = await build(
      ["--out", this.#dist, "--site-url", url, "--against", against, ...args],
      // What goes live follows the rules of a build on Netlify: the sample only when it is asked for.
      { ...this.#io, env: { ...this.#io.env, NETLIFY: "true" } },
    );
    if (code !== 0) throw new Failure("release stopped: there is no new snapshot to release.");
    this.#live = await liveSnapshot(against);
  }

  /** Whether the snapshot is live already. */
  isLive(): boolean {
    const { id } = this.#manifest();
    const isSame = idOf(this.#live?.manifest) === id;
    if (isSame)
      this.#say(
        `nothing changed: snapshot ${id.slice(0, 12)} is live already; nothing was uploaded`,
      );
    return isSame;
  }

  /** Shows what an upload takes. @throws Failure beyond a limit of the platform */
  async plan(): Promise<void> {
    const { zippedBytes, runtime } = await this.#cli.bundle();
    const manifest = this.#manifest();
    const before = this.#live?.manifest;
    for (const line of await changeLines(this.#live, manifest, this.#dist)) this.#say(line);
    const isInBundle = (path: string): boolean => path.startsWith(`${indexFolder}/`);
    const files = changesBetween(before && isCurrent(before) ? before : undefined, manifest)
      .uploads.filter((path) => !isInBundle(path))
      .concat(snapshotFiles.manifest);
    const fileBytes = files.reduce((sum, path) => sum + statSync(join(this.#dist, path)).size, 0);
    this.#say(
      `on Netlify: ${number(files.length)} files with ${number(fileBytes)} bytes; the function with ${number(zippedBytes)} bytes zipped, on ${runtime}`,
    );
    this.#say(`cost: ${creditLine(fileBytes)}`);
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
  }

  /** Uploads, tests and publishes what was built. @throws Failure when the snapshot is not live in the end */
  async release(): Promise<void> {
    const { url } = this.#site;
    const draft = await this.#cli.uploadDraft();
    this.#say(`uploaded: draft ${draft.deployId} at ${draft.url}`);
    await this.#assertWorks(draft.url, "the draft");
    await this.#assertNobodyElseReleased();
    this.#publishing = draft.deployId;
    try {
      await this.#cli.publish(draft.deployId);
      this.#say(`live: deploy ${draft.deployId} at ${url}`);
      await this.#assertWorks(url, "the live site");
    } catch (error) {
      throw new Failure(`${(error as Error).message}\n${await this.#putBack(draft.deployId)}`);
    }
    this.#say(`released: snapshot ${this.#manifest().id.slice(0, 12)}`);
  }

  /** What visitors get now, for the end of a release that failed. */
  async liveNow(): Promise<string> {
    const { publishedDeployId: before, url } = this.#site;
    if (this.#publishing === undefined)
      return `${nothingIsLive} Live when it began: ${deployName(before)}.`;
    try {
      const { publishedDeployId: now } = await this.#cli.site();
      const whose =
        now === this.#publishing
          ? "the new one"
          : now === before
            ? "as before this release"
            : "published by somebody else meanwhile";
      return `Live now at ${url}: ${deployName(now)}, ${whose}.`;
    } catch (error) {
      return `What is live now is not known (${(error as Error).message}). Look at Deploys on app.netlify.com.`;
    }
  }

  #say(line: string): void {
    this.#io.stdout.write(`${line}\n`);
  }

  /** The manifest of what was built. */
  #manifest(): SnapshotManifest {
    const manifest = readManifest(this.#dist);
    if (!isCurrent(manifest)) throw new Failure(`${this.#dist}: build it again.`);
    return manifest;
  }

  #manifestUrl(site: string): string {
    return new URL(snapshotFiles.manifest, site).href;
  }

  /** Tests a deploy, and compares a sample of its answers with the snapshot. @throws Failure with what is wrong */
  async #assertWorks(url: string, name: string): Promise<void> {
    const manifest = this.#manifest();
    await this.#assertShows(url, manifest.id);
    const problems: string[] = [];
    let checks = 0;
    const report = (check: string, failure?: string): void => {
      checks++;
      if (failure !== undefined) problems.push(`${check}: ${failure}`);
    };
    await smokeTest({ site: url, posts: smokePosts, fetch, report });
    const seed = manifest.id.slice(0, 12);
    const sample = drawSample(this.#dist, manifest, compared, seed);
    problems.push(...(await differences(url, this.#dist, sample)));
    const asked = `${number(checks)} checks, and ${number(sample.length)} answers drawn at random (seed ${seed})`;
    if (problems.length > 0)
      throw new Failure(
        [
          `${name} at ${url} fails ${number(problems.length)} of ${asked}:`,
          ...problems.slice(0, listed).map((problem) => `  ${problem}`),
          ...(problems.length > listed ? [`  and ${number(problems.length - listed)} more`] : []),
        ].join("\n"),
      );
    this.#say(`${name} passes ${asked}`);
  }

  /** @throws Failure where another deploy became live, or was locked, since this release began */
  async #assertNobodyElseReleased(): Promise<void> {
    const now = await this.#cli.site();
    assertUnlocked(now);
    if (now.publishedDeployId !== this.#site.publishedDeployId)
      throw new Failure(
        `release stopped: somebody else made deploy ${now.publishedDeployId ?? "none"} live meanwhile, which this release would overwrite. Run it again to compare with that one.`,
      );
  }

  /** Waits until a deploy shows a snapshot. @throws Failure when it does not */
  async #assertShows(site: string, id: string): Promise<void> {
    const url = this.#manifestUrl(site);
    let shown: string | undefined;
    for (let look = 0; look < looks; look++) {
      shown = idOf((await liveSnapshot(url).catch(() => undefined))?.manifest);
      if (shown === id) return;
      await this.#edges.wait(lookMilliseconds);
    }
    const hint = shown === undefined ? " A site behind a password cannot be tested." : "";
    throw new Failure(`${url} shows snapshot ${shown ?? "none"} instead of ${id}.${hint}`);
  }

  /**
   * Makes the deploy live again that was live before, unless somebody else has published another one.
   *
   * @returns what was done, in words
   */
  async #putBack(failedId: string): Promise<string> {
    const { publishedDeployId: before, url } = this.#site;
    if (before === undefined)
      return "There is no earlier deploy to put back. Fix the cause and release again.";
    try {
      const { publishedDeployId: now } = await this.#cli.site();
      if (now !== failedId) return "The new deploy is not live, so none was put back.";
      await this.#cli.publish(before);
      const id = idOf(this.#live?.manifest);
      if (id === undefined)
        return `Deploy ${before} was put back; it has no snapshot to prove it by.`;
      await this.#assertShows(url, id);
      return `Deploy ${before} was put back: the site shows its snapshot ${id.slice(0, 12)} again.`;
    } catch (error) {
      return `Deploy ${before} could not be put back: ${(error as Error).message} Publish it by hand: Deploys on app.netlify.com.`;
    }
  }
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

const idOf = (manifest: SnapshotManifest | OtherManifest | undefined): string | undefined =>
  manifest !== undefined && isCurrent(manifest) ? manifest.id : undefined;
