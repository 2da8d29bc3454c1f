/** Posts → the files that /api/search loads. */
import { createHash } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { SearchHit } from "../../functions/contract/resources.ts";
import {
  catalogFrom,
  columns,
  digestOf,
  emptyIndex,
  files,
  fingerprintOf,
  format,
  layout,
  separator,
  settings,
  type Column,
  type Manifest,
  type Names,
} from "../../functions/search/index-format.ts";
import { normalise } from "../../functions/search/normalise.ts";
import { packPostings, type PostingEntry } from "../../functions/search/postings.ts";
import { mostLikedFirst } from "../../functions/search/sort-orders.ts";
import { compareCodePoints } from "../lib/code-points.ts";
import { Growing } from "../lib/growable-array.ts";
import { BlockFile } from "./block-file.ts";
import { gramPostings, type Texts } from "./grams.ts";

/** What was written. */
export interface SearchIndexReport {
  /** Grams that were written; 0 where the files of an older index were reused. */
  readonly grams: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Names of all files. */
  readonly files: readonly string[];
}

/** Appends the UTF-16 units of a text. */
function append(units: Growing<Uint16Array>, text: string): void {
  const bytes = Buffer.from(text, "utf16le");
  units.ensure(units.length + text.length);
  for (let byte = 0; byte < bytes.length; byte += 2)
    units.values[units.length++] = bytes.readUInt16LE(byte);
}

/** All titles and texts, normalised, in one array of units, in the order of the hits. */
function textsOf(
  hits: readonly SearchHit[],
  texts: Iterable<readonly [postId: number, text: string]>,
): Texts & { readonly longest: number } {
  const numbers = new Map(hits.map(({ postId }, i) => [postId, i]));
  const gathered = new Growing(Uint16Array);
  /** By number: the offsets of a post's text among those that were gathered. */
  const from = new Float64Array(hits.length);
  const to = new Float64Array(hits.length);
  let longest = 0;
  for (const [postId, text] of texts) {
    const number = numbers.get(postId) as number;
    const parts = [normalise((hits[number] as SearchHit).postTitle), normalise(text)];
    from[number] = gathered.length;
    for (const part of parts) {
      longest = Math.max(longest, part.length);
      append(gathered, part + separator);
    }
    to[number] = gathered.length;
  }
  const units = new Uint16Array(gathered.length);
  const offsets = new Uint32Array(hits.length + 1);
  for (let i = 0; i < hits.length; i++) {
    const text = gathered.values.subarray(from[i]!, to[i]!);
    units.set(text, offsets[i]);
    offsets[i + 1] = offsets[i]! + text.length;
  }
  return { units, offsets, longest };
}

/** A block of posting lists, as FlexSearch exports it, packed. */
function postingsBlock(entries: readonly PostingEntry[], posts: number): Uint8Array {
  const index = emptyIndex();
  const map = entries.map(([gram, list]) => [gram, [Array.from(list)]]);
  index.import("map", map as unknown as string);
  let block: Uint8Array | undefined;
  // An index of one relevance level and no context exports one part, its map.
  index.export((key, json) => {
    if (!key.endsWith("map")) return;
    const exported = JSON.parse(json) as [string, [number[]]][];
    block = packPostings(
      exported.map(([gram, [list]]) => [gram, list]),
      posts,
    );
  });
  if (block === undefined) throw new Error("FlexSearch exported no map");
  return block;
}

/** Bytes that a list will take once packed, roughly: for deciding where a block ends. */
const packedBytes = ([gram, list]: PostingEntry, posts: number): number =>
  2 +
  gram.length +
  Math.min(posts, list.length * (1.6 + Math.max(0, Math.log2(posts / list.length)))) / 8;

function writePostings(
  file: BlockFile,
  texts: Texts,
  progress: (grams: number) => void,
): { readonly firstGrams: string[]; readonly grams: number } {
  const posts = texts.offsets.length - 1;
  const firstGrams: string[] = [];
  let grams = 0;
  let entries: PostingEntry[] = [];
  let size = 0;
  const close = (): void => {
    const [first] = entries;
    if (first === undefined) return;
    firstGrams.push(first[0]);
    file.add(postingsBlock(entries, posts));
    entries = [];
    size = 0;
    progress(grams);
  };
  for (const entry of gramPostings(texts)) {
    entries.push(entry);
    grams++;
    size += packedBytes(entry, posts);
    if (size >= layout.postingsBlockBytes) close();
  }
  close();
  return { firstGrams, grams };
}

/** Writes text in blocks of whole posts; returns the first post of each block and, last, the number of posts. */
function writeText(file: BlockFile, { units, offsets }: Texts): number[] {
  const posts = offsets.length - 1;
  const firstPosts = [0];
  let first = 0;
  for (let post = 0; post < posts; post++) {
    const from = offsets[first]!;
    const to = offsets[post + 1]!;
    if (to - from < layout.textBlockUnits && post + 1 < posts) continue;
    const bytes = Buffer.alloc((to - from) * 2);
    for (let unit = from, byte = 0; unit < to; unit++, byte += 2)
      bytes.writeUInt16LE(units[unit]!, byte);
    file.add(deflateRawSync(bytes, { level: 9 }));
    first = post + 1;
    firstPosts.push(first);
  }
  return firstPosts;
}

function writeHits(file: BlockFile, hits: readonly SearchHit[]): void {
  for (let i = 0; i < hits.length; i += layout.hitsPerBlock) {
    const lines = hits.slice(i, i + layout.hitsPerBlock).map((hit) => JSON.stringify(hit));
    file.add(Buffer.from(lines.join("\n")));
  }
}

/** The offset of each text when all are joined; last, the length of them all. */
function offsetsOf(texts: readonly string[]): number[] {
  const offsets = [0];
  for (const text of texts) offsets.push((offsets.at(-1) ?? 0) + text.length);
  return offsets;
}

/** Each post's tags as positions in the list of all names. */
function tagColumns(hits: readonly SearchHit[]): {
  readonly tags: string[];
  readonly tagStart: number[];
  readonly tagIds: number[];
} {
  const tags = [...new Set(hits.flatMap(({ tagNames }) => tagNames))].sort(compareCodePoints);
  const position = new Map(tags.map((name, i) => [name, i]));
  const tagStart = [0];
  const tagIds: number[] = [];
  for (const { tagNames } of hits) {
    for (const name of tagNames) tagIds.push(position.get(name) as number);
    tagStart.push(tagIds.length);
  }
  return { tags, tagStart, tagIds };
}

/** What follows from the texts alone: the two large files, and the offsets of their blocks. */
interface TextParts {
  readonly parts: Pick<Manifest["parts"], "postings" | "text">;
  readonly columns: Pick<Record<Column, ArrayLike<number>>, TextColumn>;
  readonly grams: number;
}

const textColumns = [
  "textStart",
  "textFirst",
  "gramStart",
  "gramUnits",
  "postingsAt",
  "postingsDigest",
  "textAt",
  "textDigest",
] as const satisfies readonly Column[];
type TextColumn = (typeof textColumns)[number];

function writeTextParts(
  folder: string,
  texts: Texts,
  progress: (grams: number) => void,
): TextParts {
  const postings = new BlockFile(join(folder, files.postings));
  const text = new BlockFile(join(folder, files.text));
  const { firstGrams, grams } = writePostings(postings, texts, progress);
  const textFirst = writeText(text, texts);
  return {
    grams,
    parts: { postings: postings.close(), text: text.close() },
    columns: {
      textStart: texts.offsets,
      textFirst,
      gramStart: offsetsOf(firstGrams),
      gramUnits: firstGrams.flatMap((gram) =>
        Array.from({ length: gram.length }, (_, i) => gram.charCodeAt(i)),
      ),
      postingsAt: postings.at,
      postingsDigest: postings.digests,
      textAt: text.at,
      textDigest: text.digests,
    },
  };
}

/**
 * Reuses the text parts of an older index that is intact and was made from the same texts with the
 * same settings. Returns undefined for any other.
 */
function reuseTextParts(old: string, folder: string, textsDigest: string): TextParts | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(old, files.manifest), "utf8")) as Manifest;
    const catalog = readFileSync(join(old, files.catalog));
    const { fingerprint, ...rest } = manifest;
    if (
      manifest.version !== format.version ||
      manifest.settings !== settings() ||
      manifest.texts !== textsDigest ||
      fingerprintOf(rest) !== fingerprint ||
      digestOf(catalog) !== manifest.parts.catalog.digest
    )
      return undefined;
    const kinds = ["postings", "text"] as const;
    // Both are compared before either is linked: a link must never be written through.
    if (
      kinds.some(
        (kind) => digestOf(readFileSync(join(old, files[kind]))) !== manifest.parts[kind].digest,
      )
    )
      return undefined;
    for (const kind of kinds) linkSync(join(old, files[kind]), join(folder, files[kind]));
    const all = catalogFrom(catalog, manifest);
    return {
      grams: 0,
      parts: { postings: manifest.parts.postings, text: manifest.parts.text },
      columns: Object.fromEntries(textColumns.map((column) => [column, all[column]])) as Record<
        TextColumn,
        Uint32Array
      >,
    };
  } catch {
    // No older index, or one that cannot be read: everything is written again.
    return undefined;
  }
}

/**
 * Writes the search index of a snapshot.
 *
 * @param folder where to write; made if it is not there
 * @param snapshot id of the snapshot
 * @param hits every post, in the order of `newestFirst`
 * @param texts the visible text of every post, not normalised, in any order
 * @param old folder of an older index, whose files are reused where no text changed
 * @param progress called with the number of grams written so far
 */
export function writeSearchIndex(
  folder: string,
  snapshot: string,
  hits: readonly SearchHit[],
  texts: Iterable<readonly [postId: number, text: string]>,
  old: string | undefined,
  progress: (grams: number) => void = () => {},
): SearchIndexReport {
  mkdirSync(folder, { recursive: true });
  const textsInOrder = textsOf(hits, texts);
  const textsDigest = createHash("sha256")
    .update(textsInOrder.units)
    .update(textsInOrder.offsets)
    .digest("hex");
  const textParts =
    (old === undefined ? undefined : reuseTextParts(old, folder, textsDigest)) ??
    writeTextParts(folder, textsInOrder, progress);

  const hitsFile = new BlockFile(join(folder, files.hits));
  writeHits(hitsFile, hits);
  const { tags, tagStart, tagIds } = tagColumns(hits);
  const content: Record<Column, ArrayLike<number>> = {
    likeOrder: mostLikedFirst(hits),
    tagStart,
    tagIds,
    ...textParts.columns,
    hitsAt: hitsFile.at,
    hitsDigest: hitsFile.digests,
  };
  const catalog = Buffer.concat(
    columns.map((column) => Buffer.from(Uint32Array.from(content[column]).buffer)),
  );
  const names = Buffer.from(JSON.stringify({ tags } satisfies Names));
  writeFileSync(join(folder, files.catalog), catalog);
  writeFileSync(join(folder, files.names), names);

  const unsigned: Omit<Manifest, "fingerprint"> = {
    format: format.name,
    version: format.version,
    settings: settings(),
    snapshot,
    posts: hits.length,
    texts: textsDigest,
    longestText: textsInOrder.longest,
    columns: Object.fromEntries(
      columns.map((column) => [column, content[column].length]),
    ) as Record<Column, number>,
    parts: {
      catalog: { bytes: catalog.length, digest: digestOf(catalog) },
      names: { bytes: names.length, digest: digestOf(names) },
      ...textParts.parts,
      hits: hitsFile.close(),
    },
  };
  const manifest: Manifest = { ...unsigned, fingerprint: fingerprintOf(unsigned) };
  const manifestJson = JSON.stringify(manifest);
  writeFileSync(join(folder, files.manifest), manifestJson);
  return {
    grams: textParts.grams,
    bytes:
      Object.values(manifest.parts).reduce((sum, part) => sum + part.bytes, 0) +
      manifestJson.length,
    files: Object.values(files),
  };
}
