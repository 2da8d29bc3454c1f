/** A WordPress site as a source: its REST API gives a guest what its pages show, and nothing else is asked for. */
import { Tokenizer } from "htmlparser2";
import { Failure } from "../cli/command.ts";
import { contractRules } from "../lib/json-schema.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { printable } from "../lib/printable.ts";
import { httpUrl } from "../export/column-rules.ts";
import { withoutPassword } from "../lib/without-password.ts";
import {
  collectionFile,
  isLanguage,
  type CollectionFile,
} from "../../functions/contract/collection.ts";
import { plainText } from "../../functions/html/plain-text.ts";
import type { CanonicalFile } from "./canonical-file.ts";
import { answerOf, jsonOf, webUrl, type Answer } from "./answer.ts";
import { faultOfPages, notKept } from "./post-pages.ts";
import { Passing, PoliteClient, type Politeness } from "./polite-client.ts";
import { shownNames } from "./records.ts";
import type { PullTools, Source } from "./source.ts";

/** Shared hosts serve others, too: one request at a time, a few a second. */
const politeness: Politeness = { inFiveMinutes: 2000, apart: 150, timeout: 30_000, reserve: 0 };
const headers = {
  Accept: "application/json, */*;q=0.5",
  "User-Agent": "case-collection-api/1.0 (npm run pull; reads public posts once)",
} as const;
/** Items of a page: the API gives no more than 100. Some servers fail over as many, and are asked for fewer. */
const [mostPerPage, fewestPerPage] = [100, 10];
const mostRedirects = 5;
/** Of the newest items, guests may not be given the first ones. */
const newestAsked = 10;
/** Items of a list that are asked for at most. Without a bound, a list that always goes on has no end. */
const mostAsked = 1_000_000;
/** Times that a list is read again because it changed. */
const mostReadings = 5;

/** What is asked for of the items of each list: nothing that a page does not show. */
const fields = {
  posts: "id,date_gmt,link,title,content,comment_status,tags,categories,featured_media",
  comments: "id,post,parent,author_name,date_gmt,content,type",
  tags: "id,name",
  categories: "id,name",
  media: "id,source_url",
} as const;
type List = keyof typeof fields;

/** An item of any list, with the fields that were asked for. */
type Item = Readonly<Record<string, unknown>> & { readonly id: number };
const isItem = (one: unknown): one is Item => Number.isSafeInteger((one as Item | null)?.id);

/** A field as text; empty where it is of another type. `String` throws for some values of JSON. */
const asText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
/** Text of what WordPress gives as HTML: titles and names. */
const textOf = (html: unknown): string => plainText(asText(html), Tokenizer, { isMarked: true });
const rendered = (field: unknown): unknown =>
  (field as { readonly rendered?: unknown } | null | undefined)?.rendered;
/** A date of the API: UTC without a zone. What is no date is reported by the rules of any export. */
const dateOf = (item: Item): string => asText(item["date_gmt"]);
/** Ids in a field that lists some; as an object where the site takes one out of its list. */
const idsOf = (item: Item, field: string): number[] =>
  Object.values((item[field] as object | null | undefined) ?? {}).filter(Number.isSafeInteger);

/** What an answer is, for a message: its status, its kind, and how it begins. */
const described = ({ status, headers: sent, body }: Answer): string =>
  `${status} ${printable(sent.get("content-type") ?? "without a type")}: ${printable(body.slice(0, 80))}`;

/**
 * What is read of an answer, or of where that redirects to on the same host.
 *
 * @param what for messages, as for `PoliteClient.ask`
 * @param request the URL to ask after some failures, counted from 0 at each URL: the first one, or where a redirect leads
 * @throws Failure where a redirect leads elsewhere; what `read` throws
 */
async function follow<T>(
  client: PoliteClient,
  what: string,
  request: (failures: number, redirectedTo?: string) => string,
  read: (answer: Answer) => T,
): Promise<T> {
  let next: string | undefined;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const found = await client.ask(
      what,
      (failures) => [request(failures, next), { headers, redirect: "manual" }],
      (answer) => {
        const location = answer.headers.get("location");
        return answer.status < 300 || answer.status > 399 || location === null
          ? { value: read(answer) }
          : { next: redirected(answer.url, location) };
      },
    );
    if ("value" in found) return found.value;
    next = found.next;
  }
  throw new Failure(`${what} failed: it redirects more than ${mostRedirects} times.`);
}

/** The answer at a URL, of errors, too, but for those that may pass. */
const answerAt = (client: PoliteClient, url: string): Promise<Answer> =>
  follow(
    client,
    `Reading ${url}`,
    (_, redirectedTo = url) => redirectedTo,
    (answer) => {
      if (answer.status >= 500) throw new Passing(`answered ${described(answer)}`);
      return answer;
    },
  );

/** A page leads away from the site, or to its login. */
class LedAway extends Failure {}

/** Where a redirect leads. @throws Failure where that is no URL; LedAway where that is no page of the same site for guests */
function redirected(url: string, location: string): string {
  const next = webUrl(location, url);
  if (next === undefined)
    throw new Failure(
      `${url} redirects to ${printable(withoutPassword(location)).slice(0, 200)}, which is no URL that can be read: it must begin with http:// or https://, and have no password.`,
    );
  if (next.host !== new URL(url).host)
    throw new LedAway(
      `${url} leads to another host, ${next.host}. If that is the site, name it: --wordpress ${next.origin}${next.pathname}.`,
    );
  if (/\/wp-login\.php/.test(next.pathname))
    throw new LedAway(
      `${url} leads to a login page. Only sites that guests may read can be pulled.`,
    );
  next.hash = "";
  return next.href;
}

/** Where a site's API is, and its home page, without a slash at the end. */
interface Found {
  readonly root: string;
  readonly home: string;
  /** What the site says of itself. */
  readonly collection: CollectionFile;
  /** Lists that are not read. */
  readonly others: readonly string[];
  /** The part of the API of a plugin, where it is one with which lists have posts of one language alone. */
  readonly languages: string | undefined;
}

/** Characters of a page in which its language is looked for: it is in the first tag. */
const headCharacters = 10_000;

/** What a site says of itself, as far as a collection may say it: its name, its tagline, its language. */
function collectionOfSite(
  { name, description }: Readonly<Record<string, unknown>>,
  home: string,
  { body, status }: Answer,
): CollectionFile {
  const usable = contractRules(collectionFile);
  const title = textOf(name).trim().toWellFormed();
  // A page of an error is another program's, such as a challenge.
  const head = status === 200 ? body.slice(0, headCharacters) : "";
  const [, language] = /<html\b[^>]*\slang=["']?([\w-]+)/i.exec(head) ?? [];
  const publisher = { name: title, ...(faultOfPages(home) === undefined && { url: home }) };
  const said = {
    title,
    description: textOf(description).trim().toWellFormed(),
    // Themes write "jp" for "ja".
    language: language !== undefined && isLanguage(language) ? language : undefined,
    publisher,
  };
  const fits = (member: string, value: unknown): boolean =>
    value !== undefined && usable({ [member]: value }).length === 0;
  return Object.fromEntries(Object.entries(said).filter((one) => fits(...one)));
}

/** The home page. That of a headless site leads to another host; its API may be there all the same. */
async function homePage(
  client: PoliteClient,
  site: string,
): Promise<Answer & { readonly ledAway?: LedAway }> {
  try {
    return await answerAt(client, site);
  } catch (error) {
    if (!(error instanceof LedAway)) throw error;
    return { ...(await answerOf(new Response(null, { status: 404 }), site)), ledAway: error };
  }
}

/** Lists of every WordPress with numbers for ids: https://developer.wordpress.org/rest-api/reference/ */
const usualLists = new Set(
  "posts pages media menu-items menus blocks navigation font-families comments users categories tags wp_pattern_category".split(
    " ",
  ),
);

/** Lists that are not read, of posts of other types or of terms, by the index of the API. */
function otherLists(index: Readonly<Record<string, unknown>>): string[] {
  const routes = Object.keys((index["routes"] as object | null | undefined) ?? {});
  return routes
    .flatMap((route) => /^\/wp\/v2\/([^/]+)\/\(\?P<id>\[\\d\]\+\)$/.exec(route)?.[1] ?? [])
    .filter((name) => !usualLists.has(name));
}

/**
 * Finds the root of the API: by the header of the home page, else at the usual places.
 *
 * @throws Failure where the site has none that a guest may read
 */
async function findApi(client: PoliteClient, site: string): Promise<Found> {
  const page = await homePage(client, site);
  const [, linked = ""] =
    /<([^>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(page.headers.get("link") ?? "") ?? [];
  const base = page.url.replace(/[?#].*$/s, "").replace(/\/*$/, "/");
  /** The answer that says most: the first that is more than a page that is not there. */
  let clearest: Answer = page;
  for (const root of [linked, `${base}wp-json/`, `${base}?rest_route=/`]) {
    const url = root && webUrl(root, page.url);
    if (!url) continue;
    const answer = await answerAt(client, url.href).catch((error: unknown) => {
      throw error instanceof LedAway ? (page.ledAway ?? error) : error;
    });
    if (clearest === page || clearest.status === 404) clearest = answer;
    const index = jsonOf(answer) as Readonly<Record<string, unknown>> | null | undefined;
    const namespaces = index?.["namespaces"];
    if (answer.status !== 200 || !Array.isArray(namespaces) || !namespaces.includes("wp/v2"))
      continue;
    // Posts link there, so what a query or a password adds to it does not count.
    const homes = [index?.["home"], index?.["url"], site].map((one) => webUrl(asText(one)));
    const { origin, pathname } = homes.find((one) => one !== undefined)!;
    const home = (origin + pathname).replace(/\/+$/, "");
    return {
      root: answer.url,
      home,
      collection: collectionOfSite(index ?? {}, home, page),
      others: otherLists(index ?? {}),
      languages: namespaces.find((name) => /^(?:bogo|wpml)\//.test(asText(name))) as
        | string
        | undefined,
    };
  }
  if (page.ledAway !== undefined) throw page.ledAway;
  throw new Failure(
    `${site} gives a guest no WordPress REST API; ${clearest.url} answers ${described(clearest)}. ` +
      ([401, 403].includes(clearest.status)
        ? "The site closes it, or its host does to addresses abroad, as many in Japan: allow guests, and other countries, to read /wp-json/wp/v2/posts, or pull from a machine in the country."
        : "Is it a WordPress site, and is the URL that of its home page? Blogs on WordPress.com cannot be read: they have no API of their own."),
  );
}

/** A page of a list. */
interface Page {
  readonly items: readonly Item[];
  /** How many items of the list it covers at least. Some of them may be left out, since guests may not read them. */
  readonly covered: number;
  /** How many items the site counts: digits, or whatever its header says. */
  readonly total: string;
}

/** What was read of a list. */
interface Reading {
  readonly items: Map<number, Item>;
  /** The highest id that was there, also at the beginning. */
  readonly last: number;
  /** How many items the site counts, as in `Page`. */
  readonly total: string;
  /** Whether the list was the same before and after, and on every page. */
  readonly isStable: boolean;
}

/** The lists of a REST API. */
interface RestApi {
  readonly client: PoliteClient;
  readonly root: string;
  readonly tools: PullTools;
  /** Whether the site gives guests each list: what its first answer said. */
  readonly isOpen: Map<List, boolean>;
  /** Items of a page that the site manages, by list. */
  readonly sizes: Map<List, number>;
}

/**
 * All items of a list, each once. Pages go by position, so what comes or goes meanwhile shifts them. A
 * list that was the same before and after, and on every page, was read whole. Otherwise, its ids are read
 * again until they stay the same. Missing items are requested by id, and removed ones are left out. What came after
 * the first reading has higher ids, and is left to the next pull: else a busy list would never stay the same.
 */
async function itemsOf(api: RestApi, list: List): Promise<Item[]> {
  const { say, progress } = api.tools;
  const step = progress.step(list, list, undefined);
  const { items, last, total, isStable } = await readAll(api, list, fields[list], step.update);
  if (total === closed) say(`The site gives guests no list of ${list}: there are none.`);
  if (Number(total) > items.size)
    say(
      `The site counts ${formatted(Number(total))} ${list}, and gives guests ${formatted(items.size)}.`,
    );
  for (let readings = 0, isSame = isStable; !isSame; readings++) {
    if (readings === mostReadings)
      throw new Failure(
        `The list of ${list} was read again ${mostReadings} times, and changed each time. ` +
          "Try again when the site has less traffic.",
      );
    const read = await readAll(api, list, "id", () => {});
    const now = new Set([...read.items.keys()].filter((id) => id <= last));
    const missing = [...now].filter((id) => !items.has(id));
    isSame = missing.length === 0 && now.size === items.size;
    for (const id of items.keys()) if (!now.has(id)) items.delete(id);
    for (const item of await itemsById(api, list, missing)) items.set(item.id, item);
  }
  step.done();
  return [...items.values()].sort((a, b) => a.id - b.id);
}

/** Items with some ids; those that are not public, or gone, are left out. */
async function itemsById(api: RestApi, list: List, ids: readonly number[]): Promise<Item[]> {
  const items: Item[] = [];
  const missing = new Set(ids);
  let most = mostPerPage;
  while (missing.size > 0) {
    const include = [...missing].slice(0, most);
    const page = await pageOf(api, list, { include: include.join(","), _fields: fields[list] });
    const found = page.items.filter(({ id }) => missing.delete(id));
    items.push(...found);
    most = Math.min(most, page.covered);
    // Only a page that covers all of them, and has none, says that there are no more.
    if (found.length === 0 && include.length <= page.covered)
      for (const id of include) missing.delete(id);
  }
  return items;
}

/**
 * Reads all pages. Each begins with the last item of the one before, so that a shift is seen. Pages may have fewer
 * items than were asked for, and none at all in the middle of a list: some are left out. So the list ends where nothing
 * new comes, and no more are counted; where the site counts none, with an empty page.
 *
 * @param read called with the number of items so far
 */
async function readAll(
  api: RestApi,
  list: List,
  wanted: string,
  read: (count: number) => void,
): Promise<Reading> {
  const items = new Map<number, Item>();
  const before = await newest(api, list);
  const totals = new Set([before.total]);
  let first: { readonly id: number; readonly last: number } | undefined;
  let isWhole = true;
  let offset = 0;
  for (let asked = 0, isOver = false; !isOver;) {
    if (asked >= mostAsked)
      throw new Failure(
        `The list of ${list} goes on after ${formatted(mostAsked)} were asked for, with ${formatted(items.size)} ${list}, and no more are read. Does the site, or a plugin, make up new ${list}?`,
      );
    const query = { offset: String(offset), orderby: "id", order: "asc", _fields: wanted };
    const { items: found, total, covered } = await pageOf(api, list, query);
    totals.add(total);
    asked += covered;
    const start = found[0]?.id;
    // The page may cover 100 items: beyond `last`, the first one would not have as many after it.
    if (start !== undefined) first ??= { id: start, last: offset + mostPerPage - found.length };
    if (first !== undefined && start === first.id && offset > first.last)
      throw new Failure(
        `The site gives the first ${list} again when it is asked for further ones (offset=${offset}), so not all of them can be read. Does a cache or a plugin ignore the query?`,
      );
    if (offset > 0 && start !== undefined && !items.has(start)) isWhole = false;
    const known = items.size;
    for (const item of found) items.set(item.id, item);
    read(items.size);
    const isBarren = items.size === known;
    offset += Math.max(1, (isBarren ? covered : found.length) - 1);
    isOver = Number(total) > 0 ? isBarren && offset >= Number(total) : found.length === 0;
  }
  const after = await newest(api, list);
  const isSame = totals.add(after.total).size === 1 && after.id === before.id;
  const last = [...items.keys()].reduce((highest, id) => Math.max(highest, id), before.id ?? 0);
  return { items, last, total: after.total, isStable: isWhole && isSame };
}

/** What shows whether a list has changed: how many items it counts, and the id of its newest one. */
async function newest(
  api: RestApi,
  list: List,
): Promise<{ readonly total: string; readonly id: number | undefined }> {
  const query = { orderby: "id", order: "desc", _fields: "id" };
  const { items, total } = await pageOf(api, list, query, newestAsked);
  return { total, id: items[0]?.id };
}

/** In the place of a list's total: the site gives guests no such list. */
const closed = "closed";

/** Whether a site may go without a list: one that it does not have at all, and pictures, which are an extra. */
const mayBeClosed = (list: List, { status, body }: Answer): boolean =>
  (list === "comments" && status === 404 && body.includes("rest_no_route")) ||
  (list === "media" && [401, 403, 404].includes(status));

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

/**
 * What an answer gives of a list.
 *
 * @param size items that were asked for; a site may have pages of fewer
 * @throws Failure, or Passing where it should be asked again
 */
function pageFrom(answer: Answer, list: List, { isOpen }: RestApi, size: number): Page {
  const body = jsonOf(answer);
  const isList = answer.status === 200 && Array.isArray(body);
  const isClosed = mayBeClosed(list, answer);
  if ((isList || isClosed) && !isOpen.has(list)) isOpen.set(list, isList);
  if (isList && !isOpen.get(list))
    throw new Failure(
      `The site refused the list of ${list} at first, and gives it now. Pull again.`,
    );
  if (isList) {
    const items = body.filter(isItem);
    const [total = "", pages] = ["x-wp-total", "x-wp-totalpages"].map(
      (name) => answer.headers.get(name) ?? "",
    );
    const usual = Number(pages) > 1 ? Math.ceil(Number(total) / Number(pages)) : size;
    return { items, total, covered: Math.max(1, items.length, Math.min(size, usual || size)) };
  }
  // Some sites allow fewer items a page, and say so. A list that was open is refused for a while, as by a firewall.
  const isTooLong =
    answer.status === 400 && /rest_invalid_param\b.*\bper_page\b/s.test(answer.body);
  if (answer.status === 200 || answer.status >= 500 || isTooLong || isOpen.get(list))
    throw new Passing(`answered ${described(answer)}`);
  if (isClosed) return { items: [], total: closed, covered: size };
  throw new Failure(
    `${answer.url} answers ${described(answer)}. Guests must be allowed to read ${list} over the REST API.`,
  );
}

/**
 * A page of a list. After two failures, it is asked for fewer items: the site may not manage more in its time or memory.
 */
async function pageOf(
  api: RestApi,
  list: List,
  query: Readonly<Record<string, string>>,
  most: number = mostPerPage,
): Promise<Page> {
  const usual = Math.min(most, api.sizes.get(list) ?? mostPerPage);
  let size = usual;
  const first = listUrl(api.root, list, query);
  const request = (failures: number, redirectedTo = first): string => {
    if (failures > 1 && usual > fewestPerPage)
      size = Math.max(fewestPerPage, usual >> (failures - 1));
    const url = new URL(redirectedTo);
    url.searchParams.set("per_page", String(size));
    return url.href;
  };
  const what = `Reading ${list} (${first.slice(0, 200)})`;
  const page = await follow(api.client, what, request, (answer) =>
    pageFrom(answer, list, api, size),
  );
  if (most === mostPerPage) api.sizes.set(list, size);
  return page;
}

/** Adds posts, with their pictures. @returns those that were added */
async function addPosts(
  api: RestApi,
  file: CanonicalFile,
  posts: readonly Item[],
): Promise<Item[]> {
  const pictures = posts.flatMap(({ featured_media: id }) =>
    Number.isSafeInteger(id) && Number(id) > 0 ? [Number(id)] : [],
  );
  const wanted = [...new Set(pictures)];
  const media = await itemsById(api, "media", wanted);
  if (media.length < wanted.length)
    api.tools.say(
      `Of ${counted(wanted.length, "pictures")} of posts, the site gives guests ${formatted(media.length)}.`,
    );
  const urlOf = new Map(media.map(({ id, source_url: url }) => [id, url]));
  for (const post of posts)
    file.add(
      "posts",
      {
        post_id: post.id,
        post_title: textOf(rendered(post["title"])),
        post_content_html: rendered(post["content"]),
        post_date_gmt: dateOf(post),
        comment_status: post["comment_status"],
        // A picture that has no URL is no reason to leave a post out.
        ogp_image_url: httpUrl(asText(urlOf.get(post["featured_media"] as number))) ?? null,
      },
      { url: asText(post["link"]), leaveOut: true },
    );
  return posts.filter(({ id }) => file.has("posts", id));
}

/**
 * Adds the terms that public posts carry; a name that is a tag and a category is one tag.
 *
 * @returns warnings about terms that are not public
 */
async function addTerms(
  api: RestApi,
  file: CanonicalFile,
  posts: readonly Item[],
  kinds: readonly ("tags" | "categories")[],
): Promise<string[]> {
  const idByName = new Map<string, number>();
  const tagOf = new Map<number, number>();
  const warnings: string[] = [];
  for (const kind of kinds) {
    const ids = [...new Set(posts.flatMap((post) => idsOf(post, kind)))];
    const terms = await itemsById(api, kind, ids);
    if (terms.length < ids.length)
      warnings.push(
        `warning: of ${counted(ids.length, kind)} that posts carry, the site names ${terms.length}.`,
      );
    for (const { id, name } of terms) {
      const text = textOf(name);
      const known = idByName.get(text);
      tagOf.set(id, known ?? id);
      if (known !== undefined) continue;
      idByName.set(text, id);
      file.add("tags", { tag_id: id, tag_name: text });
    }
    for (const post of posts)
      for (const id of idsOf(post, kind))
        if (tagOf.has(id)) file.add("post_tags", { post_id: post.id, tag_id: tagOf.get(id) });
  }
  return warnings;
}

/** Adds comments of the kind that readers write, to posts that are there. @returns how many are on others, such as pages */
function addComments(file: CanonicalFile, all: readonly Item[]): number {
  const written = all.filter(({ type }) => type === "comment");
  const comments = written.filter(({ post }) => file.has("posts", post));
  for (const comment of comments) {
    const content = rendered(comment["content"]);
    file.add(
      "comments",
      {
        comment_id: comment.id,
        post_id: comment["post"],
        comment_date_gmt: dateOf(comment),
        comment_author: textOf(comment["author_name"]),
        // Without any, the site hides it.
        comment_content:
          typeof content === "string"
            ? plainText(content, Tokenizer, { isMarked: true, hasUrls: true })
            : undefined,
        comment_parent: Number(asText(comment["parent"])) || 0,
      },
      { leaveOut: true },
    );
  }
  return written.length - comments.length;
}

/**
 * The source.
 *
 * @param site URL of the home page
 * @param withCategories whether categories become tags, too
 */
export function wordpressSource(site: string, withCategories: boolean, tools: PullTools): Source {
  return {
    name: "WordPress",
    async gather(file) {
      const client = new PoliteClient(tools, politeness);
      const { root, home, collection, others, languages } = await findApi(client, site);
      file.collection(collection);
      const pages = `${home}/?p={postId}`;
      const fault = faultOfPages(pages);
      if (fault === undefined) file.postUrl(pages);
      const api: RestApi = { client, root, tools, isOpen: new Map(), sizes: new Map() };
      const all = await itemsOf(api, "posts");
      const open = all.filter(
        ({ content }) => (content as { readonly protected?: unknown } | null)?.protected !== true,
      );
      const posts = await addPosts(api, file, open);
      const kinds = withCategories ? (["tags", "categories"] as const) : (["tags"] as const);
      const warnings = await addTerms(api, file, posts, kinds);
      const isUntagged =
        posts.length > 0 && posts.every((post) => idsOf(post, "tags").length === 0);
      const lost = addComments(file, await itemsOf(api, "comments"));
      const left = all.length - open.length;
      return [
        ...warnings,
        ...(fault === undefined ? [] : [notKept(fault)]),
        ...(fault !== undefined || new URL(home).host === new URL(root).host
          ? []
          : [
              `URLs of posts are ${pages}, on another host than the API. If no post is shown there, name the pages of posts: "postUrl" in data/collection.json, or --post-url.`,
            ]),
        ...(collection.language === undefined
          ? [
              'The home page does not say in which language the posts are. Unless it is Japanese, name it: "language" in data/collection.json.',
            ]
          : []),
        ...(isUntagged && !withCategories
          ? ["No post carries a tag. Where categories are to be tags, pull with --categories."]
          : []),
        "WordPress has no likes, bookmarks or welcome flags: they are 0 and null.",
        ...(left === 0
          ? []
          : [`left out, since they are protected by a password: ${counted(left, "posts")}`]),
        ...(lost === 0
          ? []
          : [`left out, because their post or page is not read: ${counted(lost, "comments")}`]),
        ...(languages === undefined
          ? []
          : [
              `not read: posts in other languages. With ${shownNames([languages])}, lists have one alone`,
            ]),
        ...(others.length === 0
          ? []
          : [
              `not read: the site's lists ${shownNames(others)}, of posts of other types or of terms`,
            ]),
        client.traffic(),
      ];
    },
  };
}
