/** Lists a folder with all folders below it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Everything below a folder that is not a folder itself, by its path there with slashes. Links are listed
 * and not followed, which Node's own recursive listing does: it would leave the folder.
 */
export function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) yield entry.name;
    else for (const path of filesBelow(join(folder, entry.name))) yield `${entry.name}/${path}`;
  }
}
