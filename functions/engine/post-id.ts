/** The id of a post in a path, or where an agent gives one. */
import type { ErrorKind } from "../contract/http.ts";

/** A post's id, or the error of the API that answers a text which is none. */
export type ParsedPostId =
  | { readonly ok: true; readonly postId: number }
  | { readonly ok: false; readonly error: Extract<ErrorKind, "invalidPostId" | "postNotFound"> };

/**
 * Parses the id of a post: ASCII digits, not all zero.
 *
 * @returns `postNotFound` for a valid id that no post can have: one with leading zeros, or beyond 2^53 - 1
 */
export function parsePostId(text: string): ParsedPostId {
  if (!/^0*[1-9][0-9]*$/.test(text)) return { ok: false, error: "invalidPostId" };
  const postId = Number(text);
  return text.startsWith("0") || !Number.isSafeInteger(postId)
    ? { ok: false, error: "postNotFound" }
    : { ok: true, postId };
}

/** Parses the same from its percent-encoded form in a URL. */
export function parseEncodedPostId(encoded: string): ParsedPostId {
  try {
    return parsePostId(decodeURIComponent(encoded));
  } catch {
    return { ok: false, error: "invalidPostId" };
  }
}
