/** Where the blocks of lists go: into the function's bundle, or out into public files. */
import { createHash } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import {
  blockFile,
  blockFolder,
  files,
  indexFolder,
  nameWords,
  type ListKind,
  type FileSummary,
  type Placement,
} from "../../functions/search/index-format.ts";
import type { ListColumns, Lists } from "./lists.ts";

/** A placement, or the choice by size. */
export const placementOptions = ["auto", "bundle", "cdn"] as const;
export type PlacementOption = (typeof placementOptions)[number];

/**
 * Bytes that lists and hits may take in a function's archive. The platform takes 50 MB zipped; the
 * function's code, its catalogue and what the platform adds take the rest.
 */
const bundledBytes = 46_000_000;

/** Where lists were put. */
export interface PlacedLists {
  readonly placement: Placement;
  readonly columns: ListColumns;
  /** Their files in the index folder, by name. */
  readonly parts: Readonly<Record<string, FileSummary>>;
  /** Paths of their public files, relative to the snapshot's folder. */
  readonly published: readonly string[];
  readonly publishedBytes: number;
}

/** Whether the index fits a function. Blocks of lists are as good as incompressible. */
function fitsBundle(folder: string, { parts }: Lists): boolean {
  const hits = deflateRawSync(readFileSync(join(folder, files.hits)), { level: 1 });
  return parts.posts.bytes + parts.positions.bytes + hits.length <= bundledBytes;
}

/**
 * Writes each block of a file into a public file that its content names, and removes the file.
 *
 * @returns the words of the blocks' names
 */
function publishBlocks(file: string, target: string, offsets: ArrayLike<number>): Uint32Array {
  const blocks = offsets.length - 1;
  const names = new Uint32Array(blocks * nameWords);
  const descriptor = openSync(file, "r");
  for (let block = 0; block < blocks; block++) {
    const bytes = Buffer.allocUnsafe(offsets[block + 1]! - offsets[block]!);
    readSync(descriptor, bytes, 0, bytes.length, offsets[block]!);
    const digest = createHash("sha256").update(bytes).digest();
    const words = names.subarray(block * nameWords, (block + 1) * nameWords);
    for (let word = 0; word < nameWords; word++) words[word] = digest.readUInt32BE(word * 4);
    writeFileSync(join(target, blockFile(words)), bytes);
  }
  closeSync(descriptor);
  rmSync(file);
  return names;
}

/**
 * Puts lists where they are to be read from.
 *
 * @param snapshotFolder folder of the snapshot; its index folder holds the lists and the hits
 */
export function placeLists(
  snapshotFolder: string,
  lists: Lists,
  option: PlacementOption,
): PlacedLists {
  const folder = join(snapshotFolder, indexFolder);
  if (option === "bundle" || (option === "auto" && fitsBundle(folder, lists)))
    return {
      placement: "bundle",
      columns: lists.columns,
      parts: { [files.posts]: lists.parts.posts, [files.positions]: lists.parts.positions },
      published: [],
      publishedBytes: 0,
    };
  const target = join(snapshotFolder, blockFolder);
  mkdirSync(target, { recursive: true });
  const namesOf = (kind: ListKind): Uint32Array =>
    publishBlocks(join(folder, files[kind]), target, lists.columns[`${kind}Offsets`]);
  const postsNames = namesOf("posts");
  const positionsNames = namesOf("positions");
  const published = readdirSync(target).sort();
  return {
    placement: "cdn",
    columns: { ...lists.columns, postsNames, positionsNames },
    parts: {},
    published: published.map((name) => `${blockFolder}/${name}`),
    publishedBytes: lists.parts.posts.bytes + lists.parts.positions.bytes,
  };
}
