/** The REST API of a WordPress site as a guest sees it, on loopback: pages by position, totals that count what is left out, faults. */
import { serveStandIn, type Asked, type StandIn } from "./stand-in.ts";

export interface WordPressItem {
  readonly id: number;
  /** Whether it has a place in the list, and is left out of what guests get. */
  readonly isHidden?: boolean;
  readonly [field: string]: unknown;
}

/** Items by list. */
export type WordPressContent = Record<
  "posts" | "comments" | "tags" | "categories" | "media",
  WordPressItem[]
>;

/** How a list is given. */
interface Paging {
  /** Items of a page, whatever is asked for. */
  readonly mostPerPage?: number;
  /** Header that counts items. */
  readonly totals?: (total: number, perPage: number) => Record<string, string>;
}

/** What differs from site to site. */
interface Options extends Paging {
  /** Where the API is. */
  readonly root?: string;
  /** What the API calls the home page; its true URL by default. */
  readonly home?: string;
  /** What its pages give as their language. */
  readonly language?: string;
  /** Whether the home page's header names it. */
  readonly linked?: boolean;
  /** Parts of its API, besides that of every WordPress. */
  readonly plugins?: readonly string[];
  /** Items that totals count, and nobody is given, by list. */
  readonly hidden?: Partial<Record<keyof WordPressContent, number>>;
}

/** A running site. */
export interface WordPressSite extends StandIn {
  /** Called before each request is answered. */
  before: (request: number) => void;
  /** The path and query that the site takes a request for: all of it, unless a cache or a plugin ignores a part. */
  rewrite: (path: string) => string;
}

/** The route of the API that a URL leads to; undefined for another page. */
function routeOf({ pathname, searchParams }: URL, root: string): string | undefined {
  if (root.includes("?")) return searchParams.get("rest_route") ?? undefined;
  return pathname.startsWith(root) ? `/${pathname.slice(root.length)}` : undefined;
}

/**
 * Answers a request for a list.
 *
 * @param hidden how many items are counted besides
 */
function answerList(
  { json }: Asked,
  query: URLSearchParams,
  all: readonly WordPressItem[],
  {
    hidden,
    mostPerPage = 101,
    totals = (total, perPage) => ({
      "X-WP-Total": String(total),
      "X-WP-TotalPages": String(Math.ceil(total / perPage)),
    }),
  }: Paging & {
    readonly hidden: number;
  },
): void {
  const perPage = Math.min(mostPerPage, Number(query.get("per_page") ?? 10));
  if (perPage > 100) return json(400, { code: "rest_invalid_param" });
  const include = query.get("include")?.split(",");
  const direction = { asc: 1, desc: -1 }[query.get("order") ?? ""];
  const included = all.filter(({ id }) => include === undefined || include.includes(String(id)));
  const items = direction ? included.sort((a, b) => direction * (a.id - b.id)) : included;
  const offset = Number(query.get("offset") ?? 0);
  const fields = query.get("_fields")?.split(",");
  const chosen = items
    .slice(offset, offset + perPage)
    .filter(({ isHidden }) => isHidden !== true)
    .map((item) =>
      Object.fromEntries(Object.entries(item).filter(([field]) => fields?.includes(field) ?? true)),
    );
  json(200, chosen, totals(items.length + (include === undefined ? hidden : 0), perPage));
}

/** Serves a site. */
export async function serveWordPress(
  content: WordPressContent,
  {
    root = "/wp-json/",
    linked = true,
    home,
    language = "en-GB",
    hidden = { comments: 11 },
    plugins = [],
    ...paging
  }: Options = {},
): Promise<WordPressSite> {
  function answer(asked: Asked): void {
    const { request, response, json } = asked;
    const url = new URL(site.rewrite(request.url ?? "/"), `http://${request.headers.host}`);
    site.before(asked.number);
    const route = routeOf(url, root);
    const [, list] = /^\/wp\/v2\/(\w+)$/.exec(route ?? "") ?? [];
    const html = { "Content-Type": "text/html" };
    if (url.pathname === "/" && !url.searchParams.has("rest_route")) {
      const link = { Link: `<${url.origin}${root}>; rel="https://api.w.org/"` };
      response
        .writeHead(200, linked ? { ...html, ...link } : html)
        .end(`<!doctype html><html class="no-js" lang=${language}><title>A site</title>`);
    } else if (route === undefined) response.writeHead(404, html).end("<h1>Not found</h1>");
    else if (route === "/")
      json(200, {
        name: "R&amp;D <b>cases</b>",
        description: " ",
        home: home ?? url.origin,
        namespaces: ["wp/v2", ...plugins],
      });
    else if (list === undefined || !(list in content))
      json(404, { code: "rest_no_route", message: "No route was found" });
    else {
      const name = list as keyof WordPressContent;
      const more = { ...paging, hidden: hidden[name] ?? 0 };
      answerList(asked, url.searchParams, content[name], more);
    }
  }
  const site = Object.assign(await serveStandIn(answer), {
    before: () => {},
    rewrite: (path: string) => path,
  }) as WordPressSite;
  return site;
}
