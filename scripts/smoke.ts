/** npm run smoke -- URL: asks a published API what the contract promises. A line a check; exit code 1 when one fails. */
import { parseArgs } from "node:util";
import { errors, paths, successHeaders } from "../functions/contract/http.ts";
import { searchParameters } from "../functions/contract/parameters.ts";
import type { Post, SearchHit, SearchMetadata, TagCount } from "../functions/contract/resources.ts";
import { publishedRules, type Description, type Rules } from "./lib/json-schema.ts";

const usage = `npm run smoke -- [URL] [--posts N]

Checks a published API, by default the local one: every status, header and body of the contract,
a search walked through all its pages, a sample of posts, CORS, caching and ETags.

  URL          address of the site (default: http://localhost:8888)
  --posts N    posts to read (default: 20)
  --help       show this text
`;

const {
  values,
  positionals: [site = "http://localhost:8888"],
} = parseArgs({
  allowPositionals: true,
  options: {
    posts: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || !URL.canParse(site)) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}
const base = site.replace(/\/+$/, "");
/** Clients are asked to pause between posts. */
const pauseMilliseconds = 30;

interface SearchResult {
  readonly metadata: SearchMetadata;
  readonly tagCounts: readonly TagCount[];
  readonly results: readonly SearchHit[];
}

let failures = 0;

/** Runs one check and prints how it went. What `check` throws is what is wrong. */
async function check(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    process.stdout.write(`ok    ${name}\n`);
  } catch (error) {
    failures++;
    process.stdout.write(`FAIL  ${name}: ${(error as Error).message}\n`);
  }
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(base + path, { ...init, signal: AbortSignal.timeout(30_000) });

async function success<T>(path: string): Promise<T> {
  const response = await get(path);
  expectEqual("status", response.status, 200);
  for (const [name, value] of Object.entries(successHeaders))
    expectEqual(name, response.headers.get(name), value);
  return (await response.json()) as T;
}

async function failure(path: string, kind: keyof typeof errors, init?: RequestInit): Promise<void> {
  const response = await get(path, init);
  expectEqual("status", response.status, errors[kind].status);
  for (const name of ["Content-Type", "Access-Control-Allow-Origin"] as const)
    expectEqual(name, response.headers.get(name), successHeaders[name]);
  expectEqual("body", await response.json(), { error: errors[kind].message });
}

const search = (query: string): Promise<SearchResult> => success(`${paths.search}?${query}`);

let rules: Readonly<Record<string, Rules>> = {};
await check("the description is OpenAPI 3.1.0", async () => {
  const document = await success<Description & { openapi: string }>(paths.openapi);
  expectEqual("openapi", document.openapi, "3.1.0");
  rules = Object.fromEntries(
    Object.keys(document.components.schemas).map((name) => [name, publishedRules(document, name)]),
  );
});
function follows(schema: string, body: unknown): void {
  const problems = rules[schema]?.(body) ?? [`the description has no ${schema}`];
  if (problems.length > 0) throw new Error(problems.join("; "));
}

let everything: SearchResult | undefined;
await check("a search without parameters gives the defaults", async () => {
  everything = await search("");
  follows("SearchResult", everything);
  const { query, page, orderby, count, totalPages } = everything.metadata;
  const { q, page: pages, orderby: orders, pageSize } = searchParameters;
  expectEqual("metadata", [query, page, orderby], [q.default, pages.default, orders.default]);
  expectEqual("totalPages", totalPages, Math.ceil(count / pageSize.default));
});
const total = everything?.metadata.count ?? 0;
const { maximum, default: usual } = searchParameters.pageSize;
const searches: [query: string, field: keyof SearchMetadata, expected: unknown][] = [
  ["q=%20a%20b%20", "query", " a b "],
  ["q=%25_%5C'%22", "query", "%_\\'\""],
  ["q=%E3%81%AE", "query", "の"],
  ["orderby=timeAsc", "orderby", "timeAsc"],
  ["orderby=like", "orderby", "like"],
  ["orderby=nonsense", "orderby", "timeDesc"],
  ["page=2", "page", 2],
  ["page=0", "page", 1],
  ["page=x", "page", 1],
  ["page=999999", "hasMore", false],
  [`pageSize=${maximum}`, "totalPages", Math.ceil(total / maximum)],
  [`pageSize=${maximum + 1}`, "totalPages", Math.ceil(total / maximum)],
  ["pageSize=0", "totalPages", Math.ceil(total / usual)],
  ["pageSize=-1", "totalPages", Math.ceil(total / usual)],
  ["tags=no-such-tag-anywhere", "count", 0],
];
for (const [query, field, expected] of searches)
  await check(`search ?${query}: ${field} is ${JSON.stringify(expected)}`, async () => {
    const result = await search(query);
    follows("SearchResult", result);
    expectEqual(field, result.metadata[field], expected);
  });

const walked: number[] = [];
await check("a search walked through all pages gives every hit once", async () => {
  const tag = everything?.tagCounts.find(({ tagName }) => !/\s/u.test(tagName));
  const filter =
    tag === undefined || total <= 2000 ? "" : `&tags=${encodeURIComponent(tag.tagName)}`;
  let more = true;
  let count = 0;
  for (let page = 1; more; page++) {
    const { metadata, results } = await search(`pageSize=${maximum}&page=${page}${filter}`);
    walked.push(...results.map(({ postId }) => postId));
    ({ hasMore: more, count } = metadata);
    expectEqual("page", metadata.page, page);
    if (page > 10_000) throw new Error("does not end");
  }
  expectEqual("hits", [walked.length, new Set(walked).size], [count, count]);
});

await check("a tag's count is the number of hits with that tag", async () => {
  const tag = everything?.tagCounts.find(({ tagName }) => !/\s/u.test(tagName));
  if (tag === undefined) return;
  const { metadata } = await search(`tags=${encodeURIComponent(tag.tagName)}`);
  expectEqual("count", metadata.count, tag.count);
});

const wanted = Number(values.posts);
const step = Math.max(1, Math.floor(walked.length / wanted));
for (const postId of walked.filter((_, i) => i % step === 0).slice(0, wanted))
  await check(`post ${postId}`, async () => {
    await new Promise((wait) => setTimeout(wait, pauseMilliseconds));
    const post = await success<Post>(`${paths.posts}${postId}`);
    follows("Post", post);
    expectEqual("postId", post.postId, postId);
    if (post.nextPost !== null) {
      const next = await success<Post>(`${paths.posts}${post.nextPost.postId}`);
      expectEqual("the next post's previousPost", next.previousPost?.postId, postId);
    }
  });

for (const id of ["abc", "0", "-1", "1.5", "%EF%BC%91", "12/34"])
  await check(`${paths.posts}${id} is no post id`, () =>
    failure(`${paths.posts}${id}`, "invalidPostId"),
  );
for (const id of ["999999999999", "01", "9".repeat(40)])
  await check(`${paths.posts}${id} is not found`, () =>
    failure(`${paths.posts}${id}`, "postNotFound"),
  );
await check("an unknown path is not found", () => failure("/api/no-such-path", "notFound"));
await check("another method is not allowed", () =>
  failure(paths.search, "methodNotAllowed", { method: "POST" }),
);
await check("OPTIONS answers a preflight", async () => {
  const response = await get(paths.search, { method: "OPTIONS" });
  expectEqual("status", response.status, 204);
  expectEqual("allowed", response.headers.get("Access-Control-Allow-Origin"), "*");
});
for (const path of [paths.search, paths.openapi, `${paths.posts}0`])
  await check(`HEAD ${path} answers as GET, without a body`, async () => {
    const [head, full] = await Promise.all([get(path, { method: "HEAD" }), get(path)]);
    expectEqual("status", head.status, full.status);
    expectEqual("type", head.headers.get("Content-Type"), full.headers.get("Content-Type"));
    expectEqual("body", await head.text(), "");
  });

await check("a search that the client has answers 304", async () => {
  const etag = (await get(`${paths.search}?q=a`)).headers.get("ETag");
  if (etag === null) throw new Error("there is no ETag");
  const again = await get(`${paths.search}?pageSize=10&q=a`, {
    headers: { "If-None-Match": etag },
  });
  expectEqual("status", again.status, 304);
});

process.stdout.write(failures === 0 ? "all is well.\n" : `${failures} checks failed.\n`);
process.exit(failures === 0 ? 0 : 1);
