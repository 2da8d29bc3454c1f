/** Reads a body that anybody may have sent. */

/**
 * The bytes of a body; none where there is no body.
 *
 * @param most bytes that it may have
 * @returns undefined for a longer one, of which the rest is not read: it might not fit into memory
 */
export async function readBodyLimited(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
