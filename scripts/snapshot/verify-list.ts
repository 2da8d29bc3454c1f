/** Compares the list of files in snapshot.json with the files that a snapshot of its posts, packs and index has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SyncFile } from "../../functions/contract/sync.ts";
import { readHead } from "../../functions/search/index-files.ts";
import {
  blockFolder,
  blocksIn,
  indexFiles,
  indexFolder,
} from "../../functions/search/index-format.ts";
import { FolderSource } from "../../functions/search/part-source.ts";
import type { PostPack } from "../../functions/search/post-packs.ts";
import { languages } from "../documents/page/languages.ts";
import { publicFiles } from "../search-index/blocks.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { clientFiles, pageFile, snapshotFiles } from "./published-files.ts";

/** Each page that is not in the language of the page at /, which is not known here: a snapshot has all of them but one. */
const otherPages = languages.flatMap((main) =>
  languages.filter((language) => language !== main).map((language) => pageFile(language, main)),
);

/**
 * Files that the manifest must list and does not, or must not list. A file that goes together with its entry, or
 * comes with one, shows nowhere else.
 *
 * @param folder of the snapshot
 * @param packs of its posts
 * @returns what is wrong, in words; nothing where index or sync file cannot be read, which is reported where they are used
 */
export async function problemsOfList(
  folder: string,
  { files }: SnapshotManifest,
  packs: readonly PostPack[],
): Promise<string[]> {
  let expected: Set<string>;
  try {
    const { manifest: _, ...documents } = snapshotFiles;
    expected = new Set([
      ...Object.values(documents),
      ...clientFiles,
      ...packs.map(({ file }) => `${blockFolder}/${file}`),
      ...bulkFiles(folder),
      ...(await filesOfIndex(folder)),
    ]);
  } catch {
    return [];
  }
  const pages = otherPages.filter((path) => !Object.hasOwn(files, path));
  const missing = [...expected].filter((path) => !Object.hasOwn(files, path));
  if (pages.length === otherPages.length) missing.push(pages.join(" or "));
  const others = Object.keys(files).filter(
    (path) => !expected.has(path) && !otherPages.includes(path),
  );
  return [
    ...missing.map((path) => `${path}: ${snapshotFiles.manifest} must list this file`),
    ...others.map((path) => `${path}: ${snapshotFiles.manifest} must not list this file`),
  ];
}

/** Files for bulk download, as the sync file lists them. */
function bulkFiles(folder: string): string[] {
  const { bulk } = JSON.parse(readFileSync(join(folder, snapshotFiles.sync), "utf8")) as SyncFile;
  return bulk.map(({ url }) => new URL(url).pathname.slice(1));
}

/** Files of the search index, and its public blocks. */
async function filesOfIndex(folder: string): Promise<string[]> {
  const source = new FolderSource(join(folder, indexFolder));
  try {
    const { manifest, catalog } = await readHead(source);
    return [
      ...[indexFiles.manifest, ...Object.keys(manifest.parts)].map(
        (name) => `${indexFolder}/${name}`,
      ),
      ...(["posts", "positions", "texts"] as const).flatMap((kind) =>
        publicFiles(blocksIn(catalog, kind)),
      ),
    ];
  } finally {
    source.close();
  }
}
