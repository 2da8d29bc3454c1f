/** The manifest of a small snapshot, for tests that compare manifests. */
import { snapshotFormat, type SnapshotManifest } from "../../scripts/snapshot/manifest.ts";
import { TotalsCounter } from "../../scripts/snapshot/totals.ts";

/** A manifest without posts, but for the given fields. */
export const manifestWith = (fields: Partial<SnapshotManifest>): SnapshotManifest => ({
  format: snapshotFormat.name,
  version: snapshotFormat.version,
  id: "0123456789ab",
  apiVersion: "1.0.0",
  counts: new TotalsCounter().totals,
  similarPosts: { source: "export", method: null },
  inputDigest: "0123456789ab",
  posts: {},
  tags: {},
  files: {},
  ...fields,
});
