/** Which files a snapshot has. Each file that is published is declared here, or in the contract for posts and bulk downloads. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pagePath, type Language } from "../../functions/contract/collection.ts";
import { documents, downloads, paths } from "../../functions/contract/http.ts";

/** Files of a snapshot besides the posts, those for bulk download and the search index, relative to its folder. */
export const snapshotFiles = {
  manifest: "snapshot.json",
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

/** File of the page in a language. @param main the language of the page at / */
export const pageFile = (language: Language, main: Language): string =>
  `${pagePath(language, main).slice(1)}${snapshotFiles.page}`;

/** Files of the documentation page, which are published as they are in this folder. */
export const clientFolder = join(import.meta.dirname, "../documents/page/client");
export const clientFiles = readdirSync(clientFolder).map((name) => `site/${name}`);
