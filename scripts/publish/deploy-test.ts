/** Tests a deploy: that it shows a snapshot, keeps the contract, and answers as the snapshot itself does. */
import { paths } from "../../functions/contract/http.ts";
import { Failure } from "../cli/command.ts";
import { firstOf } from "../lib/first-of.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { ask, reasonOf } from "../lib/site-request.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { SiteFailure, snapshotOn } from "./compared-snapshot.ts";
import { smokeTest } from "./smoke-test.ts";
import { differences, drawRequests } from "./spot-check.ts";

/** What a deploy is tested for, and how. */
export interface DeployTest {
  /** Folder of the snapshot that the deploy must show. */
  readonly dist: string;
  readonly manifest: SnapshotManifest;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Ends the test early: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Posts that the smoke test reads. */
const smokePosts = 20;
/** Posts, and as many searches, whose answers are compared with the snapshot. */
const drawn = 50;
/** Up to this many failures among hundreds of requests may be chance. */
const chanceFailures = 3;
/** After this many failures, the test stops: each request of a site that is silent takes half a minute. */
const mostFailures = 20;
/** A deploy becomes visible within moments: try 30 times, 2 s apart. */
const looks = 30;
export const lookMilliseconds = 2000;
/** Searches after the first one that are timed. */
const timedSearches = 50;

/** Where a site shows which snapshot it has. */
export const manifestUrl = (site: string): string => new URL(snapshotFiles.manifest, site).href;

/**
 * Waits until a deploy shows a snapshot.
 *
 * @param id of the snapshot
 * @throws Failure when it does not, after a minute; later where the site is slow to answer
 */
export async function assertShows(
  site: string,
  id: string,
  { wait, signal }: Pick<DeployTest, "wait" | "signal">,
): Promise<void> {
  const url = manifestUrl(site);
  let shown = "";
  for (let look = 0; look < looks; look++) {
    try {
      const found = await snapshotOn(url, signal);
      if (found?.manifest.id === id) return;
      shown = `snapshot ${found?.manifest.id ?? "none"}`;
    } catch (error) {
      shown = `none (${error instanceof SiteFailure ? error.reason : reasonOf(error as Error)})`;
    }
    await wait(lookMilliseconds);
    signal?.throwIfAborted();
  }
  throw new Failure(
    `${url} shows ${shown} instead of snapshot ${id}. Does this URL lead to Netlify, and without a password?`,
  );
}

/** Problems of a deploy, in words, and what was asked, in a line. */
interface Tested {
  readonly problems: readonly string[];
  readonly asked: string;
}

async function problemsOf(url: string, test: DeployTest): Promise<Tested> {
  const { dist, manifest, wait, signal } = test;
  const problems: string[] = [];
  let checks = 0;
  const enough = new AbortController();
  const report = (check: string, failure?: string): void => {
    checks++;
    if (failure !== undefined) problems.push(`${check}: ${failure}`);
    if (problems.length === mostFailures) enough.abort();
  };
  const ends = AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]);
  try {
    await smokeTest({ site: url, posts: smokePosts, wait, report, signal: ends });
  } catch (error) {
    if (problems.length < mostFailures) throw error;
    signal?.throwIfAborted();
    return { problems, asked: `the first ${counted(checks, "checks")}` };
  }
  const seed = manifest.id.slice(0, 12);
  const requests = drawRequests(dist, manifest, drawn, seed);
  problems.push(...(await differences(url, dist, requests, signal)));
  const asked = `${counted(checks, "checks")}, and ${counted(requests.length, "answers")} drawn at random (seed ${seed})`;
  return { problems, asked };
}

/**
 * Tests a deploy, and compares some of its answers, drawn at random, with the snapshot. A few failures may be a
 * platform's bad moment: then all is asked once more, and that decides.
 *
 * @param name what messages call the deploy
 * @returns what was asked, in a line; with what failed at first
 * @throws Failure with what is wrong
 */
export async function testDeploy(url: string, name: string, test: DeployTest): Promise<string> {
  await assertShows(url, test.manifest.id, test);
  const first = await problemsOf(url, test);
  const isRepeated = first.problems.length > 0 && first.problems.length <= chanceFailures;
  const { problems, asked } = isRepeated ? await problemsOf(url, test) : first;
  const atFirst = isRepeated
    ? `, the second time; at first failed ${first.problems.join("; ")}`
    : "";
  if (problems.length === 0) return `${name} passes ${asked}${atFirst}`;
  throw new Failure(
    [
      `${name} at ${url} fails ${formatted(problems.length)} of ${asked}:`,
      ...firstOf(problems, "  "),
    ].join("\n"),
  );
}

/**
 * Times searches of a deploy: the first one starts the function on the platform, and finds no cache.
 *
 * @returns the times, in a line; or why there are none, since it is for the tests to say what is wrong
 */
export async function timeSearches(url: string): Promise<string> {
  const times: number[] = [];
  try {
    for (let i = 0; i <= timedSearches; i++) {
      const start = performance.now();
      // Another page each time, which no cache has.
      const response = await ask(`${url}${paths.search}?q=a&page=${i + 1}`);
      await response.text();
      times.push(performance.now() - start);
    }
  } catch (error) {
    return `searches could not be timed: ${reasonOf(error as Error)}`;
  }
  const [first = 0, ...others] = times;
  const median = others.sort((a, b) => a - b)[Math.floor(others.length / 2)] ?? 0;
  return `the first search took ${first.toFixed(0)} ms, the next ${timedSearches} took ${median.toFixed(0)} ms at the median`;
}
