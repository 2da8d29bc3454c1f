/** Which files a snapshot has. Each file that is published is declared here, or in the contract for posts and bulk downloads. */
import { documents, downloads, paths } from "../../functions/contract/http.ts";

/** Files of a snapshot besides the posts, those for bulk download and the search index, relative to its folder. */
export const snapshotFiles = {
  manifest: "snapshot.json",
  openapi: paths.openapi.slice(1),
  /** What the platform serves at any other URL where nothing is. */
  notFoundPage: "404.html",
  pageInJapanese: `${documents.ja.slice(1)}index.html`,
  pageInEnglish: `${documents.en.slice(1)}index.html`,
  llms: documents.llms.slice(1),
  catalog: documents.catalog.slice(1),
  robots: documents.robots.slice(1),
  sync: downloads.sync.slice(1),
  feed: downloads.feed.slice(1),
} as const;
