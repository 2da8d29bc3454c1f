/**
 * Jobs that make a unit vector of each post.
 *
 * A term weighs as in Okapi BM25 (S. Robertson, S. Walker et al., TREC-3, 1994): its count, levelled
 * off by `saturation` and by the length of the post, times the square root of its inverse document
 * frequency. Both sides of a cosine carry the root, so a shared term counts its IDF once, as it does
 * in BM25.
 */
import { IntMap } from "../lib/int-map.ts";
import type { PostRange } from "./rank.ts";
import { TermCounter, type Posts } from "./terms.ts";
import { termsPerPost, type Vectors } from "./vectors.ts";

/** BM25's k1: where counts level off. */
const saturation = 2;
/** BM25's b: how much the length of a post matters. */
const lengthShare = 0.75;

/** What the jobs need. */
export interface WeighOptions {
  readonly posts: Posts;
  /** The terms that join posts. The position of a term is its number. */
  readonly terms: Uint32Array;
  /** Square root of each term's inverse document frequency; 0 of one that is in too many posts. */
  readonly idf: Float32Array;
  /** As `idf`, of a term in one post: of every other term. */
  readonly rarest: number;
  /** Mean length of all posts. */
  readonly meanLength: number;
  /** The jobs write here. */
  readonly vectors: Vectors;
}

export type WeighJobs = { readonly weigh: (range: PostRange) => void };

export default function createJobs(options: WeighOptions): WeighJobs {
  const { posts, terms, idf, rarest, meanLength, vectors } = options;
  const counter = new TermCounter(posts);
  const numbers = new IntMap();
  for (const term of terms) numbers.getOrAdd(term);
  return {
    weigh({ from, to }) {
      for (let post = from; post < to; post++) {
        const counted = counter.count(post);
        let length = 0;
        for (const count of counted.counts) length += count;
        const damping = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
        const weights = new Float32Array(counted.terms.length);
        let squares = 0;
        for (let i = 0; i < weights.length; i++) {
          const term = counted.terms[i]!;
          const number = numbers.get(term);
          const count = counted.counts[i]!;
          const levelled = count / (count + damping);
          if (number >= 0) weights[i] = levelled * idf[number]!;
          else squares += (levelled * rarest) ** 2;
          squares += weights[i]! ** 2;
        }
        const kept = keepHeaviest(vectors, post, { terms: counted.terms, weights }, numbers);
        vectors.shares[post] = squares === 0 ? 0 : Math.sqrt(kept / squares);
      }
    },
  };
}

/**
 * Writes the heaviest terms of a post as its unit vector.
 *
 * @returns the sum of their squares before that
 */
function keepHeaviest(
  { columns, weights: kept, sizes }: Vectors,
  post: number,
  { terms, weights }: { readonly terms: Uint32Array; readonly weights: Float32Array },
  numbers: IntMap,
): number {
  const start = post * termsPerPost;
  let end = start;
  let squares = 0;
  const keep = (i: number): void => {
    const weight = weights[i]!;
    columns[end] = numbers.get(terms[i]!);
    kept[end++] = weight;
    squares += weight * weight;
  };
  const least = weights.toSorted().at(-termsPerPost) ?? 0;
  // Of equal weights at the border, the smaller terms stay.
  const atBorder: number[] = [];
  for (let i = 0; i < weights.length; i++)
    if (weights[i]! > least) keep(i);
    else if (weights[i] === least && least > 0) atBorder.push(i);
  atBorder
    .sort((a, b) => terms[a]! - terms[b]!)
    .slice(0, start + termsPerPost - end)
    .forEach(keep);
  const norm = Math.sqrt(squares);
  for (let i = start; i < end; i++) kept[i] = kept[i]! / norm;
  sizes[post] = end - start;
  return squares;
}
