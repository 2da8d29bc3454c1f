/** How public blocks and packs are named: by their content, so a name never changes its meaning. */
import { createHash } from "node:crypto";
import { nameWords } from "../../functions/search/index-format.ts";

/** The words of a content's name, the first 96 bits of its SHA-256: `blockFileName` makes a file's name of them. */
export function blockName(content: Uint8Array): Uint32Array {
  const hash = createHash("sha256").update(content).digest();
  return Uint32Array.from({ length: nameWords }, (_, i) => hash.readUInt32BE(i * 4));
}
