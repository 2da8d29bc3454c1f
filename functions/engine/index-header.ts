/** Reads what says where everything else of an index is: the manifest, the catalogue and the names. */
import { IndexUnavailable, type FileStore } from "./block-store.ts";
import {
  catalogFrom,
  computeFingerprint,
  indexFiles,
  indexFormat,
  type Catalog,
  type IndexManifest,
  type Names,
  type SegmentCatalog,
  type SegmentEntry,
} from "./index-format.ts";

/**
 * The manifest of an index.
 *
 * @throws IndexUnavailable where it is damaged, or of another format
 */
function readIndexManifest(source: FileStore): IndexManifest {
  const content = source.readWhole(indexFiles.manifest);
  let manifest: IndexManifest;
  try {
    manifest = JSON.parse(Buffer.from(content).toString()) as IndexManifest;
  } catch (cause) {
    throw new IndexUnavailable(indexFiles.manifest, "is not JSON", { cause });
  }
  if (manifest?.format !== indexFormat.name || manifest.version !== indexFormat.version)
    throw new IndexUnavailable(
      indexFiles.manifest,
      `has format ${manifest?.format} ${manifest?.version}, this program reads ${indexFormat.name} ${indexFormat.version}`,
    );
  const { fingerprint, ...rest } = manifest;
  // A field that is missing or of another type cannot even be digested.
  const isComplete = [rest.files, rest.columns, rest.segments].every(
    (one) => typeof one === "object" && one,
  );
  if (!isComplete || computeFingerprint(rest) !== fingerprint)
    throw new IndexUnavailable(indexFiles.manifest, "does not match its own fingerprint");
  return manifest;
}

/**
 * Compares the lengths of all files with the manifest.
 *
 * @throws IndexUnavailable where the length of a file is not the one that the manifest gives
 */
function assertLengths(source: FileStore, { files }: IndexManifest): void {
  for (const [name, { bytes }] of Object.entries(files)) {
    const size = source.size(name);
    if (size !== bytes) throw new IndexUnavailable(name, `has ${size} bytes instead of ${bytes}`);
  }
}

/**
 * The content of a file that the manifest describes.
 *
 * @throws IndexUnavailable where it is not as it must be
 */
export async function readListedFile(
  source: FileStore,
  { files }: IndexManifest,
  file: string,
): Promise<Uint8Array> {
  const part = files[file];
  if (part === undefined) throw new IndexUnavailable(indexFiles.manifest, `does not name ${file}`);
  return source.read({ file, start: 0, ...part });
}

/** What says where everything else of a segment is. */
export interface SegmentHeader extends SegmentEntry {
  readonly catalog: SegmentCatalog;
  readonly frequentGrams: readonly string[];
}

/** What says where everything else of an index is. */
export interface IndexHeader {
  readonly manifest: IndexManifest;
  readonly catalog: Catalog;
  readonly tags: readonly string[];
  readonly segments: readonly SegmentHeader[];
}

/**
 * Reads the head of an index. All files of the folder then have the lengths that they must have.
 *
 * @param indexStore the index folder
 * @throws IndexUnavailable when a part is missing, cut short, altered, or of another index
 */
export async function readIndexHeader(indexStore: FileStore): Promise<IndexHeader> {
  const manifest = readIndexManifest(indexStore);
  assertLengths(indexStore, manifest);
  const content = await readListedFile(indexStore, manifest, indexFiles.catalog);
  const { catalog, segments } = catalogFrom(content, manifest);
  const names = await readListedFile(indexStore, manifest, indexFiles.names);
  const { tags, frequentGrams } = JSON.parse(Buffer.from(names).toString()) as Names;
  return {
    manifest,
    catalog,
    tags,
    segments: manifest.segments.map((entry, i) => ({
      ...entry,
      catalog: segments[i]!,
      frequentGrams: frequentGrams[i]!,
    })),
  };
}
