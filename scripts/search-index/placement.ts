/** Where the blocks of lists go: into the function's bundle, or out into public files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { platform } from "../../functions/contract/platform.ts";
import {
  indexFiles,
  indexFolder,
  textBlockUnits,
  type Blocks,
  type ListKind,
} from "../../functions/engine/index-format.ts";
import { placeBlocks, publicBlocks, type StoredBlocks } from "./blocks.ts";
import type { Texts } from "./build-postings.ts";
import type { Postings } from "./write-postings.ts";

/** A placement, or the choice by size. */
export const placementOptions = ["auto", "bundle", "cdn"] as const;
export type PlacementOption = (typeof placementOptions)[number];

/**
 * Bytes that lists and hits may take in a function's archive. The function's code, its catalogue and what
 * the platform adds take the rest.
 */
const bundledBytes = platform.functionZipped - 4_000_000;

/** Where blocks were put. */
export interface PlacedBlocks extends Readonly<Record<ListKind, StoredBlocks>> {
  /** All titles and texts; only public files hold them. */
  readonly texts: Blocks;
}

/** Bytes of some blocks. */
const totalBytes = ({ offsets }: Blocks): number => offsets[offsets.length - 1] ?? 0;

/** Whether the index fits a function. Blocks of lists are as good as incompressible. */
function fitsBundle(snapshot: string, { posts, positions }: Postings): boolean {
  const hits = readFileSync(join(snapshot, indexFolder, indexFiles.hits));
  const zipped = deflateRawSync(hits, { level: 1 }).length;
  return totalBytes(posts) + totalBytes(positions) + zipped <= bundledBytes;
}

/** Publishes all titles and texts. */
function publishTexts({ units }: Texts, snapshot: string): Blocks {
  const published = publicBlocks(snapshot);
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
 * @param snapshot its folder; the index folder in it holds the hits
 */
export async function placePostings(
  snapshot: string,
  lists: Postings,
  texts: Texts,
  option: PlacementOption,
): Promise<PlacedBlocks> {
  const fits = option === "bundle" || (option === "auto" && fitsBundle(snapshot, lists));
  const placement = fits ? "bundle" : "cdn";
  return {
    posts: await placeBlocks(lists.posts, snapshot, placement),
    positions: await placeBlocks(lists.positions, snapshot, placement),
    texts: fits ? { offsets: [], digests: [], names: [] } : publishTexts(texts, snapshot),
  };
}
