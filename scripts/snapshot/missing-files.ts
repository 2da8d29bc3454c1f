/** Finds files that a snapshot must have and its manifest does not list, such as one that is gone together with its entry there. */
import { join } from "node:path";
import { contentOf, readManifest } from "../../functions/search/index-files.ts";
import {
  blocksIn,
  catalogFrom,
  indexFiles,
  indexFolder,
} from "../../functions/search/index-format.ts";
import { folderSource } from "../../functions/search/part-source.ts";
import { languages } from "../documents/page/languages.ts";
import { publicFiles } from "../search-index/blocks.ts";
import type { SnapshotManifest } from "./manifest.ts";
import { clientFiles, pageFile, snapshotFiles } from "./published-files.ts";

/** Each page that is not in the language of the page at /, which is not known here: a snapshot has all of them but one. */
const otherPages = languages.flatMap((main) =>
  languages.filter((language) => language !== main).map((language) => pageFile(language, main)),
);

/**
 * Files that the manifest of a snapshot must list and does not. Posts, packs, and files for bulk download are not
 * among them: those that are missing are found where they are read.
 *
 * @param folder of the snapshot
 */
export async function missingFiles(folder: string, { files }: SnapshotManifest): Promise<string[]> {
  const { manifest: _, ...documents } = snapshotFiles;
  const needed = [...Object.values(documents), ...clientFiles, ...(await blocksOf(folder))];
  const pages = otherPages.filter((path) => !Object.hasOwn(files, path));
  return [
    ...needed.filter((path) => !Object.hasOwn(files, path)),
    ...(pages.length === otherPages.length ? [pages.join(" or ")] : []),
  ];
}

/** Public files of the search index; none where it cannot be read, which searches show. */
async function blocksOf(folder: string): Promise<string[]> {
  const source = folderSource(join(folder, indexFolder));
  try {
    const manifest = readManifest(source);
    const catalog = catalogFrom(await contentOf(source, manifest, indexFiles.catalog), manifest);
    return (["posts", "positions", "texts"] as const).flatMap((kind) =>
      publicFiles(blocksIn(catalog, kind)),
    );
  } catch {
    return [];
  } finally {
    source.close();
  }
}
