/** Unit vectors of posts, which are mostly zero: by post, and by term. All memory is shared by threads. */

/** Terms that a post keeps, its heaviest. More cost time, and the light ones add little. */
export const termsPerPost = 256;

/** By post: `termsPerPost` places for each, of which the first `sizes[post]` are used. */
export interface Vectors {
  /** Numbers of terms. */
  readonly columns: Uint32Array;
  readonly weights: Float32Array;
  readonly sizes: Uint16Array;
  /** How much of a post its kept terms carry: their norm divided by the norm of all its terms; 0 to 1. */
  readonly shares: Float32Array;
}

/** By term: the posts that have it, ascending. */
export interface PostLists {
  /** Where the list of each term begins; last, the end of the last one. */
  readonly offsets: Uint32Array;
  readonly posts: Uint32Array;
  readonly weights: Float32Array;
}

/** Memory that threads share. */
export const sharedBuffer = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** Vectors of zeros. */
export const emptyVectors = (posts: number): Vectors => ({
  columns: new Uint32Array(sharedBuffer(posts * termsPerPost * 4)),
  weights: new Float32Array(sharedBuffer(posts * termsPerPost * 4)),
  sizes: new Uint16Array(sharedBuffer(posts * 2)),
  shares: new Float32Array(sharedBuffer(posts * 4)),
});

/**
 * From the terms of each post to the posts of each term.
 *
 * @param terms number of terms
 * @param posts ascending
 */
export function invertVectors(
  { columns, weights, sizes }: Vectors,
  terms: number,
  posts: Iterable<number> = sizes.keys(),
): PostLists {
  const offsets = new Uint32Array(sharedBuffer((terms + 1) * 4));
  const listed = [...posts];
  const eachEntry = (see: (at: number, post: number) => void): void => {
    for (const post of listed) {
      const start = post * termsPerPost;
      for (let at = start; at < start + sizes[post]!; at++) see(at, post);
    }
  };
  eachEntry((at) => offsets[columns[at]! + 1]!++);
  for (let term = 0; term < terms; term++) offsets[term + 1]! += offsets[term]!;
  const ends = offsets.slice();
  const lists = {
    offsets,
    posts: new Uint32Array(sharedBuffer(offsets[terms]! * 4)),
    weights: new Float32Array(sharedBuffer(offsets[terms]! * 4)),
  };
  eachEntry((at, post) => {
    const entry = ends[columns[at]!]!++;
    lists.posts[entry] = post;
    lists.weights[entry] = weights[at]!;
  });
  return lists;
}
