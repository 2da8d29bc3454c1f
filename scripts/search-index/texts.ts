/** Titles and texts, normalised, in one array of units that threads share. */
import type { SearchHit } from "../../functions/contract/resources.ts";
import { separator } from "../../functions/search/grams.ts";
import { normalise } from "../../functions/search/normalise.ts";
import type { Texts } from "./grams.ts";

/** Units are gathered in pieces of this many: an array that doubles would hold them twice. */
const pieceUnits = 2 ** 22;

/** Units of texts in the order in which they come. */
class Gathered {
  readonly #pieces: Uint16Array<ArrayBuffer>[] = [];
  length = 0;

  append(text: string): void {
    for (let done = 0; done < text.length;) {
      const at = this.length % pieceUnits;
      if (at === 0) this.#pieces.push(new Uint16Array(pieceUnits));
      const count = Math.min(text.length - done, pieceUnits - at);
      const bytes = Buffer.from(text.slice(done, done + count), "utf16le");
      // The machine's own byte order is the encoding's, as everywhere in the index.
      Buffer.from(this.#pieces.at(-1)!.buffer, at * 2, count * 2).set(bytes);
      this.length += count;
      done += count;
    }
  }

  /** Gives the memory back at once: the garbage collector may not run before threads need as much. */
  free(): void {
    for (const { buffer } of this.#pieces) buffer.transfer(0);
    this.#pieces.length = 0;
  }

  copy(from: number, to: number, target: Uint16Array, offset: number): void {
    for (let done = from; done < to;) {
      const at = done % pieceUnits;
      const count = Math.min(to - done, pieceUnits - at);
      const piece = this.#pieces[Math.floor(done / pieceUnits)]!;
      target.set(piece.subarray(at, at + count), offset + done - from);
      done += count;
    }
  }
}

/**
 * All titles and texts in the order of the hits.
 *
 * @param hits every post
 * @param texts the visible text of every post, not normalised, in any order
 * @returns the texts, and the units of the longest title or text
 */
export function textsOf(
  hits: readonly SearchHit[],
  texts: Iterable<readonly [postId: number, text: string]>,
): { readonly texts: Texts; readonly longest: number } {
  const numbers = new Map(hits.map(({ postId }, number) => [postId, number]));
  const gathered = new Gathered();
  /** By number: where the post's texts begin and end among those that were gathered. */
  const from = new Float64Array(hits.length);
  const to = new Float64Array(hits.length);
  let longest = 0;
  for (const [postId, text] of texts) {
    const number = numbers.get(postId);
    const hit = hits[number ?? -1];
    if (number === undefined || hit === undefined)
      throw new Error(`post ${postId} has a text, but is not among the posts of the index`);
    from[number] = gathered.length;
    for (const part of [normalise(hit.postTitle), normalise(text)]) {
      longest = Math.max(longest, part.length);
      gathered.append(part + separator);
    }
    to[number] = gathered.length;
  }
  const units = new Uint16Array(new SharedArrayBuffer(gathered.length * 2));
  const offsets = new Uint32Array(new SharedArrayBuffer((hits.length + 1) * 4));
  for (let number = 0; number < hits.length; number++) {
    gathered.copy(from[number]!, to[number]!, units, offsets[number]!);
    offsets[number + 1] = offsets[number]! + to[number]! - from[number]!;
  }
  gathered.free();
  const widths = new Uint8Array(new SharedArrayBuffer(units.length));
  return { texts: { units, offsets, widths }, longest };
}
