/** Reads a body that anybody may have sent. */

/**
 * The bytes of a body; none where there is no body.
 *
 * @param most bytes that it may have
 * @returns undefined for a longer one, of which the rest is not read: it might not fit into memory
 */
export async function bodyUpTo(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    length += chunk.value.length;
    chunks.push(chunk.value);
    if (length <= most) continue;
    await reader?.cancel();
    return undefined;
  }
  return Buffer.concat(chunks);
}
