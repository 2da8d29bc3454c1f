/** The REST API of a WordPress site, as a guest: where it is, and its lists, each item once. */
import { Failure } from "../cli/command.ts";
import { pluralize, formatNumber, escapeControlChars } from "../lib/text.ts";
import { redactUrl } from "../lib/http.ts";
import {
  describeAnswer,
  parseApiJson,
  parseJson,
  RetryableError,
  webUrl,
  type Answer,
} from "./answer.ts";
import { RateLimitedClient, type ClientEdges, type RateLimits } from "./rate-limited-client.ts";
import type { PullTools } from "./source.ts";

/** Shared hosts serve others, too: one request at a time, a few a second. */
const wordpressLimits: RateLimits = {
  perFiveMinutes: 2000,
  minIntervalMs: 150,
  timeoutMs: 30_000,
  reserve: 0,
};
const headers = {
  Accept: "application/json, */*;q=0.5",
  "User-Agent": "case-collection-api/1.0 (npm run pull; reads public posts once)",
} as const;
/** Items of a page: the API gives no more than 100. */
const maxPerPage = 100;
/** Some servers fail over as many, and are asked for fewer. */
const minPerPage = 10;
const maxRedirects = 5;
/** Pages of a list that are asked for at most. Without a bound, a list that always goes on has no end. */
const maxPages = 10_000;
/** Times that the ids of a list are read before it counts as one that always changes. */
const maxReadings = 10;

/** What is asked for of the items of each list: nothing that a page does not show. */
const fields = {
  posts: "id,date_gmt,link,title,content,comment_status,tags,categories,featured_media",
  comments: "id,post,parent,author_name,date_gmt,content,type",
  tags: "id,name",
  categories: "id,name",
  media: "id,source_url",
} as const;

/** A list of the API. */
export type List = keyof typeof fields;

/** An item of any list, with the fields that were asked for. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: number };

/** An id, also where a plugin writes it as text; undefined where it is neither. */
export function readId(value: unknown): number | undefined {
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) ? (id as number) : undefined;
}

/** A page leads away from the site, or to its login. */
class OffsiteRedirect extends Failure {}

/**
 * Fetches a URL, and where it redirects to on the same host.
 *
 * @param redirects how many were followed before
 * @throws OffsiteRedirect where it leads to what is no page of the site for guests; Failure where redirects have no end
 */
async function fetchOnSite(
  fetch: ClientEdges["fetch"],
  url: string,
  init: RequestInit,
  redirects = 0,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || location === null) return response;
  await response.body?.cancel();
  const target = webUrl(location, url);
  if (target?.host !== new URL(url).host || target.pathname.includes("/wp-login.php"))
    throw new OffsiteRedirect(
      `${url} leads to ${target === undefined ? escapeControlChars(redactUrl(location)).slice(0, 200) : target.origin + target.pathname}, and only pages of its host that guests may read are read. If that is the site, name it with --wordpress.`,
    );
  if (redirects === maxRedirects)
    throw new Failure(
      `${url} redirects more than ${maxRedirects} times. Correct that on the site.`,
    );
  return fetchOnSite(fetch, target.href, init, redirects + 1);
}

/** A site whose API was found. */
export interface FoundSite {
  readonly api: WordPressApi;
  /** The home page; undefined where it leads to another host. */
  readonly page: Answer | undefined;
  /** What the API says of the site. */
  readonly index: Readonly<Record<string, unknown>>;
  /** Parts of the API, such as wp/v2. */
  readonly namespaces: readonly unknown[];
}

/**
 * Finds the API of a site: by the header of its home page, else at the usual places.
 *
 * @throws Failure where the site has none that a guest may read
 */
export async function findApi(tools: PullTools, site: string): Promise<FoundSite> {
  const fetch: ClientEdges["fetch"] = (url, init) => fetchOnSite(tools.fetch, url, init);
  const client = new RateLimitedClient({ ...tools, fetch }, wordpressLimits);
  let offsite: OffsiteRedirect | undefined;
  /**
   * @returns undefined where it leads elsewhere: the API of a headless site may be there all the same
   */
  async function read(url: string): Promise<Answer | undefined> {
    try {
      return await client.ask(
        `Reading ${url}`,
        () => [url, { headers }],
        (answer) => {
          if (answer.status >= 500) throw new RetryableError(`answered ${describeAnswer(answer)}`);
          return answer;
        },
      );
    } catch (error) {
      if (!(error instanceof OffsiteRedirect)) throw error;
      offsite ??= error;
      return undefined;
    }
  }
  const page = await read(site);
  const [, linked = ""] =
    /<([^>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(page?.headers.get("link") ?? "") ?? [];
  const base = (page?.url ?? site).replace(/[?#].*$/s, "").replace(/\/*$/, "/");
  let clearest = page;
  for (const root of [linked, `${base}wp-json/`, `${base}?rest_route=/`]) {
    const url = root === "" ? undefined : webUrl(root, base);
    const answer = url && (await read(url.href));
    if (answer === undefined) continue;
    // The first that is more than a page that is not there.
    if (clearest === page || clearest?.status === 404) clearest = answer;
    const index = (parseJson(answer) ?? {}) as FoundSite["index"];
    const { namespaces } = index;
    if (answer.status === 200 && Array.isArray(namespaces) && namespaces.includes("wp/v2"))
      return { api: new WordPressApi(client, answer.url, tools), page, index, namespaces };
  }
  throw offsite ?? noApi(site, clearest);
}

/**
 * The error for a site without an API.
 *
 * @param clearest the answer that says most
 */
function noApi(site: string, clearest: Answer | undefined): Failure {
  const found = clearest && `; ${clearest.url} answers ${describeAnswer(clearest)}`;
  return new Failure(
    `${site} gives a guest no WordPress REST API${found ?? ""}. ` +
      ([401, 403].includes(clearest?.status ?? 0)
        ? "The site closes it, or its host does to addresses abroad, as many in Japan: allow guests, and other countries, to read /wp-json/wp/v2/posts, or pull from a machine in the country."
        : "Is it a WordPress site, and is the URL that of its home page? Blogs on WordPress.com cannot be read: they have no API of their own."),
  );
}

/** A page of a list. */
interface Page {
  readonly items: readonly Item[];
  /** Items of the list that it covers: some of them may be left out, since guests may not read them. */
  readonly covered: number;
  /** How many items the site counts; 0 where it counts none, or says nothing that is a number. */
  readonly total: number;
  /** Whether the site gives guests no such list. */
  readonly isClosed: boolean;
}

/** One reading of a list's ids. */
interface IdReading extends Pick<Page, "total" | "isClosed"> {
  readonly ids: ReadonlySet<number>;
  /** The id of the newest item, as the site gave it before all others; 0 where there is none. */
  readonly newest: number;
}

/** Whether the newest item is on one of the pages. Where it is not, pages are missing. */
const isWhole = ({ newest, ids }: IdReading): boolean => newest === 0 || ids.has(newest);

const ignoredQuery =
  "Does a cache, a plugin or the server ignore the query of a URL? Then not all can be read.";

/** The lists of a REST API. */
export class WordPressApi {
  readonly client: RateLimitedClient;
  /** Its URL, with a query where the site does not rewrite URLs. */
  readonly root: string;
  readonly #tools: PullTools;
  /** Lists of which the site gave a page. */
  readonly #given = new Set<List>();
  /** Items of a page that the site manages. */
  #perPage = maxPerPage;

  constructor(client: RateLimitedClient, root: string, tools: PullTools) {
    this.client = client;
    this.root = root;
    this.#tools = tools;
  }

  /**
   * Fetches all items of a list, each once: first its ids, until two readings agree, then the items with these ids. Pages
   * go by position, so what comes or goes meanwhile shifts them. What came after the first reading has higher ids, and is
   * left to the next pull: else a busy list would never stay the same.
   *
   * @returns the items by ascending id
   * @throws Failure where the list always changes, or the site gives other items than were asked for
   */
  async fetchCollection(list: List): Promise<Item[]> {
    const { say, progress } = this.#tools;
    const step = progress.step(list, list, undefined);
    let reading = await this.#readIds(list);
    const last = [...reading.ids].reduce((a, b) => Math.max(a, b), reading.newest) || Infinity;
    const upToLast = ({ ids }: IdReading): string => [...ids].filter((id) => id <= last).join();
    for (let readings = 1; ; readings++) {
      const before = reading;
      reading = await this.#readIds(list);
      if (isWhole(before) && isWhole(reading) && upToLast(before) === upToLast(reading)) break;
      if (readings + 1 >= maxReadings) throw unsteady(list, reading);
    }
    const { ids, total, isClosed } = reading;
    if (isClosed) say(`The site gives guests no list of ${list}: there are none.`);
    if (total > ids.size)
      say(
        `The site counts ${formatNumber(total)} ${list}, and gives guests ${formatNumber(ids.size)}.`,
      );
    const wanted = [...ids].filter((id) => id <= last);
    const items = await this.fetchByIds(list, wanted, step.update);
    step.done();
    if (items.length < wanted.length)
      say(
        `Of ${formatNumber(wanted.length)} ${list} that the site lists, it gave ${formatNumber(items.length)}. If none were deleted meanwhile, pull again.`,
      );
    return items.sort((a, b) => a.id - b.id);
  }

  /**
   * Fetches the items with some ids; those that are not public, or gone, are left out.
   *
   * @param progress called with the number of items so far
   * @throws Failure where the site gives others
   */
  async fetchByIds(
    list: List,
    ids: readonly number[],
    progress: (count: number) => void = () => {},
  ): Promise<Item[]> {
    const items: Item[] = [];
    const missing = new Set(ids);
    let size = maxPerPage;
    while (missing.size > 0) {
      const include = [...missing].slice(0, size);
      const page = await this.#page(list, { include: include.join(","), _fields: fields[list] });
      const other = page.items.find(({ id }) => !include.includes(id));
      if (other !== undefined)
        throw new Failure(
          `The site gives other ${list} than its query asks for (include), such as ${other.id}. ${ignoredQuery}`,
        );
      for (const { id } of page.items) missing.delete(id);
      items.push(...page.items);
      progress(items.length);
      size = Math.min(size, page.covered);
      // Only a page that covers all of them, and has none, says that there are no more.
      if (page.items.length === 0 && include.length <= page.covered)
        for (const id of include) missing.delete(id);
    }
    return items;
  }

  /**
   * Reads the ids of a list, page by page. Pages may have fewer items than were asked for, and none at all in the middle
   * of a list. So it ends with an empty page after as many as the site counts, if it counts any.
   */
  async #readIds(list: List): Promise<IdReading> {
    const query = { orderby: "id", _fields: "id" };
    const first = await this.#page(list, { ...query, order: "desc" });
    assertOrder(first, list, -1);
    const ids = new Set<number>();
    let { total } = first;
    for (let offset = 0, pages = 0, isOver = first.isClosed; !isOver; pages++) {
      if (pages === maxPages)
        throw new Failure(
          `The list of ${list} goes on after ${formatNumber(maxPages)} pages, with ${pluralize(ids.size, list)}, and no more are read. Does the site, or a plugin, make up new ${list}?`,
        );
      const page = await this.#page(list, { ...query, order: "asc", offset: String(offset) });
      assertOrder(page, list, 1);
      const known = ids.size;
      for (const { id } of page.items) ids.add(id);
      offset += page.covered;
      ({ total } = page);
      // A page that repeats is that of a site that ignores the offset.
      const isRepeated = page.items.length > 0 && ids.size === known;
      isOver = isRepeated || (page.items.length === 0 && offset >= total);
    }
    return { ids, newest: first.items[0]?.id ?? 0, total, isClosed: first.isClosed };
  }

  /** Fetches a page of a list. After two failures, it is asked for fewer items, which may take less time and memory. */
  async #page(list: List, query: Readonly<Record<string, string>>): Promise<Page> {
    let size = this.#perPage;
    const urlAfter = (failures: number): string => {
      if (failures > 1) size = Math.max(minPerPage, this.#perPage >> (failures - 1));
      return listUrl(this.root, list, { ...query, per_page: String(size) });
    };
    const what = `Reading ${list} (${listUrl(this.root, list, query).slice(0, 200)})`;
    const page = await this.client.ask(
      what,
      (failures) => [urlAfter(failures), { headers }],
      (answer) => this.#readPage(answer, list, size),
    );
    this.#perPage = size;
    return page;
  }

  /**
   * What an answer gives of a list.
   *
   * @param size items that were asked for
   * @throws Failure; RetryableError where it should be asked again, also for a page of HTML, which is no answer of the API
   */
  #readPage(answer: Answer, list: List, size: number): Page {
    const { status, url } = answer;
    const body = parseApiJson(answer);
    if (status === 200 && Array.isArray(body)) {
      this.#given.add(list);
      return pageFrom(answer, readItems(body, list, url), size);
    }
    const { code } = (body ?? {}) as { readonly code?: unknown };
    // Some sites allow fewer items a page, and say so. A list that was given is refused for a while, as by a firewall.
    const isTooLong = status === 400 && /rest_invalid_param\b.*\bper_page\b/s.test(answer.body);
    if (status === 200 || status >= 500 || isTooLong || this.#given.has(list))
      throw new RetryableError(`answered ${describeAnswer(answer)}`);
    if (mayBeClosed(list, status, code))
      return { items: [], covered: size, total: 0, isClosed: true };
    throw new Failure(
      `${url} answers ${describeAnswer(answer)}. Guests must be allowed to read ${list} over the REST API.`,
    );
  }
}

const unsteady = (list: List, reading: IdReading): Failure =>
  new Failure(
    isWhole(reading)
      ? `The list of ${list} was read ${maxReadings} times, and changed each time. Try again when the site has less traffic.`
      : `The site does not give the ${list} that its query asks for (offset, orderby=id): the newest one is on no page. ${ignoredQuery}`,
  );

/**
 * Refuses a page whose ids are in another order than was asked for.
 *
 * @param direction 1 for ascending, -1
 * @throws Failure
 */
function assertOrder({ items }: Page, list: List, direction: 1 | -1): void {
  const ids = items.map(({ id }) => id * direction);
  if (ids.some((id, i) => id <= (ids[i - 1] ?? -Infinity)))
    throw new Failure(
      `The site gives ${list} in another order than its query asks for (orderby=id). ${ignoredQuery}`,
    );
}

/** The URL of a list: below the root of the API, or in its query where the site does not rewrite URLs. */
function listUrl(root: string, list: List, query: Readonly<Record<string, string>>): string {
  const url = new URL(root);
  const below = (path: string): string => `${path.replace(/\/+$/, "")}/wp/v2/${list}`;
  const route = url.searchParams.get("rest_route");
  if (route === null) url.pathname = below(url.pathname);
  else url.searchParams.set("rest_route", below(route));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Whether a site may go without a list: one that it does not have at all, and pictures, which are an extra. */
const mayBeClosed = (list: List, status: number, code: unknown): boolean =>
  (list === "comments" && status === 404 && code === "rest_no_route") ||
  (list === "media" && [401, 403, 404].includes(status) && code !== undefined);

/**
 * The items of a list as an answer has them.
 *
 * @throws Failure where one has no id
 */
function readItems(body: readonly unknown[], list: List, url: string): Item[] {
  return body.map((one) => {
    const id = readId((one as Item | null)?.id);
    if (id === undefined)
      throw new Failure(
        `${url} gives ${list} without a numeric id. Does a plugin change the REST API?`,
      );
    return { ...(one as object), id };
  });
}

/**
 * A page with the items that were given.
 *
 * @param size items that were asked for
 */
function pageFrom({ headers: sent }: Answer, items: readonly Item[], size: number): Page {
  const [total = 0, pages = 0] = ["x-wp-total", "x-wp-totalpages"].map((name) => {
    const text = sent.get(name) ?? "";
    return /^\d+$/.test(text) ? Number(text) : 0;
  });
  // A site may have pages of fewer than were asked for.
  const perPage = pages > 1 ? Math.ceil(total / pages) : pages * size;
  const covered = Math.max(items.length, Math.min(size, perPage)) || size;
  return { items, covered, total, isClosed: false };
}
