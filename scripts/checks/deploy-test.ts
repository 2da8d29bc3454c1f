/** Tests a deploy: that it shows a snapshot, keeps the contract, and answers as the snapshot itself does. */
import { Failure } from "../cli/command.ts";
import { truncateList, pluralize, formatNumber } from "../lib/text.ts";
import { failureReason } from "../lib/http.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { snapshotFiles } from "../snapshot/published-files.ts";
import { fetchBaseline, SiteFailure } from "../build/baseline.ts";
import { compareAnswers, drawRequests } from "./compare-answers.ts";
import { smokeTest } from "./smoke-test.ts";

/** What a deploy is tested for, and how. */
export interface DeployTest {
  /** Folder of the snapshot that the deploy must show. */
  readonly dist: string;
  readonly manifest: SnapshotManifest;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Ends the test early: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Posts, and as many searches, whose answers are compared with the snapshot. */
const comparedPosts = 10;
/** Up to this many failures among hundreds of requests may be chance. */
const maxChanceFailures = 3;
/** After this many failures, the test stops: each request of a site that is silent takes half a minute. */
const maxFailures = 20;
/** A deploy becomes visible within moments: it is polled 30 times, 2 s apart. */
const maxPolls = 30;
const pollIntervalMs = 2000;

/** Where a site shows which snapshot it has. */
export const manifestUrl = (site: string): string => new URL(snapshotFiles.manifest, site).href;

/**
 * Waits until a deploy shows a snapshot.
 *
 * @param id of the snapshot
 * @throws Failure when it does not, after a minute; later where the site is slow to answer
 */
export async function waitForSnapshot(
  site: string,
  id: string,
  { wait, signal }: Pick<DeployTest, "wait" | "signal">,
): Promise<void> {
  const url = manifestUrl(site);
  let shown = "";
  for (let poll = 0; poll < maxPolls; poll++) {
    try {
      const found = await fetchBaseline(url, signal);
      if (found?.manifest.id === id) return;
      shown = `snapshot ${found?.manifest.id ?? "none"}`;
    } catch (error) {
      shown = `none (${error instanceof SiteFailure ? error.reason : failureReason(error as Error)})`;
    }
    await wait(pollIntervalMs);
    signal?.throwIfAborted();
  }
  throw new Failure(
    `${url} shows ${shown} instead of snapshot ${id}. Does this URL lead to Netlify, and without a password?`,
  );
}

/** Problems of a deploy, in words, and what was asked, in a line. */
interface TestRun {
  readonly problems: readonly string[];
  readonly asked: string;
}

async function runTests(site: string, test: DeployTest): Promise<TestRun> {
  const { dist, manifest, signal } = test;
  const problems: string[] = [];
  let checks = 0;
  for await (const { check, failure } of smokeTest({ site, ...(signal && { signal }) })) {
    checks++;
    if (failure !== undefined) problems.push(`${check}: ${failure}`);
    if (problems.length === maxFailures)
      return { problems, asked: `the first ${pluralize(checks, "checks")}` };
  }
  const seed = manifest.id.slice(0, 12);
  const requests = drawRequests(dist, manifest, comparedPosts, seed);
  problems.push(...(await compareAnswers(site, dist, requests, signal)));
  const asked = `${pluralize(checks, "checks")}, and ${pluralize(requests.length, "answers")} drawn at random (seed ${seed})`;
  return { problems, asked };
}

/**
 * Tests a deploy, and compares some of its answers, drawn at random, with the snapshot. A few failures may be a
 * platform's bad moment: then all is asked once more, and that decides.
 *
 * @param name what messages call the deploy
 * @returns what was asked, in a line
 * @throws Failure with what is wrong
 */
export async function testDeploy(url: string, name: string, test: DeployTest): Promise<string> {
  await waitForSnapshot(url, test.manifest.id, test);
  const first = await runTests(url, test);
  const isRepeated = first.problems.length > 0 && first.problems.length <= maxChanceFailures;
  const { problems, asked } = isRepeated ? await runTests(url, test) : first;
  if (problems.length === 0)
    return `${name} passes ${asked}${isRepeated ? ", the second time" : ""}`;
  throw new Failure(
    [
      `${name} at ${url} fails ${formatNumber(problems.length)} of ${asked}:`,
      ...truncateList(problems, "  "),
    ].join("\n"),
  );
}
