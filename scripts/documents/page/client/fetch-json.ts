/** Answers of the API, and what is said where there is none. */
import type { Post } from "../../../../functions/contract/resources.ts";
import { i18n } from "./dom.ts";

/**
 * A request that failed. Its message is for readers.
 *
 * @param canRetry whether another try may help: not after 404
 */
export class RequestError extends Error {
  readonly canRetry: boolean;
  constructor(message: string, canRetry: boolean) {
    super(message);
    this.canRetry = canRetry;
  }
}

/** Longer than the platform lets a function run. */
const timeoutMs = 30_000;
const retryableClientErrors = [408, 429];

/** Reads JSON, or the one event of a stream, as /mcp sends it. */
function parseBody(text: string): unknown {
  const event = text.split("\n").find((line) => line.startsWith("data: "));
  return JSON.parse(text.startsWith("{") ? text : (event?.slice("data: ".length) ?? text));
}

/**
 * Fetches JSON from this site.
 *
 * @throws RequestError, or the reason of `signal`
 */
export async function fetchJson<T>(path: string, options: RequestInit = {}): Promise<T> {
  const failed = i18n.t("The request failed");
  const signals = [AbortSignal.timeout(timeoutMs), options.signal].filter((one) => one != null);
  let [status, text] = [0, ""];
  try {
    const response = await fetch(path, { ...options, signal: AbortSignal.any(signals) });
    ({ status } = response);
    text = await response.text();
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new RequestError(`${failed}: ${error}`, true);
  }
  const canRetry = status < 400 || status >= 500 || retryableClientErrors.includes(status);
  let body: unknown;
  try {
    body = parseBody(text);
  } catch {
    throw new RequestError(`${failed}: ${status}`, canRetry);
  }
  if (status < 300) return body as T;
  // The platform has another name for what it says where a function broke.
  const { error, errorMessage = "" } = body as { error?: string; errorMessage?: string };
  throw new RequestError(`${status} ${error ?? errorMessage}`, canRetry);
}

/** Posts that were asked for, the newest question last. */
const posts = new Map<string, Promise<Post>>();
const maxPosts = 100;

/** Fetches a post, or gives the one that was read before. */
export function fetchPost(postId: string): Promise<Post> {
  const path = `/api/posts/${encodeURIComponent(postId)}`;
  const post = posts.get(postId) ?? fetchJson<Post>(path);
  posts.set(postId, post);
  post.catch(() => posts.delete(postId));
  for (const oldest of [...posts.keys()].slice(0, -maxPosts)) posts.delete(oldest);
  return post;
}
