/**
 * Jobs that find what says nothing about a post: URLs, and passages that many posts repeat, such as
 * templates and quoted pages. A quoted paragraph would count as dozens of rare terms, and posts that
 * quote the same page would be similar whatever they are about.
 *
 * A passage is a run of 16 tokens of the text that occurs in at least L posts, where L is 0.5 % of the
 * posts, but at least 3 and at most 10. Titles are never repeated passages.
 */
import { GrowableArray } from "../lib/growable-array.ts";
import { IntMap } from "../lib/int-map.ts";
import { spanAt, type SharedTexts } from "../lib/post-texts.ts";
import type { PostRange } from "./rank.ts";
import { hashUnits, inPairs, tokenKinds, mixHash, wordEnd } from "./tokens.ts";

/** Tokens of a run. Shorter ones are phrases of a language. */
const shingleLength = 16;
const repeatShare = 0.005;
const minRepeats = 3;
const maxRepeats = 10;
/** A post that would keep fewer tokens of its text is left whole: it says nothing else. */
const minTokens = 20;

/** Counters by runs, in blocks of a cache line: one visit of memory a run. */
const blockBits = 6;
/** For collections of up to about a million units. Only the pages that runs touch take memory. */
const minCounters = 2 ** 24;
const maxCounters = 2 ** 27;

/** What the jobs need. */
export interface BoilerplateOptions {
  readonly texts: SharedTexts;
  /** Posts in which a run occurs when it counts as repeated. */
  readonly repeats: number;
  /** How many posts have runs of a hash. The jobs write here. */
  readonly counters: Uint8Array;
  /** By piece of the texts, a bit for each unit that is left out. The jobs write here. */
  readonly leftOut: readonly Uint8Array[];
}

/**
 * @param posts number of posts
 * @param units of all texts
 */
export function boilerplateOptions(
  texts: SharedTexts,
  posts: number,
  units: number,
): BoilerplateOptions {
  const repeats = Math.max(minRepeats, Math.min(maxRepeats, Math.floor(posts * repeatShare)));
  // Runs that share counters by chance look repeated: 2 % of what is left out of real-small. The smaller
  // `repeats` is, the more counters are needed to keep that rare.
  const wanted = units * (repeats < maxRepeats ? 16 : 2);
  const size = Math.min(maxCounters, 2 ** Math.ceil(Math.log2(Math.max(wanted, minCounters))));
  return {
    texts,
    repeats,
    counters: new Uint8Array(new SharedArrayBuffer(size)),
    leftOut: texts.pieces.map(
      ({ length }) => new Uint8Array(new SharedArrayBuffer(Math.ceil(length / 8))),
    ),
  };
}

/** Whether a unit is left out. */
export const isBoilerplate = (leftOut: Uint8Array, unit: number): boolean =>
  (leftOut[unit >>> 3]! & (1 << (unit & 7))) !== 0;

/** Two posts of one thread, or of two, may share a byte. */
function markBoilerplate(leftOut: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) Atomics.or(leftOut, i >>> 3, 1 << (i & 7));
}

const schemes = ["http://", "https://"].map((text) =>
  Uint16Array.from(text, (character) => character.charCodeAt(0)),
);
const firstOfScheme = schemes[0]![0]!;

/** Where a URL ends that begins at a unit; the unit itself where none begins there. */
function urlEnd(units: Uint16Array, from: number): number {
  if (units[from] !== firstOfScheme) return from;
  const scheme = schemes.find((one) => one.every((unit, i) => units[from + i] === unit));
  if (scheme === undefined) return from;
  let end = from + scheme.length;
  // Visible ASCII: Japanese text may follow without a space. A separator ends every text.
  while (units[end]! > 0x20 && units[end]! < 0x7f) end++;
  return end;
}

/** An odd number, so that no power of it is zero modulo 2^32. */
const base = 0x2c9277b5;
/** `base` to the power of the length of a run. */
const leaving = Array.from({ length: shingleLength }).reduce<number>(
  (power) => Math.imul(power, base),
  1,
);

/** The tokens of a text, without URLs, and its runs. */
class Tokens {
  readonly starts = new GrowableArray(Uint32Array);
  readonly ends = new GrowableArray(Uint32Array);
  /** Where URLs begin and end, in turn. */
  readonly urls = new GrowableArray(Uint32Array);
  /** The hash of each run, in the order of the first tokens: run i begins with token i. */
  readonly runs = new GrowableArray(Uint32Array);
  readonly #hashes = new GrowableArray(Uint32Array);

  read(units: Uint16Array, from: number, to: number): void {
    const { starts, ends, urls, runs } = this;
    const hashes = this.#hashes;
    for (const list of [starts, ends, urls, runs, hashes]) list.length = 0;
    /** A polynomial of the last 16 hashes (R. Karp and M. Rabin, 1987). */
    let run = 0;
    for (let i = from; i < to;) {
      const kind = tokenKinds[units[i]!];
      if (kind === 0) {
        i++;
        continue;
      }
      const url = urlEnd(units, i);
      if (url > i) {
        urls.append([i, url]);
        i = url;
        continue;
      }
      const end = kind === inPairs ? i + 1 : wordEnd(units, i);
      const hash = mixHash(hashUnits(units, i, end));
      starts.push(i);
      ends.push(end);
      hashes.push(hash);
      const first = hashes.length - 1 - shingleLength;
      run =
        Math.imul(run, base) + hash - (first < 0 ? 0 : Math.imul(hashes.values[first]!, leaving));
      if (first >= -1) runs.push(mixHash(run));
      i = end;
    }
  }
}

/**
 * The counters of a run: two of one block, by other bits of its hash. The lesser of both counts (G. Cormode
 * and S. Muthukrishnan, "An improved data stream summary: the count-min sketch", 2005).
 */
const firstCounter = (run: number, blocks: number): number =>
  ((run & (blocks - 1)) << blockBits) | (Math.imul(run, 0x9e37_79b1) >>> (32 - blockBits));
const secondCounter = (run: number, blocks: number): number =>
  // An odd difference, so that it is another counter.
  firstCounter(run, blocks) ^
  (((Math.imul(run, 0x9e37_79b1) >>> (32 - 2 * blockBits)) & ((1 << blockBits) - 1)) | 1);

export type BoilerplateJobs = {
  /** Counts the runs of a range of posts, each run once a post. */
  readonly count: (range: PostRange) => void;
  /** Marks what is left out of a range of posts, when all are counted. */
  readonly mark: (range: PostRange) => void;
};

/** Counts one more, up to `repeats`: so the order of threads changes nothing. */
function countUp({ counters, repeats }: BoilerplateOptions, counter: number): void {
  if (Atomics.load(counters, counter) < repeats) Atomics.add(counters, counter, 1);
}

/** Counts each run of a post's text once. */
function countShingles(
  runs: GrowableArray<Uint32Array>,
  seen: IntMap,
  options: BoilerplateOptions,
): void {
  const blocks = options.counters.length >>> blockBits;
  seen.clear();
  for (let i = 0; i < runs.length; i++) {
    const run = runs.values[i]!;
    const known = seen.size;
    if (seen.getOrAdd(run) < known) continue;
    countUp(options, firstCounter(run, blocks));
    countUp(options, secondCounter(run, blocks));
  }
}

/** Marks the tokens of repeated runs, unless too few others would be left. */
function markShingles(
  bits: Uint8Array,
  { starts, ends, runs }: Tokens,
  { counters, repeats }: BoilerplateOptions,
): void {
  const blocks = counters.length >>> blockBits;
  const isRepeated = new Uint8Array(starts.length);
  /** The token up to which all are looked at. */
  let until = 0;
  let kept = starts.length;
  for (let i = 0; i < runs.length; i++) {
    const run = runs.values[i]!;
    if (
      counters[firstCounter(run, blocks)]! < repeats ||
      counters[secondCounter(run, blocks)]! < repeats
    )
      continue;
    for (let token = Math.max(i, until); token < i + shingleLength; token++) {
      isRepeated[token] = 1;
      kept--;
    }
    until = i + shingleLength;
  }
  if (kept === starts.length || kept < minTokens) return;
  for (let i = 0; i < starts.length; i++)
    if (isRepeated[i] === 1) markBoilerplate(bits, starts.values[i]!, ends.values[i]!);
}

function markUrls(bits: Uint8Array, { values, length }: GrowableArray<Uint32Array>): void {
  for (let i = 0; i < length; i += 2) markBoilerplate(bits, values[i]!, values[i + 1]!);
}

export default function createJobs(options: BoilerplateOptions): BoilerplateJobs {
  const { texts, leftOut } = options;
  const tokens = new Tokens();
  const seen = new IntMap();
  return {
    count({ from, to }) {
      for (let post = from; post < to; post++) {
        const { units, text, end } = spanAt(texts, post);
        tokens.read(units, text, end);
        countShingles(tokens.runs, seen, options);
      }
    },
    mark({ from, to }) {
      for (let post = from; post < to; post++) {
        const { units, title, text, end } = spanAt(texts, post);
        const bits = leftOut[texts.spans[4 * post]!]!;
        tokens.read(units, title, text);
        markUrls(bits, tokens.urls);
        tokens.read(units, text, end);
        markUrls(bits, tokens.urls);
        markShingles(bits, tokens, options);
      }
    },
  };
}
