/** Lists a folder with all folders below it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Everything below a folder that is not a folder itself, by its path there with slashes, and each empty folder, with
 * a slash at the end. Links are listed and not followed, which Node's own recursive listing does: it would leave the
 * folder.
 */
export const entriesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    const below = entriesBelow(join(folder, entry.name));
    return below.length === 0 ? [`${entry.name}/`] : below.map((path) => `${entry.name}/${path}`);
  });

/** The files and links of `entriesBelow`. */
export const filesBelow = (folder: string): string[] =>
  entriesBelow(folder).filter((path) => !path.endsWith("/"));
