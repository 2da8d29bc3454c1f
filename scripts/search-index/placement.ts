/** Where the blocks of lists go: into the function's bundle, or out into public files. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { platform } from "../../functions/contract/platform.ts";
import {
  blockFileName,
  blockFolder,
  digestOf,
  files,
  indexFolder,
  textBlockUnits,
  type ListKind,
  type PartEntry,
  type Placement,
} from "../../functions/search/index-format.ts";
import { blockName } from "../lib/block-name.ts";
import type { Texts } from "./list-grams.ts";
import type { ListColumns, Lists } from "./lists.ts";

/** A placement, or the choice by size. */
export const placementOptions = ["auto", "bundle", "cdn"] as const;
export type PlacementOption = (typeof placementOptions)[number];

/**
 * Bytes that lists and hits may take in a function's archive. The function's code, its catalogue and what
 * the platform adds take the rest.
 */
const bundledBytes = platform.functionZipped - 4_000_000;

/** Where lists were put. */
export interface PlacedLists {
  readonly placement: Placement;
  readonly columns: ListColumns &
    Readonly<Record<"textsOffsets" | "textsDigests" | "textsNames", ArrayLike<number>>>;
  /** Their files in the index folder, by name. */
  readonly parts: Readonly<Record<string, PartEntry>>;
  /** Paths of their public files, relative to the snapshot's folder. */
  readonly published: readonly string[];
  readonly publishedBytes: number;
}

/** Whether the index fits a function. Blocks of lists are as good as incompressible. */
function fitsBundle(folder: string, { parts }: Lists): boolean {
  const hits = deflateRawSync(readFileSync(join(folder, files.hits)), { level: 1 });
  return parts.posts.bytes + parts.positions.bytes + hits.length <= bundledBytes;
}

/** Writes blocks into public files that their content names. @param files takes in the names of the files */
const publicBlocks = (folder: string, files: Set<string>) => ({
  offsets: [0],
  digests: [] as number[],
  names: [] as number[],
  add(block: Uint8Array): void {
    const words = blockName(block);
    files.add(blockFileName(words));
    writeFileSync(join(folder, blockFileName(words)), block);
    this.offsets.push((this.offsets.at(-1) ?? 0) + block.length);
    this.digests.push(digestOf(block));
    this.names.push(...words);
  },
});
type PublicBlocks = ReturnType<typeof publicBlocks>;

/** Publishes each block of a file, and removes the file. */
function publishLists(
  file: string,
  offsets: ArrayLike<number>,
  published: PublicBlocks,
): PublicBlocks {
  const descriptor = openSync(file, "r");
  for (let block = 0; block + 1 < offsets.length; block++) {
    const bytes = Buffer.allocUnsafe(offsets[block + 1]! - offsets[block]!);
    readSync(descriptor, bytes, 0, bytes.length, offsets[block]!);
    published.add(bytes);
  }
  closeSync(descriptor);
  rmSync(file);
  return published;
}

/** Publishes all titles and texts. */
function publishTexts({ units }: Texts, published: PublicBlocks): PublicBlocks {
  for (let start = 0; start < units.length; start += textBlockUnits) {
    // Copied: memory that threads share cannot be deflated.
    const block = units.slice(start, start + textBlockUnits);
    published.add(deflateRawSync(new Uint8Array(block.buffer)));
  }
  return published;
}

/**
 * Puts lists where they are to be read from.
 *
 * @param snapshotFolder folder of the snapshot; its index folder holds the lists and the hits
 */
export function placeLists(
  snapshotFolder: string,
  lists: Lists,
  texts: Texts,
  option: PlacementOption,
): PlacedLists {
  const folder = join(snapshotFolder, indexFolder);
  if (option === "bundle" || (option === "auto" && fitsBundle(folder, lists)))
    return {
      placement: "bundle",
      columns: { ...lists.columns, textsOffsets: [], textsDigests: [], textsNames: [] },
      parts: { [files.posts]: lists.parts.posts, [files.positions]: lists.parts.positions },
      published: [],
      publishedBytes: 0,
    };
  const target = join(snapshotFolder, blockFolder);
  mkdirSync(target, { recursive: true });
  const published = new Set<string>();
  const publish = (kind: ListKind): PublicBlocks =>
    publishLists(
      join(folder, files[kind]),
      lists.columns[`${kind}Offsets`],
      publicBlocks(target, published),
    );
  const posts = publish("posts");
  const positions = publish("positions");
  const inFull = publishTexts(texts, publicBlocks(target, published));
  return {
    placement: "cdn",
    columns: {
      ...lists.columns,
      postsNames: posts.names,
      positionsNames: positions.names,
      textsOffsets: inFull.offsets,
      textsDigests: inFull.digests,
      textsNames: inFull.names,
    },
    parts: {},
    published: [...published].sort().map((name) => `${blockFolder}/${name}`),
    publishedBytes: [posts, positions, inFull].reduce(
      (sum, { offsets }) => sum + (offsets.at(-1) ?? 0),
      0,
    ),
  };
}
