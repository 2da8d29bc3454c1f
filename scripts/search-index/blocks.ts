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
import {
  blockFileName,
  blockFolder,
  computeChecksum,
  nameWords,
  rangeAt,
  type Blocks,
} from "../../functions/engine/index-format.ts";
import { blockName } from "../lib/fs.ts";

/** Takes blocks one by one, and keeps where each lies, and what each begins with. */
export class BlockWriter implements Blocks {
  readonly offsets: number[] = [0];
  readonly digests: number[] = [];
  readonly names: number[] = [];
  /** Where each block's key begins in `keys`, and the end of the last one. */
  readonly keyOffsets: number[] = [0];
  /** Units of what each block's first group begins with. */
  readonly keys: number[] = [];
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
    this.offsets.push(this.offsets.at(-1)! + block.length);
    this.digests.push(computeChecksum(block));
    for (let i = 0; i < key.length; i++) this.keys.push(key.charCodeAt(i));
    this.keyOffsets.push(this.keys.length);
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

/** Paths of the public files of blocks, if they have any, relative to the snapshot's folder. */
export const publicBlockPaths = (blocks: Blocks): string[] =>
  Array.from(
    { length: blocks.names.length / nameWords },
    (_, block) => `${blockFolder}/${rangeAt(blocks, block).file}`,
  );

/** Links a file to another path; copies it where the file system has no links. */
export function linkOrCopy(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
