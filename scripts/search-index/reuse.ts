/** The lists of an older index, where that is intact and was made of the same texts. */
import { linkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  blockFileName,
  blockFolder,
  catalogFrom,
  digestOf,
  files,
  fingerprintOf,
  format,
  indexFolder,
  nameWords,
  type Catalog,
  type ListKind,
  type Manifest,
  type Names,
  type PartEntry,
} from "../../functions/search/index-format.ts";
import { BlockFile } from "./block-file.ts";
import { listColumns, type ListColumns, type Lists } from "./lists.ts";

/** Some file of the older index is not the one that was written. */
class Damaged extends Error {}

/** A file of the older index, checked against its digest. */
function intact(folder: string, name: string, manifest: Manifest): Buffer {
  const content = readFileSync(join(folder, name));
  if (digestOf(content) !== manifest.parts[name]?.digest) throw new Damaged(name);
  return content;
}

/** Joins the public blocks of one kind into one file again. */
function joinBlocks(snapshot: string, target: string, kind: ListKind, catalog: Catalog): PartEntry {
  const digests = catalog[`${kind}Digests`];
  const names = catalog[`${kind}Names`];
  const file = new BlockFile(target);
  try {
    for (let block = 0; block < digests.length; block++) {
      const name = blockFileName(names.subarray(block * nameWords, (block + 1) * nameWords));
      const bytes = readFileSync(join(snapshot, blockFolder, name));
      if (digestOf(bytes) !== digests[block]) throw new Damaged(name);
      file.add(bytes);
    }
  } finally {
    file.close();
  }
  return file.part;
}

/**
 * Brings the lists of an older index into a new index folder: links their files, or joins their blocks.
 *
 * @param snapshot folder of the older snapshot
 * @param folder the new index folder
 * @param texts digest that the manifest of the older index must have
 * @returns undefined where there is no such index, or part of it is missing or damaged
 */
export function reusedLists(snapshot: string, folder: string, texts: string): Lists | undefined {
  const old = join(snapshot, indexFolder);
  try {
    const manifest = JSON.parse(readFileSync(join(old, files.manifest), "utf8")) as Manifest;
    const { fingerprint, ...rest } = manifest;
    if (
      manifest.version !== format.version ||
      manifest.texts !== texts ||
      fingerprintOf(rest) !== fingerprint
    )
      return undefined;
    const catalog = catalogFrom(intact(old, files.catalog, manifest), manifest);
    const { frequentGrams } = JSON.parse(intact(old, files.names, manifest).toString()) as Names;
    const partOf = (kind: ListKind): PartEntry => {
      const target = join(folder, files[kind]);
      if (manifest.placement === "cdn") return joinBlocks(snapshot, target, kind, catalog);
      const { length } = intact(old, files[kind], manifest);
      linkSync(join(old, files[kind]), target);
      return { bytes: length, digest: manifest.parts[files[kind]]!.digest };
    };
    const parts = { posts: partOf("posts"), positions: partOf("positions") };
    const columns = Object.fromEntries(
      listColumns.map((column) => [column, catalog[column]]),
    ) as unknown as ListColumns;
    return { frequentGrams, parts, columns: { ...columns, postsNames: [], positionsNames: [] } };
  } catch {
    // No older index, or one that cannot be read: the lists are made from the texts.
    return undefined;
  }
}
