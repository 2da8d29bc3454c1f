/** Compares the list of files in snapshot.json with the files that a snapshot of its posts, packs and index has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../functions/contract/collection.ts";
import type { SyncFile } from "../../functions/contract/sync.ts";
import { readHead } from "../../functions/search/index-reader.ts";
import {
  blockFolder,
  blocksIn,
  indexFiles,
  indexFolder,
} from "../../functions/search/index-format.ts";
import { FolderSource } from "../../functions/search/part-source.ts";
import type { PostPack } from "../../functions/search/post-packs.ts";
import { bundlePage } from "../documents/page/bundle.ts";
import { languages } from "../documents/page/languages.ts";
import { publicFiles } from "../search-index/blocks.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { clientFolder, docsFile, pageFile, snapshotFiles } from "./published-files.ts";

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
      ...Array.from(bundlePage().keys(), (name) => `${clientFolder}/${name}`),
      ...(Object.hasOwn(files, snapshotFiles.page) ? pages(folder) : []),
      ...packs.map(({ file }) => `${blockFolder}/${file}`),
      ...bulkFiles(folder),
      ...(await filesOfIndex(folder)),
    ]);
  } catch {
    return [];
  }
  const missing = [...expected].filter((path) => !Object.hasOwn(files, path));
  const others = Object.keys(files).filter((path) => !expected.has(path));
  return [
    ...missing.map((path) => `${path}: ${snapshotFiles.manifest} must list this file`),
    ...others.map((path) => `${path}: ${snapshotFiles.manifest} must not list this file`),
  ];
}

/** The pages in each language. The one at / says in which language it is. */
function pages(folder: string): string[] {
  const page = readFileSync(join(folder, snapshotFiles.page), "utf8");
  const [, main] = /<html lang="(\w+)"/.exec(page) ?? [];
  return languages.flatMap((language) =>
    [pageFile, docsFile].map((fileOf) => fileOf(language, main as Language)),
  );
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
