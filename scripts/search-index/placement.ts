/** Where the blocks of lists go: into the function's bundle, or out into public files. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { platform } from "../../functions/contract/platform.ts";
import { indexFiles, listKinds, type Placement } from "../../functions/engine/index-format.ts";

/** A placement, or the choice by size. */
export const placementOptions = ["auto", "bundle", "cdn"] as const;
export type PlacementOption = (typeof placementOptions)[number];

/**
 * Bytes that lists and hits may take in a function's archive. The function's code, its catalogue and what
 * the platform adds take the rest.
 */
export const bundledBytes = platform.functionZipped - 4_000_000;

/** Bytes of lists for a unit of the texts: as many or more, in all texts that were measured. */
const bytesPerUnit = 2.2;

/**
 * Where blocks are likely to be. Known before a list is made.
 *
 * @param units of all texts
 * @param most bytes that fit a function
 */
export const expectedPlacement = (
  option: PlacementOption,
  units: number,
  most: number,
): Placement => (option === "auto" ? (units * bytesPerUnit > most ? "cdn" : "bundle") : option);

/**
 * Whether an index fits a function. Blocks of lists are as good as incompressible.
 *
 * @param folder the index folder; it holds the hits and the lists
 * @param most bytes that fit
 */
export function fitsBundle(folder: string, most: number): boolean {
  const hits = deflateRawSync(readFileSync(join(folder, indexFiles.hits)), { level: 1 }).length;
  const lists = listKinds.map((kind) => statSync(join(folder, indexFiles[kind])).size);
  return lists.reduce((sum, bytes) => sum + bytes, hits) <= most;
}
