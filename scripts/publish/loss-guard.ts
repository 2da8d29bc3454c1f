/**
 * Stops a build that would lose much of what is published: an export that lost rows looks like one from
 * which they were deleted.
 *
 * The bounds are above what a site loses between two releases (a few posts, comments and votes that are
 * moderated), and below what a broken export loses: a table that is empty or cut, a column that is gone.
 */
import { number } from "../cli/number.ts";
import { isCurrent, postDigests, type SnapshotManifest } from "../snapshot/manifest.ts";
import type { Totals } from "../snapshot/totals.ts";
import type { Published } from "./compared-snapshot.ts";

/** Posts that may go: this share of the published ones, and always this number. */
const removalShare = 0.05;
const leastRemovals = 10;

/** The share of each total that may go, in percent. */
export const defaultMaxLoss = 10;
/** Losses up to these are never too many: in a small collection, a few are a large share. */
const leastLosses: Readonly<Record<keyof Omit<Totals, "posts">, number>> = {
  comments: 10,
  tags: 10,
  taggedPosts: 10,
  likes: 50,
  bookmarks: 50,
  characters: 5000,
};
const names: Readonly<Record<keyof typeof leastLosses, string>> = {
  comments: "comments",
  tags: "tags",
  taggedPosts: "posts with tags",
  likes: "likes",
  bookmarks: "bookmarks",
  characters: "characters of text",
};

/** Losses that were allowed by options; undefined for the defaults. */
export interface AllowedLosses {
  /** Posts. */
  readonly maxRemovals: number | undefined;
  /** Percent of every other total. */
  readonly maxLoss: number;
}

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(0);

/**
 * Posts that a build would remove, where they are too many.
 *
 * @returns a sentence that names the option that allows it; undefined where it removes few
 */
export function tooManyRemovals(
  { place, manifest }: Published,
  postIds: ReadonlySet<number>,
  { maxRemovals }: AllowedLosses,
): string | undefined {
  const old = isCurrent(manifest) ? [...postDigests(manifest).keys()] : undefined;
  const count = old?.length ?? (isCurrent(manifest) ? 0 : (manifest.posts ?? 0));
  const removed = old?.filter((id) => !postIds.has(id)).length ?? Math.max(0, count - postIds.size);
  const limit = maxRemovals ?? Math.max(leastRemovals, Math.floor(count * removalShare));
  return removed <= limit
    ? undefined
    : `it would remove ${number(removed)} of ${number(count)} posts of ${place}, more than ${number(limit)}. ` +
        `If that is right, allow it with --max-removals ${removed}.`;
}

/**
 * Totals that a build would lower by too much. Posts that go take their comments, tags and votes with
 * them, so their share is allowed in addition.
 *
 * @returns a sentence that names every such total, and the option that allows it; undefined where there is none
 */
export function tooMuchLost(
  { place, manifest }: Published,
  { counts: after }: SnapshotManifest,
  { maxLoss }: AllowedLosses,
): string | undefined {
  if (!isCurrent(manifest)) return undefined;
  const before = manifest.counts;
  const removedShare = Math.max(0, before.posts - after.posts) / Math.max(1, before.posts);
  const lost = (Object.keys(leastLosses) as (keyof typeof leastLosses)[]).flatMap((name) => {
    const [was, is] = [before[name] ?? 0, after[name] ?? 0];
    const isTooMuch =
      was - is > leastLosses[name] && was - is > was * (maxLoss / 100 + removedShare);
    return isTooMuch ? [{ name, was, is, share: (100 * (was - is)) / was }] : [];
  });
  if (lost.length === 0) return undefined;
  const worst = Math.ceil(Math.max(...lost.map(({ share }) => share)));
  const list = lost.map(
    ({ name, was, is }) =>
      `${names[name]} from ${number(was)} to ${number(is)} (-${percent(was - is, was)} %)`,
  );
  return (
    `it would lower ${list.join(", ")}, compared with ${place}. More than ${maxLoss} % may mean that the export is ` +
    `incomplete. If that is right, allow it with --max-loss ${worst}.`
  );
}
