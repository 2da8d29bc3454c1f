/** What "similar" is measured by: tags that the method did not see. */
import { readFileSync } from "node:fs";
import { mostSimilar } from "../functions/contract/resources.ts";
import { normalize } from "../functions/engine/normalize.ts";
import { topK } from "../functions/engine/top-k.ts";
import { PostTexts } from "../scripts/lib/post-texts.ts";
import { visibleText } from "../scripts/documents/visible-text.ts";
import { allWordsIn, postsOf, randomFrom } from "./corpus.ts";

/** A post, and the tags that judge. */
export interface JudgedPost {
  readonly postId: number;
  readonly title: string;
  readonly text: string;
  readonly tags: ReadonlySet<string>;
}

/** Similar posts of each post, by position, best first. */
export type Ranking = readonly (readonly number[])[];

export const readPosts = (file: string): JudgedPost[] =>
  Array.from(postsOf(file), ({ postId, postTitle, postContentHtml, tags }) => ({
    postId,
    title: postTitle,
    text: visibleText(postContentHtml),
    tags: new Set(tags.map(({ tagName }) => tagName)),
  }));

/** What the build's own method is given: everything but tags. */
export const withoutTags = (posts: readonly JudgedPost[]): PostTexts =>
  PostTexts.of(posts.map(({ title, text }, i) => ({ postId: i, title, text, tags: [] })));

/** Posts that count in a ranking. */
const judged = 5;

/** Quality of a ranking; each figure is a mean over posts, from 0 to 1. */
export interface Quality {
  /** Tags in common, of all tags of both (Jaccard). */
  readonly tagOverlap: number;
  /** Of the first five places, how many hold a post that shares the post's rarest tag. */
  readonly rarestTag: number;
  /** Of the posts that are given among the first five, the share with the post's rarest tag. */
  readonly rarestTagGiven: number;
  /** Posts given for a post, of fifteen. */
  readonly given: number;
}

export function qualityOf(posts: readonly JudgedPost[], ranking: Ranking): Quality {
  const frequency = new Map<string, number>();
  for (const { tags } of posts)
    for (const tag of tags) frequency.set(tag, (frequency.get(tag) ?? 0) + 1);
  const rarestOf = (tags: ReadonlySet<string>): string | undefined =>
    [...tags]
      .filter((tag) => (frequency.get(tag) ?? 0) > 1)
      .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))[0];
  let overlap = 0;
  let shared = 0;
  let sharing = 0;
  let sharingGiven = 0;
  let given = 0;
  for (const [i, { tags }] of posts.entries()) {
    const first = (ranking[i] ?? []).slice(0, judged).map((other) => posts[other]!.tags);
    given += Math.min(mostSimilar, ranking[i]?.length ?? 0);
    for (const theirs of first) {
      const both = [...tags].filter((tag) => theirs.has(tag)).length;
      overlap += both / Math.max(1, tags.size + theirs.size - both) / judged;
    }
    const rarest = rarestOf(tags);
    if (rarest === undefined) continue;
    sharing++;
    sharingGiven += first.length;
    shared += first.filter((theirs) => theirs.has(rarest)).length / judged;
  }
  return {
    tagOverlap: overlap / posts.length,
    rarestTag: shared / Math.max(1, sharing),
    rarestTagGiven: (shared * judged) / Math.max(1, sharingGiven),
    given: given / posts.length,
  };
}

/** Which posts a person who read them called related, by position; of the posts that were judged. */
export function readRelated(
  file: string,
  posts: readonly JudgedPost[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const positions = new Map(posts.map(({ postId }, i) => [postId, i]));
  const positionOf = (id: string): number => positions.get(Number(id)) ?? -1;
  const lines = readFileSync(file, "utf8").trim().split("\n").slice(1);
  return new Map(
    lines.map((line) => {
      const [id = "", related = ""] = line.split("\t");
      return [positionOf(id), new Set(related.split(" ").map(positionOf))];
    }),
  );
}

/** Of the first posts that are given, how many a reader called related. */
export function precisionOf(
  ranking: Ranking,
  related: ReadonlyMap<number, ReadonlySet<number>>,
  first: number,
): { readonly right: number; readonly given: number } {
  let right = 0;
  let given = 0;
  for (const [post, wanted] of related)
    for (const other of (ranking[post] ?? []).slice(0, first)) {
      given++;
      if (wanted.has(other)) right++;
    }
  return { right, given };
}

/** Five posts at random, the same at every run. */
export function randomRanking(posts: readonly JudgedPost[]): Ranking {
  const random = randomFrom(1);
  return posts.map(() => Array.from({ length: judged }, () => Math.floor(random() * posts.length)));
}

/** Plain TF-IDF over words: raw counts, whole vectors, cosine. */
export function wordRanking(posts: readonly JudgedPost[]): Ranking {
  const vectors = posts.map(({ title, text }, post) => {
    const words = Map.groupBy(allWordsIn(normalize(`${title}\n${text}`)), (word) => word);
    return Array.from(words, ([word, { length }]) => ({ post, word, weight: length }));
  });
  const lists = Map.groupBy(vectors.flat(), ({ word }) => word);
  for (const vector of vectors) {
    for (const one of vector) one.weight *= Math.log(posts.length / lists.get(one.word)!.length);
    const length = Math.hypot(...vector.map(({ weight }) => weight)) || 1;
    for (const one of vector) one.weight /= length;
  }
  const score = new Float64Array(posts.length);
  return vectors.map((vector, self) => {
    score.fill(0);
    for (const { word, weight } of vector)
      for (const other of lists.get(word)!)
        score[other.post] = score[other.post]! + weight * other.weight;
    score[self] = 0;
    const scored = [...score.keys()].filter((post) => score[post]! > 0);
    return topK(scored, score, judged);
  });
}
