/** The REST API of a WordPress site as a guest sees it, on loopback: pages by position, totals that count what is left out, faults. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { failWith, type Fault, type JsonWriter } from "./faulty-answers.ts";

export interface WordPressItem {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Items by list. */
export type WordPressContent = Record<
  "posts" | "comments" | "tags" | "categories" | "media",
  WordPressItem[]
>;

/** A running site. */
export interface WordPressSite {
  readonly url: string;
  readonly content: WordPressContent;
  readonly asked: string[];
  /** Chooses a fault for a request. */
  faultOf: (request: number) => Fault | undefined;
  /** How JSON is written. */
  writer: JsonWriter;
  /** Answers a request instead. */
  instead: (request: number, path: string, response: ServerResponse) => boolean;
  /** Called before each request is answered. */
  before: (request: number) => void;
  close(): Promise<void>;
}

/**
 * Serves a site.
 *
 * @param root where the API is, and whether the home page's header names it
 * @param hidden items that totals count, by list
 * @param mostPerPage items of a page, whatever is asked for
 * @param totals headers that count items and pages
 */
export async function serveWordPress(
  content: WordPressContent,
  {
    root = "/wp-json/",
    linked = true,
    hidden = { comments: 11 } as Partial<Record<keyof WordPressContent, number>>,
    latency = 0,
    mostPerPage = 101,
    totals = (total: number, pages: number): Record<string, string> => ({
      "X-WP-Total": String(total),
      "X-WP-TotalPages": String(pages),
    }),
  } = {},
): Promise<WordPressSite> {
  const asked: string[] = [];
  const site: Pick<WordPressSite, "faultOf" | "instead" | "before" | "writer"> = {
    faultOf: () => undefined,
    writer: (json) => ["application/json; charset=UTF-8", Buffer.from(json)],
    instead: () => false,
    before: () => {},
  };
  let requests = 0;
  const answer = (url: URL, response: ServerResponse): void => {
    const json = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      const [type, bytes] = site.writer(JSON.stringify(body));
      if (type !== undefined) response.setHeader("Content-Type", type);
      response.writeHead(status, headers).end(bytes);
    };
    const route = url.searchParams.get("rest_route");
    const path = root.includes("?")
      ? route
      : url.pathname.startsWith(root)
        ? `/${url.pathname.slice(root.length)}`
        : undefined;
    if (url.pathname === "/" && route === null)
      return void response
        .writeHead(200, {
          "Content-Type": "text/html",
          ...(linked ? { Link: `<${url.origin}${root}>; rel="https://api.w.org/"` } : {}),
        })
        .end("<!doctype html><title>A site</title>");
    if (path === undefined || path === null)
      return void response
        .writeHead(404, { "Content-Type": "text/html" })
        .end("<h1>Not found</h1>");
    if (path === "/") return json(200, { name: "A site", home: url.origin, namespaces: ["wp/v2"] });
    const [, list] = /^\/wp\/v2\/(\w+)$/.exec(path) ?? [];
    if (list === undefined || !(list in content))
      return json(404, { code: "rest_no_route", message: "No route was found" });
    const query = (name: string): string | null => url.searchParams.get(name);
    const perPage = Math.min(mostPerPage, Number(query("per_page") ?? 10));
    if (perPage > 100) return json(400, { code: "rest_invalid_param" });
    let items = content[list as keyof WordPressContent];
    const include = query("include");
    if (include !== null) items = items.filter(({ id }) => include.split(",").includes(String(id)));
    items = items.toSorted((a, b) => (query("order") === "desc" ? b.id - a.id : a.id - b.id));
    const total =
      items.length + (include === null ? (hidden[list as keyof WordPressContent] ?? 0) : 0);
    const pages = Math.ceil(total / perPage);
    const page = Number(query("page") ?? 1);
    const offset = Number(query("offset") ?? (page - 1) * perPage);
    if (page > Math.max(1, pages))
      return json(400, {
        code: "rest_post_invalid_page_number",
        message: "The page number requested is larger",
      });
    const fields = query("_fields")?.split(",");
    const chosen = items
      .slice(offset, offset + perPage)
      .map((item) =>
        fields === undefined
          ? item
          : Object.fromEntries(Object.entries(item).filter(([field]) => fields.includes(field))),
      );
    return json(200, chosen, totals(total, pages));
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const number = requests++;
    asked.push(url.pathname + url.search);
    if (latency > 0) await new Promise((wait) => setTimeout(wait, latency));
    const fault = site.faultOf(number);
    if (fault !== undefined) return failWith(fault, response);
    if (site.instead(number, url.pathname + url.search, response)) return;
    site.before(number);
    answer(url, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return Object.assign(site, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    content,
    asked,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}
