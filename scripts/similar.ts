/**
 * Similar posts, computed from text and tags where the export gives none.
 *
 * Terms are words of Latin and other spaced scripts, pairs of neighbouring characters in runs of
 * kanji, katakana and hangul, and tags. Each post keeps its heaviest terms by TF-IDF (K. Spärck
 * Jones, 1972), as a unit vector; similarity is the cosine, summed up through posting lists.
 */
import { normalise } from "../functions/search/normalise.ts";

/** Version of the method; a change to anything below that changes results raises it. */
export const similarMethod = "tfidf-cosine 1";

/** Similar posts at most, for given and computed ones alike. */
export const mostSimilar = 15;

/** Terms that a post keeps. More cost time, and the light ones are noise. */
const termsPerPost = 32;
/** A cosine below this is chance: posts that share one common term. */
const leastSimilarity = 0.08;
/** A term of the title counts as this many in the text. */
const titleWeight = 3;
/** A tag counts as this many occurrences of a word. */
const tagWeight = 3;
/** Terms in more posts than this share say little and cost most. */
const commonShare = 1 / 8;

/** What similarity is computed from. */
export interface Comparable {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}

const run = /[\p{Script=Han}々〆ヶ]+|[\p{Script=Katakana}ー]+|\p{Script=Hangul}+|[\p{L}\p{N}]+/gu;
const pairwise = /^(?:\p{Script=Han}|[々〆ヶ]|\p{Script=Katakana}|\p{Script=Hangul})/u;
const onlyHiragana = /^\p{Script=Hiragana}+$/u;

/** The terms of a normalised text. Runs of hiragana are grammar, mostly, and left out. */
function* termsOf(text: string): Generator<string> {
  for (const [piece] of text.matchAll(run)) {
    if (pairwise.test(piece)) {
      const characters = [...piece];
      for (let i = 0; i + 1 < characters.length; i++) yield `${characters[i]}${characters[i + 1]}`;
    } else if (piece.length > 1 && !onlyHiragana.test(piece)) yield piece;
  }
}

interface Vector {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/**
 * Finds similar posts among all posts.
 *
 * @param posts every post; a post's position is its number
 * @returns for each post the numbers of up to `mostSimilar` others, best first, ties by `ids` ascending
 */
export function similarPosts(
  posts: Iterable<Comparable>,
  ids: readonly number[],
  progress: (posts: number) => void = () => {},
): number[][] {
  const numbers = new Map<string, number>();
  const documentFrequency: number[] = [];
  const raw: { readonly terms: Uint32Array; readonly counts: Float32Array }[] = [];
  for (const { title, text, tags } of posts) {
    const counts = new Map<number, number>();
    const count = (term: string, by: number): void => {
      let number = numbers.get(term);
      if (number === undefined) numbers.set(term, (number = numbers.size));
      counts.set(number, (counts.get(number) ?? 0) + by);
    };
    for (const term of termsOf(normalise(title))) count(term, titleWeight);
    for (const term of termsOf(normalise(text))) count(term, 1);
    for (const tag of tags) count(`#${tag}`, tagWeight);
    for (const number of counts.keys())
      documentFrequency[number] = (documentFrequency[number] ?? 0) + 1;
    raw.push({
      terms: Uint32Array.from(counts.keys()),
      counts: Float32Array.from(counts.values()),
    });
  }

  const total = raw.length;
  const common = Math.max(8, total * commonShare);
  const vectors = raw.map(({ terms, counts }): Vector => {
    const weighted: [number, number][] = [];
    for (const [i, term] of terms.entries()) {
      const frequency = documentFrequency[term] as number;
      // A term of one post alone joins it to nothing.
      if (frequency < 2 || frequency > common) continue;
      weighted.push([term, (1 + Math.log(counts[i] as number)) * Math.log(total / frequency)]);
    }
    weighted.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    weighted.length = Math.min(weighted.length, termsPerPost);
    const length = Math.hypot(...weighted.map(([, weight]) => weight)) || 1;
    return {
      terms: Uint32Array.from(weighted, ([term]) => term),
      weights: Float32Array.from(weighted, ([, weight]) => weight / length),
    };
  });
  raw.length = 0;

  // Posting lists of the kept terms, laid out one behind the other.
  const listEnd = new Uint32Array(numbers.size + 1);
  for (const { terms } of vectors) for (const term of terms) (listEnd[term + 1] as number)++;
  for (let term = 0; term < numbers.size; term++)
    listEnd[term + 1] = (listEnd[term + 1] as number) + (listEnd[term] as number);
  const fill = listEnd.slice();
  const listPosts = new Uint32Array(listEnd.at(-1) ?? 0);
  const listWeights = new Float32Array(listPosts.length);
  for (const [post, { terms, weights }] of vectors.entries())
    for (const [i, term] of terms.entries()) {
      const at = (fill[term] as number)++;
      listPosts[at] = post;
      listWeights[at] = weights[i] as number;
    }

  const score = new Float32Array(total);
  const touched = new Uint32Array(total);
  return vectors.map(({ terms, weights }, self) => {
    let count = 0;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as number;
      const weight = weights[i] as number;
      for (let at = listEnd[term] as number; at < (listEnd[term + 1] as number); at++) {
        const other = listPosts[at] as number;
        if (score[other] === 0) touched[count++] = other;
        score[other] = (score[other] as number) + weight * (listWeights[at] as number);
      }
    }
    const found: number[] = [];
    for (let i = 0; i < count; i++) {
      const other = touched[i] as number;
      if (other !== self && (score[other] as number) >= leastSimilarity) found.push(other);
    }
    found.sort(
      (a, b) =>
        (score[b] as number) - (score[a] as number) || (ids[a] as number) - (ids[b] as number),
    );
    found.length = Math.min(found.length, mostSimilar);
    for (let i = 0; i < count; i++) score[touched[i] as number] = 0;
    progress(self + 1);
    return found;
  });
}
