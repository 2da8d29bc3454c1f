/**
 * Which resource a path names, whichever way a request reached the function.
 *
 * A request comes directly, or through a rewrite of netlify.toml; then the platform may hand over the
 * path that the client sent or the path that the rule made of it. Both must lead to the same route:
 *
 * | the client's path | after the rewrite      |
 * |-------------------|------------------------|
 * | /api/posts/7      | /api/posts/7.json      |
 * | /api/anything     | /_api/anything         |
 *
 * No rule matches /mcp, so that request comes directly under every reading.
 */
import { functionPrefix, mcpPath, paths } from "../contract/http.ts";

/** What a path of the HTTP API asks for. `postId` is the text in its place, still percent-encoded. */
export type ApiRoute =
  | { readonly to: "search" }
  | { readonly to: "post"; readonly postId: string }
  | { readonly to: "notFound" };

/** What a path asks for. */
export type Route = ApiRoute | { readonly to: "mcp" };

const apiPrefix = "/api/";

/** A text without an ending, however often it comes. A regular expression would take quadratic time. */
function withoutEnding(text: string, ending: string): string {
  let end = text.length;
  while (text.endsWith(ending, end)) end -= ending.length;
  return text.slice(0, end);
}

/**
 * The route of a path.
 *
 * @param pathname path of a request's URL, percent-encoded
 */
export function matchRoute(pathname: string): Route {
  const path = (
    pathname.startsWith(functionPrefix)
      ? apiPrefix + pathname.slice(functionPrefix.length)
      : pathname
  ).replace(/\/$/, "");
  if (path === paths.search) return { to: "search" };
  if (path === mcpPath) return { to: "mcp" };
  // With a slash: `/api/posts` alone is a post without an id.
  if (`${path}/`.startsWith(paths.posts))
    // A missing file's own name is read as the id before it: after the rewrite, both look the same.
    return { to: "post", postId: withoutEnding(path.slice(paths.posts.length), ".json") };
  return { to: "notFound" };
}
