/** Blocks of the index: all of a kind in one file, or each in a public file that its content names. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import {
  blockFileName,
  blockFolder,
  computeChecksum,
  indexFiles,
  indexFolder,
  nameWords,
  rangeAt,
  type Blocks,
  type ListKind,
  type PartEntry,
  type Placement,
} from "../../functions/engine/index-format.ts";
import { createFileStore, FileStore } from "../../functions/engine/block-store.ts";
import { blockName } from "../lib/fs.ts";

/** Where blocks of lists lie, and what each begins with. */
export interface KeyedBlocks extends Blocks {
  /** Where each block's key begins in `keys`, and the end of the last one. */
  readonly keyOffsets: ArrayLike<number>;
  /** Units of what each block's first group begins with. */
  readonly keys: ArrayLike<number>;
}

/** Takes blocks one by one, and keeps where each lies. */
export class BlockWriter implements KeyedBlocks {
  readonly offsets: number[] = [0];
  readonly digests: number[] = [];
  readonly names: number[] = [];
  readonly keyOffsets: number[] = [0];
  readonly keys: number[] = [];
  #digest = 0;
  readonly #write: (block: Uint8Array) => Iterable<number>;

  /**
   * @param write writes a block. It returns the words of its name; none where it has no file of its own
   */
  constructor(write: (block: Uint8Array) => Iterable<number>) {
    this.#write = write;
  }

  /**
   * @param key of a block of lists
   */
  add(block: Uint8Array, key = ""): void {
    this.names.push(...this.#write(block));
    this.offsets.push(this.part.bytes + block.length);
    this.digests.push(computeChecksum(block));
    this.#digest = crc32(block, this.#digest);
    for (let i = 0; i < key.length; i++) this.keys.push(key.charCodeAt(i));
    this.keyOffsets.push(this.keys.length);
  }

  /** Length and digest of all blocks, one after another. */
  get part(): PartEntry {
    return { bytes: this.offsets.at(-1) ?? 0, digest: this.#digest };
  }
}

/** Writes blocks into one file. An older one of this name is unlinked: it may be linked elsewhere. */
export function blockFile(path: string): BlockWriter {
  rmSync(path, { force: true });
  writeFileSync(path, "", { flag: "wx" });
  return new BlockWriter((block) => {
    appendFileSync(path, block);
    return [];
  });
}

/**
 * Writes each block into a public file.
 *
 * @param snapshot its folder
 */
export function publicBlocks(snapshot: string): BlockWriter {
  const folder = join(snapshot, blockFolder);
  return new BlockWriter((block) => {
    const words = blockName(block);
    const file = join(folder, blockFileName(words));
    mkdirSync(folder, { recursive: true });
    // An equal block may be there, as a link to an older file.
    if (!existsSync(file)) writeFileSync(file, block);
    return words;
  });
}

/** The blocks of a kind of lists, in a snapshot. */
export interface StoredBlocks extends KeyedBlocks {
  /** Folder of the snapshot. */
  readonly snapshot: string;
  readonly kind: ListKind;
  readonly placement: Placement;
  /** Length and digest of the file that holds them all, if one does. */
  readonly part: PartEntry | undefined;
}

/** Paths of the public files of blocks, if they have any, relative to the snapshot's folder. */
export const publicBlockPaths = (blocks: Blocks): string[] =>
  Array.from(
    { length: blocks.names.length / nameWords },
    (_, block) => `${blockFolder}/${rangeAt(blocks, block).file}`,
  );

/**
 * The contents of stored blocks, one after another.
 *
 * @throws IndexUnavailable where one is not as it must be
 */
async function* readBlocks(stored: StoredBlocks): AsyncGenerator<Uint8Array> {
  const isPublic = stored.placement === "cdn";
  const folder = new FileStore(join(stored.snapshot, indexFolder));
  const source = isPublic ? createFileStore(join(stored.snapshot, blockFolder)) : folder;
  const file = isPublic ? undefined : indexFiles[stored.kind];
  try {
    for (let block = 0; block < stored.digests.length; block++)
      yield await source.read(rangeAt(stored, block, file));
  } finally {
    folder.close();
  }
}

/**
 * @throws IndexUnavailable where a stored block is not as it must be
 */
export async function assertBlocksIntact(stored: StoredBlocks): Promise<void> {
  const contents = readBlocks(stored);
  while ((await contents.next()).done !== true);
}

/** Links a file to another path; copies it where the file system has no links. */
function linkOrCopy(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/**
 * Brings blocks to their place in a snapshot. Where the kind of place stays, files are linked; else each block is
 * copied, from one file into many or from many into one.
 *
 * @param stored blocks that are intact; those of the same snapshot move
 * @param snapshot its folder
 */
export async function placeBlocks(
  stored: StoredBlocks,
  snapshot: string,
  placement: Placement,
): Promise<StoredBlocks> {
  const file = `${indexFolder}/${indexFiles[stored.kind]}`;
  const isPublic = placement === "cdn";
  if (stored.placement === placement) {
    for (const path of isPublic ? publicBlockPaths(stored) : [file])
      linkOrCopy(join(stored.snapshot, path), join(snapshot, path));
    return { ...stored, snapshot };
  }
  const target = isPublic ? publicBlocks(snapshot) : blockFile(join(snapshot, file));
  for await (const block of readBlocks(stored)) target.add(block);
  if (stored.snapshot === snapshot) rmSync(join(snapshot, file));
  const { offsets, digests, names } = target;
  const part = isPublic ? undefined : target.part;
  return { ...stored, snapshot, placement, part, offsets, digests, names };
}
