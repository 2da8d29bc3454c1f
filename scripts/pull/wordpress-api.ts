/** The REST API of a WordPress site, as a guest: where it is, and its lists, each item once. */
import { Failure } from "../cli/command.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { printable } from "../lib/printable.ts";
import { withoutPassword } from "../lib/without-password.ts";
import { describeAnswer, jsonOf, parseApiJson, Passing, webUrl, type Answer } from "./answer.ts";
import { PoliteClient, type Politeness } from "./polite-client.ts";
import type { PullTools } from "./source.ts";

/** Shared hosts serve others, too: one request at a time, a few a second. */
const politeness: Politeness = { inFiveMinutes: 2000, apart: 150, timeout: 30_000, reserve: 0 };
const headers = {
  Accept: "application/json, */*;q=0.5",
  "User-Agent": "case-collection-api/1.0 (npm run pull; reads public posts once)",
} as const;
/** Items of a page: the API gives no more than 100. */
const maxPerPage = 100;
/** Some servers fail over as many, and are asked for fewer. */
const minPerPage = 10;
/** Of the newest items, guests may not be given the first ones. */
const newestPerPage = 10;
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

/** A page leads to another site, or to the login. */
export class OffsiteRedirect extends Failure {}

/** Where a redirect leads. @throws Failure where that is no URL; OffsiteRedirect where it is no page of the site for guests */
function redirectTarget(url: string, location: string): string {
  const target = webUrl(location, url);
  if (target === undefined)
    throw new Failure(
      `${url} redirects to ${printable(withoutPassword(location)).slice(0, 200)}, which is no URL that can be read: it must begin with http:// or https://, and have no password.`,
    );
  if (target.host !== new URL(url).host)
    throw new OffsiteRedirect(
      `${url} leads to another host, ${target.host}. If that is the site, name it: --wordpress ${target.origin}${target.pathname}.`,
    );
  if (target.pathname.includes("/wp-login.php"))
    throw new OffsiteRedirect(
      `${url} leads to a login page. Only sites that guests may read can be pulled.`,
    );
  target.hash = "";
  return target.href;
}

/**
 * Asks for a URL, and for where it redirects to on the same host.
 *
 * @param what completes "… failed"
 * @param urlFor the URL to ask after some failures, counted from 0 at each URL: the first one, or where a redirect leads
 * @throws Failure where a redirect leads elsewhere, or they have no end; what `read` throws
 */
async function follow<T>(
  client: PoliteClient,
  what: string,
  urlFor: (failures: number, redirectedTo?: string) => string,
  read: (answer: Answer) => T,
): Promise<T> {
  let target: string | undefined;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const found = await client.ask(
      what,
      (failures) => [urlFor(failures, target), { headers, redirect: "manual" }],
      (answer) => {
        const location = answer.headers.get("location");
        return answer.status < 300 || answer.status > 399 || location === null
          ? { value: read(answer) }
          : { target: redirectTarget(answer.url, location) };
      },
    );
    if ("value" in found) return found.value;
    ({ target } = found);
  }
  throw new Failure(`${what} failed: it redirects more than ${maxRedirects} times.`);
}

/**
 * Fetches the answer at a URL of the site, of errors, too, but for those that may pass.
 *
 * @throws Failure where nothing answers; OffsiteRedirect where it leads elsewhere
 */
export const fetchAnswer = (client: PoliteClient, url: string): Promise<Answer> =>
  follow(
    client,
    `Reading ${url}`,
    (_, redirectedTo = url) => redirectedTo,
    (answer) => {
      if (answer.status >= 500) throw new Passing(`answered ${describeAnswer(answer)}`);
      return answer;
    },
  );

/** Makes the client for a site. */
export const createSiteClient = (tools: PullTools): PoliteClient =>
  new PoliteClient(tools, politeness);

/** Where an API is, and what it says of the site. */
export interface FoundApi {
  /** Root of the API, with a query where the site does not rewrite URLs. */
  readonly root: string;
  readonly index: Readonly<Record<string, unknown>>;
  /** Parts of the API, such as wp/v2. */
  readonly namespaces: readonly unknown[];
}

/**
 * Finds the root of the API: by the header of the home page, else at the usual places.
 *
 * @param page the home page; that of a headless site leads to another host, and is then an empty answer
 * @param offsite where it led, if it did
 * @throws Failure where the site has none that a guest may read
 */
export async function findApi(
  client: PoliteClient,
  site: string,
  page: Answer,
  offsite: OffsiteRedirect | undefined,
): Promise<FoundApi> {
  const [, linked = ""] =
    /<([^>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(page.headers.get("link") ?? "") ?? [];
  const base = page.url.replace(/[?#].*$/s, "").replace(/\/*$/, "/");
  /** The answer that says most: the first that is more than a page that is not there. */
  let clearest: Answer = page;
  for (const root of [linked, `${base}wp-json/`, `${base}?rest_route=/`]) {
    const url = root && webUrl(root, page.url);
    if (!url) continue;
    const answer = await fetchAnswer(client, url.href).catch((error: unknown) => {
      throw error instanceof OffsiteRedirect ? (offsite ?? error) : error;
    });
    if (clearest === page || clearest.status === 404) clearest = answer;
    const index = (jsonOf(answer) ?? {}) as FoundApi["index"];
    const { namespaces } = index;
    if (answer.status === 200 && Array.isArray(namespaces) && namespaces.includes("wp/v2"))
      return { root: answer.url, index, namespaces };
  }
  if (offsite !== undefined) throw offsite;
  throw new Failure(
    `${site} gives a guest no WordPress REST API; ${clearest.url} answers ${describeAnswer(clearest)}. ` +
      ([401, 403].includes(clearest.status)
        ? "The site closes it, or its host does to addresses abroad, as many in Japan: allow guests, and other countries, to read /wp-json/wp/v2/posts, or pull from a machine in the country."
        : "Is it a WordPress site, and is the URL that of its home page? Blogs on WordPress.com cannot be read: they have no API of their own."),
  );
}

/** A page of a list. */
interface Page {
  readonly items: readonly Item[];
  /** Items of the list that it covers: some of them may be left out, since guests may not read them. */
  readonly covered: number;
  /** How many items the site counts; undefined where it counts none, or says nothing that is a number. */
  readonly total: number | undefined;
  /** Whether the site gives guests no such list. */
  readonly isClosed: boolean;
}

/** The lists of a REST API. */
export interface RestApi {
  readonly client: PoliteClient;
  readonly root: string;
  readonly tools: PullTools;
  /** Whether the site gives guests each list: what its first answer said. */
  readonly isOpen: Map<List, boolean>;
  /** Items of a page that the site manages, by list. */
  readonly sizes: Map<List, number>;
}

/**
 * Fetches all items of a list, each once: first its ids, until two readings agree, then the items with these ids. Pages go
 * by position, so what comes or goes meanwhile shifts them. What came after the first reading has higher ids, and is left
 * to the next pull: else a busy list would never stay the same.
 *
 * @returns the items by ascending id
 * @throws Failure where the list always changes, or the site gives other items than were asked for
 */
export async function fetchCollection(api: RestApi, list: List): Promise<Item[]> {
  const { say, progress } = api.tools;
  const step = progress.step(list, list, undefined);
  let before = await fetchIds(api, list);
  const last = [...before.ids].reduce((a, b) => Math.max(a, b), before.newest ?? 0);
  for (let readings = 1; ; readings++) {
    const now = await fetchIds(api, list);
    const isSame = sameIds(before.ids, now.ids, last);
    if (isSame && before.isWhole && now.isWhole) break;
    if (readings + 1 >= maxReadings) throw unsteady(list, now.isWhole);
    before = now;
  }
  const ids = [...before.ids].filter((id) => id <= last);
  const { total = 0 } = before;
  if (before.isClosed) say(`The site gives guests no list of ${list}: there are none.`);
  if (total > before.ids.size)
    say(
      `The site counts ${formatted(total)} ${list}, and gives guests ${formatted(before.ids.size)}.`,
    );
  const items = await fetchByIds(api, list, ids, step.update);
  step.done();
  return items.sort((a, b) => a.id - b.id);
}

const sameIds = (a: ReadonlySet<number>, b: ReadonlySet<number>, last: number): boolean =>
  [...a].every((id) => id > last || b.has(id)) && [...b].every((id) => id > last || a.has(id));

/** @param isWhole whether the last reading had the newest item, so that only changes are at fault */
const unsteady = (list: List, isWhole: boolean): Failure =>
  new Failure(
    isWhole
      ? `The list of ${list} was read ${maxReadings} times, and changed each time. Try again when the site has less traffic.`
      : `The site does not give the ${list} that its query asks for (offset, orderby=id): the newest one is on no page. ${ignoredQuery}`,
  );

const ignoredQuery =
  "Does a cache, a plugin or the server ignore the query of a URL? Then not all can be read.";

/** One reading of a list's ids. */
interface IdReading {
  readonly ids: ReadonlySet<number>;
  /** The id of the newest item, as the site gave it before all others. */
  readonly newest: number | undefined;
  /** Whether the newest item is on one of the pages. Where it is not, pages are missing. */
  readonly isWhole: boolean;
  readonly total: number | undefined;
  readonly isClosed: boolean;
}

/**
 * Reads the ids of a list, page by page. Pages may have fewer items than were asked for, and none at all in the middle of
 * a list. So it ends with an empty page after as many as the site counts, if it counts any.
 */
async function fetchIds(api: RestApi, list: List): Promise<IdReading> {
  const query = { orderby: "id", _fields: "id" };
  const first = await fetchPage(api, list, { ...query, order: "desc" }, newestPerPage);
  assertOrder(first, list, (a, b) => a > b);
  const newest = first.items[0]?.id;
  const ids = new Set<number>();
  let { total } = first;
  for (let offset = 0, pages = 0, isOver = first.isClosed; !isOver; pages++) {
    if (pages === maxPages)
      throw new Failure(
        `The list of ${list} goes on after ${formatted(maxPages)} pages, with ${counted(ids.size, list)}, and no more are read. Does the site, or a plugin, make up new ${list}?`,
      );
    const page = await fetchPage(api, list, { ...query, order: "asc", offset: String(offset) });
    assertOrder(page, list, (a, b) => a < b);
    const known = ids.size;
    for (const { id } of page.items) ids.add(id);
    offset += page.covered;
    ({ total } = page);
    // An empty page may be one whose items guests are not given. One that repeats is that of a site that ignores the offset.
    const isRepeated = page.items.length > 0 && ids.size === known;
    isOver = isRepeated || (page.items.length === 0 && offset >= (total ?? 0));
  }
  const isWhole = newest === undefined || ids.has(newest);
  return { ids, newest, isWhole, total, isClosed: first.isClosed };
}

/** Refuses a page whose ids are in another order than was asked for. @throws Failure */
function assertOrder(
  { items }: Page,
  list: List,
  isInOrder: (a: number, b: number) => boolean,
): void {
  if (items.every(({ id }, i) => i === 0 || isInOrder(items[i - 1]!.id, id))) return;
  throw new Failure(
    `The site gives ${list} in another order than its query asks for (orderby=id). ${ignoredQuery}`,
  );
}

/**
 * Fetches the items with some ids; those that are not public, or gone, are left out.
 *
 * @param progress called with the number of items so far
 * @throws Failure where the site gives others
 */
export async function fetchByIds(
  api: RestApi,
  list: List,
  ids: readonly number[],
  progress: (count: number) => void = () => {},
): Promise<Item[]> {
  const items: Item[] = [];
  const missing = new Set(ids);
  let size = maxPerPage;
  while (missing.size > 0) {
    const include = [...missing].slice(0, size);
    const query = { include: include.join(","), _fields: fields[list] };
    const page = await fetchPage(api, list, query);
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

/** The items of a list as an answer has them. @throws Failure where one has no id */
function itemsFrom(body: readonly unknown[], list: List, url: string): Item[] {
  return body.map((one) => {
    const id = readId((one as Item | null)?.id);
    if (id === undefined)
      throw new Failure(
        `${url} gives ${list} without a numeric id. Does a plugin change the REST API?`,
      );
    return { ...(one as object), id };
  });
}

/** How many items a page covers, and how many the site counts. @param size items that were asked for */
function pageSizes(
  { headers: sent }: Answer,
  given: number,
  size: number,
): Pick<Page, "covered" | "total"> {
  const [total, pages] = ["x-wp-total", "x-wp-totalpages"].map((name) => {
    const text = sent.get(name) ?? "";
    return /^\d+$/.test(text) ? Number(text) : undefined;
  });
  // A site may have pages of fewer than were asked for.
  const perPage = total && pages && pages > 1 ? Math.ceil(total / pages) : undefined;
  const isShort = perPage === undefined && pages === undefined && given > 0;
  const covered = isShort ? given : Math.min(size, perPage ?? size);
  return { covered: Math.max(1, given, covered), total };
}

/**
 * What an answer gives of a list.
 *
 * @param size items that were asked for
 * @throws Failure; Passing where it should be asked again, also for a page of HTML, which is no answer of the API
 */
function pageFrom(answer: Answer, list: List, { isOpen }: RestApi, size: number): Page {
  const body = parseApiJson(answer);
  const isList = answer.status === 200 && Array.isArray(body);
  const { code } = (body ?? {}) as { readonly code?: unknown };
  const isClosed = mayBeClosed(list, answer.status, code);
  if ((isList || isClosed) && !isOpen.has(list)) isOpen.set(list, isList);
  if (isList && !isOpen.get(list))
    throw new Failure(
      `The site refused the list of ${list} at first, and gives it now. Pull again.`,
    );
  if (isList) {
    const items = itemsFrom(body, list, answer.url);
    return { items, isClosed: false, ...pageSizes(answer, items.length, size) };
  }
  // Some sites allow fewer items a page, and say so. A list that was open is refused for a while, as by a firewall.
  const isTooLong =
    answer.status === 400 && /rest_invalid_param\b.*\bper_page\b/s.test(answer.body);
  if (answer.status === 200 || answer.status >= 500 || isTooLong || isOpen.get(list))
    throw new Passing(`answered ${describeAnswer(answer)}`);
  if (isClosed) return { items: [], covered: size, total: undefined, isClosed };
  throw new Failure(
    `${answer.url} answers ${describeAnswer(answer)}. Guests must be allowed to read ${list} over the REST API.`,
  );
}

/**
 * Fetches a page of a list. After two failures, it is asked for fewer items: the site may not manage more in its time or
 * memory.
 */
async function fetchPage(
  api: RestApi,
  list: List,
  query: Readonly<Record<string, string>>,
  max: number = maxPerPage,
): Promise<Page> {
  const usual = Math.min(max, api.sizes.get(list) ?? maxPerPage);
  let size = usual;
  const first = listUrl(api.root, list, query);
  const urlFor = (failures: number, redirectedTo = first): string => {
    if (failures > 1 && usual > minPerPage) size = Math.max(minPerPage, usual >> (failures - 1));
    const url = new URL(redirectedTo);
    url.searchParams.set("per_page", String(size));
    return url.href;
  };
  const what = `Reading ${list} (${first.slice(0, 200)})`;
  const page = await follow(api.client, what, urlFor, (answer) =>
    pageFrom(answer, list, api, size),
  );
  if (max === maxPerPage) api.sizes.set(list, size);
  return page;
}
