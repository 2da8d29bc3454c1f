/** Which files a snapshot has. Each file that is published is declared here, or in the contract for posts and bulk downloads. */
import { docsPath, pagePath, type Language } from "../../functions/contract/collection.ts";
import { documents, downloads, paths } from "../../functions/contract/http.ts";
import { headersFile } from "./headers-file.ts";

/** Files of a snapshot besides the posts, those for bulk download and the search index, relative to its folder. */
export const snapshotFiles = {
  manifest: "snapshot.json",
  headers: headersFile,
  openapi: paths.openapi.slice(1),
  /** What the platform serves at any other URL where nothing is. */
  notFoundPage: "404.html",
  page: "index.html",
  llms: documents.llms.slice(1),
  catalog: documents.catalog.slice(1),
  robots: documents.robots.slice(1),
  sync: downloads.sync.slice(1),
  feed: downloads.feed.slice(1),
  syncJavaScript: downloads.syncJavaScript.slice(1),
  syncPython: downloads.syncPython.slice(1),
} as const;

/**
 * File of the page in a language.
 *
 * @param main the language of the page at /
 */
export const pageFile = (language: Language, main: Language): string =>
  `${pagePath(language, main).slice(1)}${snapshotFiles.page}`;

/**
 * File of the documentation in a language.
 *
 * @param main the language of the page at /
 */
export const docsFile = (language: Language, main: Language): string =>
  `${docsPath(language, main).slice(1)}${snapshotFiles.page}`;

/** Folder of the programs, the style and the icon of the pages. */
export const clientFolder = "site";
