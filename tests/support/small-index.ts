/** Indexes of small collections, laid out so small that every path of the code is taken. */
import { join } from "node:path";
import fc from "fast-check";
import type { SearchHit } from "../../functions/contract/resources.ts";
import { normalize } from "../../functions/engine/normalize.ts";
import { PostTexts } from "../../scripts/lib/post-texts.ts";
import type { Layout } from "../../scripts/search-index/write-segments.ts";
import {
  writeSearchIndex,
  type SearchIndexOptions,
} from "../../scripts/search-index/write-index.ts";
import { temporaryFolder } from "./support.ts";

/** Frequent from three posts on; blocks and pages of a few lists, ranges of a few units, segments of a few posts. */
export const smallLayout: Layout = {
  frequentFrom: () => 3,
  blockBytes: 120,
  pageBytes: 30,
  rangePositions: 60,
  largestSegment: () => 8,
};

/** A post's title and text. */
export type TitleAndText = readonly [title: string, text: string];

const hitOf = ([title]: TitleAndText, number: number, postId: number): SearchHit => ({
  postId,
  postTitle: title,
  postUrl: `https://cases.example/${number}`,
  postDateGmt: "2024-01-01T00:00:00.000Z",
  countLikes: number % 7,
  countDislikes: 0,
  countComments: 0,
  tagNames: number % 3 === 0 ? ["a", "b"] : ["b"],
});

/**
 * Writes the index of some posts, which are in their order, into a new snapshot folder.
 *
 * @param options `postIds`: their ids; descending by default
 */
export async function smallIndex(
  posts: readonly TitleAndText[],
  {
    postIds = posts.map((_, number) => 1000 - number),
    ...options
  }: Partial<SearchIndexOptions> & { readonly postIds?: readonly number[] } = {},
): Promise<string> {
  const folder = join(temporaryFolder(), "dist");
  const hits = posts.map((post, number) => hitOf(post, number, postIds[number]!));
  // By ascending id, as the build has them: the other way round.
  const texts = PostTexts.of(
    posts
      .map(([title, text], i) => ({ postId: hits[i]!.postId, title, text, tags: [] }))
      .toReversed(),
  );
  await writeSearchIndex(folder, hits, texts, {
    snapshot: "0".repeat(64),
    layout: smallLayout,
    ...options,
  });
  return folder;
}

/** A title or a text as it is searched: with a space on each side. */
export const searched = (text: string): string => ` ${normalize(text)} `;

/** The numbers of the posts that contain a keyword, by the letter of the contract. */
export const postsWith = (posts: readonly TitleAndText[], keyword: string): number[] =>
  [...posts.keys()].filter((i) => posts[i]!.some((text) => searched(text).includes(keyword)));

/** Posts of so few different characters that most grams are frequent. */
export const posts: fc.Arbitrary<TitleAndText[]> = fc
  .constantFrom("ab", "abc ", "あいうえ", "a𠮷😀い")
  .chain((units) =>
    fc.array(
      fc.tuple(
        fc.string({ unit: fc.constantFrom(...units), maxLength: 5 }),
        fc.string({ unit: fc.constantFrom(...units), maxLength: 40 }),
      ),
      { minLength: 1, maxLength: 24 },
    ),
  );

/** Pieces of the posts' texts, pieces put together, and what is in none. */
export const needlesOf = (all: readonly TitleAndText[]): fc.Arbitrary<string> => {
  const texts = all.flat().map(normalize);
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(40), fc.integer({ min: 1, max: 40 }))
    .map(([text, at, length]) => text.slice(at % Math.max(1, text.length)).slice(0, length));
  return fc
    .oneof(
      { weight: 6, arbitrary: piece },
      { weight: 2, arbitrary: fc.tuple(piece, piece).map((both) => both.join("")) },
      { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."abcあい "), maxLength: 30 }) },
    )
    .filter((keyword) => keyword !== "");
};
