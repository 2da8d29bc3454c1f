/** What the API is called, and its version. */

/** Name of the API in its documentation. */
export const apiTitle = "Case collection API";

/** What the API is, in two sentences, for its documentation. */
export const apiDescription =
  "Public, read-only access to a collection of cases submitted by users: search posts by keyword and tag, and read a post with its comments, tags and related posts. No key is needed; every response is JSON and may be read from any origin.";

/** What the API does, for the documentation of a collection that says itself what it is about. */
export const apiUse =
  "This API searches the posts by keyword and tag, and gives each post with its comments, tags and similar posts. No key is needed; every response is JSON and may be read from any origin.";

/** What clients are asked to do when they read many posts. */
export const fairUse =
  "There is no fixed rate limit. When reading many posts, wait a few tens of milliseconds between requests.";

/** What stays as it is for all clients as long as the first number of the version does. */
export const promises = [
  "No path, parameter or field is removed or renamed, and none changes its type or its meaning.",
  "No parameter becomes required, and no value that is accepted today is rejected.",
  "Every field stays present, and no field starts to be null.",
  "Status codes and error messages stay the same.",
  "No key, no registration: reading stays open to everyone.",
  "The downloads keep their paths and fields, and the tools of the MCP server their names and fields.",
] as const;

/** What may change at any time, and what clients should therefore not rely on. */
export const changeable = [
  "Posts, comments, tags and counts, and with them every page of results, totals and similar posts.",
  "The order of fields in JSON objects, their white space, and the form of entity tags.",
  "Descriptions, examples, this page and other text meant for people.",
  "Response headers beyond those that are documented.",
  "`snapshot.json`, the build's own record, except its `id`, `apiVersion` and `counts`.",
] as const;

/** What was changed for clients, latest first. The first entry is the current version. */
export const changes = [
  {
    version: "1.0.0",
    date: "2026-11-29",
    items: [
      "The MCP server answers every client that accepts JSON in JSON, in every protocol. A `null` in `params`, `arguments` or `cursor` counts as absent, and an unknown cursor is the error −32602.",
      "The documentation has a page of its own, `/docs/`, which `Link` headers, `llms.txt` and the API catalog name.",
      "The MCP tool `fetch` and the feed write quotations at any level after one `> `, number the items of ordered lists, and no longer mark what is struck out, raised numbers and items to do. Questions to `search` are ranked by fewer rules: the whole query as a phrase, exact titles and the other form of an apostrophe count no more. A request to `/mcp` has 32 KiB at most.",
    ],
  },
  {
    version: "1.0.0",
    date: "2026-11-25",
    items: [
      "Snippets of the MCP tool `search` leave out what is struck out, and write raised numbers with `^`, as `fetch` does. In `fetch`, what is struck out is between `~~`, lines of quotations begin with `> `, cells of a row have `|` between them, and items to do begin with `[ ]`, or `[x]` once they are done. The feed marks what is struck out, and raised numbers, too.",
      "In questions to the MCP tool `search`, 「」, 『』, „“ and «» are quotation marks, too, and of a quoted phrase beside other words, its own words count as well.",
    ],
  },
  {
    version: "1.0.0",
    date: "2026-11-24",
    items: [
      "The schema of the MCP tool `search` has `tags` as a list alone, since some models refuse alternatives. A text is taken as before.",
    ],
  },
  {
    version: "1.0.0",
    date: "2026-11-22",
    items: [
      "The OpenAPI description names every status, entity tags and whole examples; its schemas take new fields.",
      "New: `/sync.js` and `/sync.py`, clients that keep a copy and start from the bulk files.",
      "The MCP tool `search` takes words and questions, ranks posts and gives snippets; `fetch` reads long posts in parts.",
      "In `tags`, `_` also finds white space in a tag's name. The MCP tool `search` also takes a list of names as they are.",
      "The MCP tool `search` also finds English words with other endings, and Japanese words that are cut in another way; a single word is ranked, too.",
      "The results of the MCP tool `search` have each field once: no more `postId`, `postTitle` and `postUrl`, since `id`, `title` and `url` have them. Snippets have 120 columns, and the six most frequent tags are given, by relevance those of the 50 best posts. The advice names words that no post contains. In a text of `fetch`, what is between ⟦ and ⟧ is said by the server. The output schemas take new fields.",
    ],
  },
  {
    version: "1.0.0",
    date: "2026-11-21",
    items: [
      "New beside the API: all posts in one file, a sync file, an Atom feed, an MCP server, samples for each call.",
    ],
  },
  {
    version: "1.0.0",
    date: "2026-11-20",
    items: ["First version: search posts, read a post, read the OpenAPI description."],
  },
] as const;

/** Version of the API's interface, stated in the OpenAPI document and in snapshot.json. */
export const apiVersion = changes[0].version;

/** How versions are counted. */
export const versioning =
  "A change that could break a client raises the first number of the version and is announced here in advance. An addition, such as a new field, raises the second. What is new beside the calls, such as a file, is listed by its date.";
