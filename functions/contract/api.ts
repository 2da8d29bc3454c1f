/** What the API is called, and its version. */

/** Version of the API's interface, stated in the OpenAPI document and in snapshot.json. */
export const apiVersion = "1.0.0";

/** Name of the API in its documentation. */
export const apiTitle = "Case collection API";

/** What the API is, in two sentences, for its documentation. */
export const apiDescription =
  "Public, read-only access to a collection of cases submitted by users: search posts by keyword and tag, and read a post with its comments, tags and related posts. No key is needed; every response is JSON and may be read from any origin.";

/** What clients are asked to do when they read many posts. */
export const fairUse =
  "There is no fixed rate limit. When reading many posts, pause some tens of milliseconds between requests.";
