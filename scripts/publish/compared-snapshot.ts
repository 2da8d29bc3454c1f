/** The snapshot that is published now: in a folder, or on a live site. */
import { postFile } from "../../functions/contract/http.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { PostReader } from "../snapshot/read-posts.ts";
import { Failure } from "../cli/command.ts";
import type { Comparison } from "./options.ts";
import type { Report } from "./report.ts";
import { printable } from "../lib/printable.ts";
import { ask, reasonOf } from "../lib/site-request.ts";
import {
  ManifestError,
  parseManifest,
  readManifest,
  type SnapshotManifest,
} from "../snapshot/manifest.ts";

/** The snapshot that a new one is compared with: that of a folder, or of a site. */
export interface ComparedSnapshot {
  /** Its folder, or the URL of its snapshot.json. */
  readonly location: string;
  readonly manifest: SnapshotManifest;
  /** A post's document; undefined, or an error, where it cannot be read. */
  readonly readPost: (postId: number) => Promise<Post | undefined>;
}

/** A site gives nothing to compare with. */
export class SiteFailure extends Failure {
  /** Why, without what to do. */
  readonly reason: string;
  /** Whether it answered at all. */
  readonly isReached: boolean;

  /** @param url of its snapshot.json */
  constructor(url: string, reason: string, isReached = true) {
    super(
      `build stopped: ${url}: ${printable(reason)}. The build compares itself with what is published there; ` +
        "name another snapshot.json with --against URL, or build without comparing: --against none.",
    );
    this.reason = printable(reason);
    this.isReached = isReached;
  }
}

/** The manifest in a folder; undefined where there is none, or none that this program can read. */
export function manifestIn(folder: string): SnapshotManifest | undefined {
  try {
    return readManifest(folder);
  } catch {
    return undefined;
  }
}

/** The snapshot in a folder, if there is one. */
export function localSnapshot(folder: string): ComparedSnapshot | undefined {
  const manifest = manifestIn(folder);
  let reader: PostReader | undefined;
  return (
    manifest && {
      location: folder,
      manifest,
      readPost: async (postId) => (reader ??= new PostReader(folder)).post(postId),
    }
  );
}

/**
 * What a build is compared with, as far as it is known before the target is read.
 *
 * @param report gets a line where nothing is published yet
 * @throws Failure as `snapshotOn`
 */
export async function resolvedComparison(
  comparison: Comparison,
  report: Pick<Report, "say">,
): Promise<ComparedSnapshot | undefined | "target"> {
  if (comparison === "target") return comparison;
  if (comparison === "nothing") return undefined;
  const { url, mayBeNew } = comparison;
  const live = await snapshotOn(url);
  if (live === undefined && !mayBeNew) throw new SiteFailure(url, "the site answers 404");
  if (live === undefined)
    report.say(`${url} answers 404: nothing is published there yet to compare with`);
  return live;
}

/**
 * The snapshot of a live site.
 *
 * @param url of its snapshot.json
 * @param signal ends the request early
 * @returns undefined where nothing is published yet: the site answers 404
 * @throws SiteFailure when the site does not answer, or not with a manifest
 */
export async function snapshotOn(
  url: string,
  signal?: AbortSignal,
): Promise<ComparedSnapshot | undefined> {
  let response: Response;
  let text: string;
  try {
    response = await ask(url, signal && { signal });
    text = await response.text();
  } catch (error) {
    throw new SiteFailure(url, reasonOf(error as Error), false);
  }
  if (response.status === 404) return undefined;
  if (!response.ok) throw new SiteFailure(url, `the site answers ${response.status}`);
  try {
    const manifest = parseManifest(text);
    return { location: url, manifest, readPost: (postId) => livePost(url, postId) };
  } catch (error) {
    throw error instanceof ManifestError
      ? new SiteFailure(url, `the answer ${error.message}`)
      : error;
  }
}

async function livePost(snapshotUrl: string, postId: number): Promise<Post | undefined> {
  const response = await ask(new URL(postFile(postId), snapshotUrl).href);
  return response.ok ? ((await response.json()) as Post) : undefined;
}
