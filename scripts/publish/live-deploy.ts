/** Makes a tested draft live, tests it there, and rolls back: where that fails or a signal comes, the previous deploy is put back. */
import { takingSignals } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import type { SnapshotManifest } from "../snapshot/manifest.ts";
import { assertShows, lookMilliseconds, testDeploy, type DeployTest } from "./deploy-test.ts";
import type { Draft, NetlifyCli, Site } from "./netlify-cli.ts";
import type { Report } from "./report.ts";

/** What a deploy is made live with. */
export interface LiveStage {
  readonly cli: NetlifyCli;
  /** The site as it was when the release began. */
  readonly site: Site;
  /** The snapshot that was live then, where there was one. */
  readonly before: SnapshotManifest | undefined;
  /** What the new deploy is tested for. */
  readonly test: DeployTest;
  readonly report: Report;
}

/** A failure after which something of the release may be live. */
export class LiveFailure extends Failure {
  /** What visitors get, in a sentence. */
  readonly live: string;

  constructor(reason: string, live: string) {
    super(reason);
    this.live = live;
  }
}

/** How often `restore` asks whether the new deploy is live after all: a request that failed may still take effect. */
const mostLooks = 6;
/** How often `restore` tries, and milliseconds between: what fails the live test may fail the API, too. */
const [mostTries, betweenTries] = [6, 10_000];
/**
 * Ctrl-C within this time of the first signal counts as the same: npm passes on what the terminal sends, too.
 * Later, it ends the process. Other signals never do: hosts of CI send SIGTERM some seconds after SIGINT.
 */
const repeatedMilliseconds = 5000;

/**
 * Makes a draft live and tests it. Signals end nothing meanwhile: after one, the test goes no further, and the
 * deploy before is put back; one that comes after the last check changes nothing.
 *
 * @throws LiveFailure with the reason, what was done about it, and what is live
 */
export async function goLive(stage: LiveStage, draft: Draft): Promise<void> {
  const { cli, site, test, report } = stage;
  const interruption = new AbortController();
  const onSignal = signalHandler(interruption, report, site, draft);
  await takingSignals(onSignal, async () => {
    try {
      // A signal does not stop this request: once it is sent, it would still make the deploy live later.
      await cli.publish(draft.deployId);
      report.say(`live: deploy ${draft.deployId} at ${site.url}`);
      interruption.signal.throwIfAborted();
      const tested = { ...test, signal: interruption.signal };
      report.say(await testDeploy(site.url, "the live site", tested));
    } catch (error) {
      const done = await putBack(stage, draft);
      const reason = `${(error as Error).message}\n${done}`;
      throw new LiveFailure(reason, await liveNow(cli, site, draft));
    }
  });
}

/** Interrupts at the first signal; a late Ctrl-C ends the process at once, with what may be live. */
function signalHandler(
  interruption: AbortController,
  report: Report,
  { url }: Site,
  { deployId }: Draft,
): (signal: NodeJS.Signals) => void {
  let first: number | undefined;
  return (signal) => {
    if (first === undefined) {
      first = performance.now();
      interruption.abort(
        new Failure(`release stopped: ${signal} came before the live site was tested.`),
      );
    } else if (signal === "SIGINT" && performance.now() - first >= repeatedMilliseconds) {
      report.note(
        `release stopped: deploy ${deployId} may be live, untested, at ${url}. Look at Deploys on app.netlify.com.`,
      );
      process.exit(130);
    }
  };
}

/**
 * Rolls back. Looks for some seconds whether the new deploy is live; if it is, makes the previous one live again, and if
 * it is not, changes nothing. What fails is tried again.
 *
 * @param previous id of the deploy that was live before
 * @returns whether it was put back; false where the new deploy is not live
 * @throws what the last try throws
 */
async function restore(
  { cli, report, test: { wait } }: LiveStage,
  { deployId }: Draft,
  previous: string,
): Promise<boolean> {
  let isSent = false;
  for (let tries = 1; ; tries++)
    try {
      let now: string | undefined;
      // A request that got no answer may still have its effect.
      for (let look = 0; look < mostLooks && now !== deployId; look++) {
        if (look > 0) await wait(lookMilliseconds);
        ({ publishedDeployId: now } = await cli.site());
      }
      if (now !== deployId) return isSent && now === previous;
      isSent = true;
      await cli.publish(previous);
      return true;
    } catch (error) {
      if (tries === mostTries) throw error;
      report.note(
        `Deploy ${previous} could not be put back yet; trying again: ${(error as Error).message}`,
      );
      await wait(betweenTries);
    }
}

/** Puts the deploy back that was live before, and proves it by its snapshot. @returns what was done, in words */
async function putBack(stage: LiveStage, draft: Draft): Promise<string> {
  const { site, before, test } = stage;
  const previous = site.publishedDeployId;
  if (previous === undefined)
    return "There is no earlier deploy to put back. Fix the cause and release again.";
  try {
    if (!(await restore(stage, draft, previous)))
      return "The new deploy is not live, so none was put back.";
    if (before === undefined)
      return `Deploy ${previous} was put back; it has no snapshot to prove it by.`;
    await assertShows(site.url, before.id, { wait: test.wait });
    return `Deploy ${previous} was put back: the site shows its snapshot ${before.id.slice(0, 12)} again.`;
  } catch (error) {
    return `Deploy ${previous} could not be put back: ${(error as Error).message} Publish it by hand: Deploys on app.netlify.com.`;
  }
}

/** How messages name a deploy. */
export const deployName = (id: string | undefined): string =>
  id === undefined ? "nothing, the site has no deploy yet" : `deploy ${id}`;

/**
 * What visitors get now, in a sentence.
 *
 * @param siteBefore the site as it was when the release began
 * @param draft that may have become live; undefined where none was published
 */
export async function liveNow(cli: NetlifyCli, siteBefore: Site, draft?: Draft): Promise<string> {
  try {
    const { publishedDeployId: now } = await cli.site();
    const whose =
      now !== undefined && now === draft?.deployId
        ? "the new one"
        : now === siteBefore.publishedDeployId
          ? "as before this release"
          : "published by somebody else meanwhile";
    return `Live now at ${siteBefore.url}: ${deployName(now)}, ${whose}.`;
  } catch (error) {
    return draft === undefined
      ? `Live when it began: ${deployName(siteBefore.publishedDeployId)}.`
      : `What is live now is not known (${(error as Error).message}). Look at Deploys on app.netlify.com.`;
  }
}
