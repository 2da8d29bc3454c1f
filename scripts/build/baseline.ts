/** What a build is compared with: the snapshot in a folder, or that of a live site. */
import { Failure } from "../cli/command.ts";
import { escapeControlChars } from "../lib/text.ts";
import { ask, failureReason } from "../lib/http.ts";
import {
  ManifestError,
  parseManifest,
  readManifest,
  type SnapshotManifest,
} from "../snapshot/manifest.ts";

/** What a new snapshot is compared with: the one in its target, nothing, or a live one. */
export type Comparison =
  | "target"
  | "nothing"
  | {
      /** Of its snapshot.json. */
      readonly url: string;
      /** Whether the site may be without one: not where somebody names it. */
      readonly allowMissing: boolean;
    };

/** The snapshot that a new one is compared with. */
export interface Baseline {
  /** Its folder, or the URL of its snapshot.json. */
  readonly location: string;
  readonly manifest: SnapshotManifest;
}

/** A site gives nothing to compare with. */
export class SiteFailure extends Failure {
  /** Why, without what to do. */
  readonly reason: string;
  /** Whether it answered at all. */
  readonly isReached: boolean;

  /**
   * @param url of its snapshot.json
   */
  constructor(url: string, reason: string, isReached = true) {
    super(
      `build stopped: ${url}: ${escapeControlChars(reason)}. The build compares itself with what is published there; ` +
        "name another snapshot.json with --against URL, or build without comparing: --against none.",
    );
    this.reason = escapeControlChars(reason);
    this.isReached = isReached;
  }
}

/** Reads the snapshot in a folder; undefined where there is none, or none that this program can read. */
export function readBaseline(folder: string): Baseline | undefined {
  try {
    return { location: folder, manifest: readManifest(folder) };
  } catch {
    return undefined;
  }
}

/**
 * Resolves what a build is compared with, as far as it is known before the target is read.
 *
 * @param log gets a line where nothing is published yet
 * @throws Failure as `fetchBaseline`
 */
export async function resolveBaseline(
  comparison: Comparison,
  log: (line: string) => void,
): Promise<Baseline | undefined | "target"> {
  if (comparison === "target") return comparison;
  if (comparison === "nothing") return undefined;
  const { url, allowMissing } = comparison;
  const live = await fetchBaseline(url);
  if (live === undefined && !allowMissing) throw new SiteFailure(url, "the site answers 404");
  if (live === undefined) log(`${url} answers 404: nothing is published there yet to compare with`);
  return live;
}

/**
 * Fetches the snapshot.json of a live site.
 *
 * @param signal ends the request early
 * @returns undefined where nothing is published yet: the site answers 404
 * @throws SiteFailure when the site does not answer, or not with a manifest
 */
export async function fetchBaseline(
  url: string,
  signal?: AbortSignal,
): Promise<Baseline | undefined> {
  let response: Response;
  let text: string;
  try {
    response = await ask(url, signal && { signal });
    text = await response.text();
  } catch (error) {
    throw new SiteFailure(url, failureReason(error as Error), false);
  }
  if (response.status === 404) return undefined;
  if (!response.ok) throw new SiteFailure(url, `the site answers ${response.status}`);
  try {
    return { location: url, manifest: parseManifest(text) };
  } catch (error) {
    throw error instanceof ManifestError
      ? new SiteFailure(url, `the answer ${error.message}`)
      : error;
  }
}
