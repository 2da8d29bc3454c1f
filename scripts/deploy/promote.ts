/** Makes a tested draft live and tests it there; where that fails or a signal comes, puts the previous deploy back. */
import { deferSignals } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { testDeploy, waitForSnapshot, type DeployTest } from "../checks/deploy-test.ts";
import type { Draft, NetlifyCli, NetlifySite } from "./netlify-cli.ts";
import type { Report } from "../build/report.ts";

/** What a deploy is made live with. */
export interface Promotion {
  readonly cli: NetlifyCli;
  /** The site as it was when the release began. */
  readonly site: NetlifySite;
  /** The snapshot that was live then, where there was one. */
  readonly before: SnapshotManifest | undefined;
  /** What the new deploy is tested for. */
  readonly test: DeployTest;
  readonly report: Report;
}

/** How often a rollback is tried, and milliseconds between: what fails the live test may fail the API, too. */
const maxAttempts = 6;
const retryIntervalMs = 10_000;

/**
 * Makes a draft live and tests it. A signal ends nothing meanwhile: the test goes no further, and the previous deploy is
 * put back.
 *
 * @throws Failure with the reason, and what was done about it
 */
export async function promoteDraft(promotion: Promotion, { deployId }: Draft): Promise<void> {
  const { cli, site, test, report } = promotion;
  const interruption = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    report.info(`${signal} came: the previous deploy is put back first.`);
    interruption.abort(
      new Failure(`release stopped: ${signal} came before the live site was tested.`),
    );
  };
  await deferSignals(onSignal, async () => {
    try {
      // A signal does not stop this request: once it is sent, it would still make the deploy live later.
      await cli.publish(deployId);
      report.log(`live: deploy ${deployId} at ${site.url}`);
      interruption.signal.throwIfAborted();
      const tested = { ...test, signal: interruption.signal };
      report.log(await testDeploy(site.url, "the live site", tested));
    } catch (error) {
      throw new Failure(`${(error as Error).message}\n${await rollback(promotion, deployId)}`);
    }
  });
}

/**
 * Puts the previous deploy back, and proves it by its snapshot. What somebody else has made live meanwhile stays.
 *
 * @returns what was done, in words
 */
async function rollback(
  { cli, site, before, test, report }: Promotion,
  deployId: string,
): Promise<string> {
  const previous = site.publishedDeployId;
  if (previous === undefined)
    return "There is no earlier deploy to put back. Fix the cause and release again.";
  for (let attempt = 1; ; attempt++)
    try {
      const { publishedDeployId: now } = await cli.site();
      if (now !== deployId && now !== previous)
        return "Somebody else made another deploy live meanwhile. It stays.";
      // Also where the site does not show the new deploy: a request that got no answer may still have its effect.
      await cli.publish(previous);
      if (before === undefined)
        return `Deploy ${previous} was put back; it has no snapshot to prove it by.`;
      await waitForSnapshot(site.url, before.id, { wait: test.wait });
      return `Deploy ${previous} was put back: the site shows its snapshot ${before.id.slice(0, 12)} again.`;
    } catch (error) {
      const { message } = error as Error;
      if (attempt === maxAttempts)
        return `Deploy ${previous} could not be put back: ${message} Publish it by hand: Deploys on app.netlify.com.`;
      report.info(`Deploy ${previous} could not be put back yet; trying again: ${message}`);
      await test.wait(retryIntervalMs);
    }
}

/** How messages name a deploy. */
const deployName = (id: string | undefined): string =>
  id === undefined ? "nothing, the site has no deploy yet" : `deploy ${id}`;

/**
 * Says what visitors get now, in a sentence.
 *
 * @param before the site as it was when the release began
 */
export async function describeLiveDeploy(cli: NetlifyCli, before: NetlifySite): Promise<string> {
  try {
    const { publishedDeployId: now } = await cli.site();
    const change =
      now === before.publishedDeployId
        ? "as before this release"
        : "another than before this release";
    return `Live now at ${before.url}: ${deployName(now)}, ${change}.`;
  } catch (error) {
    return `Live when the release began: ${deployName(before.publishedDeployId)}. What is live now is not known (${(error as Error).message}). Look at Deploys on app.netlify.com.`;
  }
}
