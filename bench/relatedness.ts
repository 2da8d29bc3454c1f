/** What "similar" is measured by: tags that the method did not see. */
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { mostSimilar } from "../functions/contract/resources.ts";
import { normalise } from "../functions/search/normalise.ts";
import { postRows } from "../scripts/export/rows.ts";
import { openExport } from "../scripts/export/open.ts";
import { PostTexts } from "../scripts/lib/post-texts.ts";
import { visibleText } from "../scripts/documents/visible-text.ts";

/** A post, and the tags that judge. */
export interface JudgedPost {
  readonly postId: number;
  readonly title: string;
  readonly text: string;
  readonly tags: ReadonlySet<string>;
}

/** Similar posts of each post, by position, best first. */
export type Ranking = readonly (readonly number[])[];

export function readPosts(file: string): JudgedPost[] {
  const source = openExport(file);
  const posts = [...postRows(source)].map(({ post, tags }) => ({
    postId: post.post_id,
    title: post.post_title,
    text: visibleText(post.post_content_html),
    tags: new Set(tags.map(({ tagName }) => tagName)),
  }));
  source.close();
  return posts;
}

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
  /** For Aozora: posts whose first five hold another text of the same author or series. */
  readonly sameAuthor: number | undefined;
  /** Posts given for a post, of fifteen. */
  readonly given: number;
}

/** Names of decades and of publishers, as Aozora's tags have them; all other tags are people. */
const notPeople =
  /年代$|[社店房林院館堂園会會局]$|出版|文庫|刊行|書|新聞|センター|ぎょうせい|メタローグ|はローマ数字|」/u;

/** The part of a title that a series shares: what precedes a blank, bracket or number. */
const seriesOf = (title: string): string =>
  /^[^\s\u3000〔（(「―0-9０-９]{3,}(?=[\s\u3000〔（(「―0-9０-９])/u.exec(title)?.[0] ?? title;

export function qualityOf(
  posts: readonly JudgedPost[],
  ranking: Ranking,
  withAuthors: boolean,
): Quality {
  const frequency = new Map<string, number>();
  for (const { tags } of posts)
    for (const tag of tags) frequency.set(tag, (frequency.get(tag) ?? 0) + 1);
  const rarestOf = (tags: ReadonlySet<string>): string | undefined =>
    [...tags]
      .filter((tag) => (frequency.get(tag) ?? 0) > 1)
      .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))[0];
  const authors = posts.map(({ tags }) => new Set([...tags].filter((tag) => !notPeople.test(tag))));
  let overlap = 0;
  let shared = 0;
  let sharing = 0;
  let sharingGiven = 0;
  let sameAuthor = 0;
  let withAuthor = 0;
  let given = 0;
  for (const [i, { tags, title }] of posts.entries()) {
    const first = (ranking[i] ?? []).slice(0, judged);
    given += Math.min(mostSimilar, ranking[i]?.length ?? 0);
    for (const other of first) {
      const theirs = (posts[other] as JudgedPost).tags;
      const both = [...tags].filter((tag) => theirs.has(tag)).length;
      overlap += both / Math.max(1, tags.size + theirs.size - both) / judged;
    }
    const rarest = rarestOf(tags);
    if (rarest !== undefined) {
      sharing++;
      sharingGiven += first.length;
      shared +=
        first.filter((other) => (posts[other] as JudgedPost).tags.has(rarest)).length / judged;
    }
    const mine = authors[i] as ReadonlySet<string>;
    if (![...mine].some((author) => (frequency.get(author) ?? 0) > 1)) continue;
    withAuthor++;
    const series = seriesOf(title);
    if (
      first.some(
        (other) =>
          [...mine].some((author) => authors[other]?.has(author) === true) ||
          seriesOf((posts[other] as JudgedPost).title) === series,
      )
    )
      sameAuthor++;
  }
  return {
    tagOverlap: overlap / posts.length,
    rarestTag: shared / Math.max(1, sharing),
    rarestTagGiven: (shared * judged) / Math.max(1, sharingGiven),
    sameAuthor: withAuthors ? sameAuthor / Math.max(1, withAuthor) : undefined,
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
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  return posts.map(() => Array.from({ length: judged }, () => Math.floor(random() * posts.length)));
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** The words of a post, in every language: what ICU's dictionary takes for words. */
function wordsOf({ title, text }: JudgedPost): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(normalise(`${title}\n${text}`)))
    if (isWordLike === true) words.push(segment);
  return words;
}

/** Words of each post with their TF-IDF weights, as unit vectors. */
export function wordVectors(posts: readonly JudgedPost[]): Map<string, number>[] {
  const counted = posts.map((post) => {
    const counts = new Map<string, number>();
    for (const word of wordsOf(post)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  });
  const frequency = new Map<string, number>();
  for (const counts of counted)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return counted.map((counts) => {
    const weights = new Map(
      [...counts].map(([word, count]) => [
        word,
        count * Math.log(posts.length / (frequency.get(word) ?? 1)),
      ]),
    );
    const length = Math.hypot(...weights.values()) || 1;
    for (const [word, weight] of weights) weights.set(word, weight / length);
    return weights;
  });
}

/** Plain TF-IDF over words: raw counts, whole vectors, cosine. */
export function wordRanking(vectors: readonly ReadonlyMap<string, number>[]): Ranking {
  const lists = new Map<string, [post: number, weight: number][]>();
  for (const [post, vector] of vectors.entries())
    for (const [word, weight] of vector) {
      const list = lists.get(word);
      if (list === undefined) lists.set(word, [[post, weight]]);
      else list.push([post, weight]);
    }
  const score = new Float64Array(vectors.length);
  return vectors.map((vector, self) => {
    score.fill(0);
    for (const [word, weight] of vector)
      for (const [post, other] of lists.get(word) ?? [])
        score[post] = (score[post] as number) + weight * other;
    score[self] = 0;
    return bestOf(score);
  });
}

function bestOf(score: Float64Array): number[] {
  const best: number[] = [];
  for (let post = 0; post < score.length; post++) {
    const value = score[post] as number;
    if (
      value <= 0 ||
      (best.length === judged && value <= (score[best[judged - 1] as number] as number))
    )
      continue;
    let at = best.length;
    while (at > 0 && (score[best[at - 1] as number] as number) < value) at--;
    best.splice(at, 0, post);
    best.length = Math.min(best.length, judged);
  }
  return best;
}

/** SQLite FTS5: each post's twenty heaviest words as a query, ranked by `bm25`. */
export function ftsRanking(
  posts: readonly JudgedPost[],
  vectors: readonly ReadonlyMap<string, number>[],
): Ranking {
  const database = new Database(":memory:");
  database.exec("CREATE VIRTUAL TABLE posts USING fts5 (words, tokenize = 'unicode61')");
  const insert = database.prepare("INSERT INTO posts (rowid, words) VALUES (?, ?)");
  database.transaction(() => {
    for (const [i, post] of posts.entries()) insert.run(i + 1, wordsOf(post).join(" "));
  })();
  const search = database
    .prepare<[string, number], number>(
      "SELECT rowid - 1 FROM posts WHERE posts MATCH ? AND rowid <> ? ORDER BY bm25(posts), rowid LIMIT 5",
    )
    .pluck();
  const ranking = vectors.map((vector, self) => {
    const terms = [...vector]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 20)
      .map(([word]) => `"${word.replaceAll('"', '""')}"`);
    return terms.length === 0 ? [] : search.all(terms.join(" OR "), self + 1);
  });
  database.close();
  return ranking;
}
