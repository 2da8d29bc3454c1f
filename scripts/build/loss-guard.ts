/**
 * Stops a build that would lose much of what is published: an export that lost rows looks like one from
 * which they were deleted.
 *
 * The bounds are above what a site loses between two releases (a few posts, comments and votes that are
 * moderated), and below what a broken export loses: a table that is empty or cut, a column that is gone.
 */
import { pagePath, type CollectionFile } from "../../functions/contract/collection.ts";
import { formatNumber } from "../lib/text.ts";
import { postDigests, type SnapshotManifest } from "../snapshot/manifest.ts";
import { pageFile } from "../snapshot/published-files.ts";
import { totalLabels, type Totals } from "../snapshot/totals.ts";
import { defaultCollectionFile } from "./collection-file.ts";
import type { Baseline } from "./baseline.ts";

/** Posts that may go: this share of the published ones, and always this number. */
const removalShare = 0.05;
const leastRemovals = 10;

/** The share of each total that may go, in percent. */
export const defaultMaxLoss = 10;

/** The loss of each total that is never too much: in a small collection, a few are a large share. */
const rules: readonly { readonly total: keyof Totals; readonly least: number }[] = [
  { total: "comments", least: 10 },
  { total: "tags", least: 10 },
  { total: "tagLinks", least: 20 },
  { total: "characters", least: 5000 },
];

/** Losses that were allowed by options; undefined for the defaults. */
export interface AllowedLosses {
  /** Posts. */
  readonly maxRemovals: number | undefined;
  /** Percent of every other total. */
  readonly maxLoss: number;
}

/** What to do where posts are meant to go together. */
const otherCollection =
  "If another collection takes the place of this one, build with --against none.";

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(0);

/**
 * Posts that a build would remove, where they are too many.
 *
 * @returns a sentence that names the option that allows it; undefined where it removes few
 */
export function tooManyRemovals(
  { location, manifest }: Baseline,
  postIds: ReadonlySet<number>,
  { maxRemovals }: AllowedLosses,
): string | undefined {
  const old = [...postDigests(manifest).keys()];
  const removed = old.filter((id) => !postIds.has(id)).length;
  const limit = maxRemovals ?? Math.max(leastRemovals, Math.floor(old.length * removalShare));
  return removed <= limit
    ? undefined
    : `it would remove ${formatNumber(removed)} of ${formatNumber(old.length)} posts of ${location}, more than ${formatNumber(limit)}. ` +
        `If that is right, allow it with --max-removals ${removed}. ${otherCollection}`;
}

/**
 * Totals that a build would lower by too much. Posts that go take their comments, tags and texts with
 * them, so their share is allowed in addition.
 *
 * @returns a sentence that names every such total, and the option that allows it; undefined where there is none
 */
function lowerTotals(
  { location, manifest }: Baseline,
  { counts: after }: SnapshotManifest,
  { maxLoss }: AllowedLosses,
): string | undefined {
  const { posts, ...before }: Partial<Totals> & Pick<Totals, "posts"> = manifest.counts;
  const removedShare = Math.max(0, posts - after.posts) / Math.max(1, posts);
  const lost = rules.flatMap(({ total, least }) => {
    // A program before this one may not have counted it.
    const { [total]: was = 0 }: Partial<Totals> = before;
    const { [total]: is = 0 }: Partial<Totals> = after;
    const loss = was - is;
    const share = 100 * (loss / Math.max(1, was) - removedShare);
    return loss > least && share > maxLoss ? [{ name: totalLabels[total], was, is, share }] : [];
  });
  if (lost.length === 0) return undefined;
  const worst = Math.ceil(Math.max(...lost.map(({ share }) => share)));
  const list = lost.map(
    ({ name, was, is }) =>
      `${name} from ${formatNumber(was)} to ${formatNumber(is)} (-${percent(was - is, was)} %)`,
  );
  return (
    `it would lower ${list.join(", ")}, compared with ${location}. Removed posts do not explain all of it, ` +
    `so the export may be incomplete. If these losses are right, allow them with --max-loss ${worst}. ${otherCollection}`
  );
}

/** Pages that are not at `/`: which one there is follows from the language of the posts. */
const otherPages = [
  [pagePath("en", "ja"), pageFile("en", "ja")],
  [pagePath("ja", "en"), pageFile("ja", "en")],
] as const;

/**
 * A page that a build would remove, since the posts are in another language, where the publisher's own file does not say
 * in which: what an export brings may be missing once, as where a pull could not read a site's home page.
 *
 * @param collection what the publisher's file says
 * @returns a sentence that names what to write there; undefined where no page goes
 */
function lostPage(
  { location, manifest }: Baseline,
  { files }: SnapshotManifest,
  { collection }: { readonly collection: CollectionFile },
): string | undefined {
  if (collection.language !== undefined) return undefined;
  const [path] = otherPages.find(([, file]) => file in manifest.files && !(file in files)) ?? [];
  return path === undefined
    ? undefined
    : `it would remove the page at ${path} of ${location}, and links to it would lead nowhere: the collection is in another language now. ` +
        `Write its language into ${defaultCollectionFile}, such as "language": "en".`;
}

/**
 * What a build would lose besides posts.
 *
 * @returns sentences that name what allows it; undefined where nothing is lost beyond the limits
 */
export const findLosses = (
  published: Baseline,
  manifest: SnapshotManifest,
  settings: AllowedLosses & { readonly collection: CollectionFile },
): string | undefined =>
  lowerTotals(published, manifest, settings) ?? lostPage(published, manifest, settings);
