/**
 * Stops a build that would lose much of what is published: an export that lost rows looks like one from
 * which they were deleted.
 *
 * The bounds are above what a site loses between two releases (a few posts, comments and votes that are
 * moderated), and below what a broken export loses: a table that is empty or cut, a column that is gone.
 */
import { pagePath, type CollectionFile } from "../../functions/contract/collection.ts";
import { formatted } from "../lib/format-number.ts";
import { postDigests, type SnapshotManifest } from "../snapshot/manifest.ts";
import { pageFile } from "../snapshot/published-files.ts";
import type { Totals } from "../snapshot/totals.ts";
import { defaultCollectionFile } from "./collection-file.ts";
import type { ComparedSnapshot } from "./compared-snapshot.ts";

/** Posts that may go: this share of the published ones, and always this number. */
const removalShare = 0.05;
const leastRemovals = 10;

/** The share of each total that may go, in percent; of votes and similar posts, five times as much. */
export const defaultMaxLoss = 10;
/**
 * A few posts have most votes, so one removed post may take many: votes may lose this many times the share. So may
 * similar posts, which another way to find them changes.
 */
const ofFewPosts = 5;

/**
 * What each total is called, the loss that is never too much (in a small collection, a few are a large
 * share), and how many times the share may go.
 */
const rules: readonly {
  readonly total: keyof Totals;
  readonly name: string;
  readonly least: number;
  readonly times?: number;
}[] = [
  { total: "comments", name: "comments", least: 10 },
  { total: "tags", name: "tags", least: 10 },
  { total: "taggedPosts", name: "posts with tags", least: 10 },
  { total: "tagLinks", name: "tags of posts", least: 20 },
  { total: "likes", name: "likes", least: 50, times: ofFewPosts },
  { total: "dislikes", name: "dislikes", least: 50, times: ofFewPosts },
  { total: "bookmarks", name: "bookmarks", least: 50, times: ofFewPosts },
  { total: "commentVotes", name: "votes on comments", least: 50, times: ofFewPosts },
  { total: "replies", name: "replies to comments", least: 10 },
  { total: "pictures", name: "posts with a picture", least: 10 },
  { total: "welcomeFlags", name: "posts that say whether they are welcomed", least: 10 },
  { total: "similarPosts", name: "similar posts", least: 50, times: ofFewPosts },
  { total: "explanations", name: "posts with an explanation of the content filter", least: 10 },
  { total: "titles", name: "posts with a title", least: 10 },
  { total: "bodies", name: "posts with a text", least: 10 },
  { total: "authors", name: "comments with an author", least: 10 },
  { total: "commentTexts", name: "comments with a text", least: 10 },
  { total: "characters", name: "characters of text", least: 5000 },
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
  { location, manifest }: ComparedSnapshot,
  postIds: ReadonlySet<number>,
  { maxRemovals }: AllowedLosses,
): string | undefined {
  const old = [...postDigests(manifest).keys()];
  const removed = old.filter((id) => !postIds.has(id)).length;
  const limit = maxRemovals ?? Math.max(leastRemovals, Math.floor(old.length * removalShare));
  return removed <= limit
    ? undefined
    : `it would remove ${formatted(removed)} of ${formatted(old.length)} posts of ${location}, more than ${formatted(limit)}. ` +
        `If that is right, allow it with --max-removals ${removed}. ${otherCollection}`;
}

/**
 * Totals that a build would lower by too much. Posts that go take their comments, tags and votes with
 * them, so their share is allowed in addition.
 *
 * @returns a sentence that names every such total, and the option that allows it; undefined where there is none
 */
export function tooMuchLost(
  { location, manifest }: ComparedSnapshot,
  { counts: after }: SnapshotManifest,
  { maxLoss }: AllowedLosses,
): string | undefined {
  const before = manifest.counts;
  const removedShare = Math.max(0, before.posts - after.posts) / Math.max(1, before.posts);
  const lost = rules.flatMap(({ total, name, least, times = 1 }) => {
    const was = before[total];
    const is = after[total];
    // A program before this one may not have counted it.
    if (was === undefined || is === undefined) return [];
    const loss = was - is;
    // In units of the option.
    const share = (100 * (loss / Math.max(1, was) - removedShare)) / times;
    return loss > least && share > maxLoss ? [{ name, was, is, share }] : [];
  });
  if (lost.length === 0) return undefined;
  const worst = Math.ceil(Math.max(...lost.map(({ share }) => share)));
  const list = lost.map(
    ({ name, was, is }) =>
      `${name} from ${formatted(was)} to ${formatted(is)} (-${percent(was - is, was)} %)`,
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
export function pageLost(
  { location, manifest }: ComparedSnapshot,
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
