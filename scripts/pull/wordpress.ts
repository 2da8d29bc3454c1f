/** A WordPress site as a source: its REST API gives a guest what its pages show, and nothing else is asked for. */
import { Tokenizer } from "htmlparser2";
import { Failure } from "../cli/command.ts";
import { counted, number } from "../lib/format-number.ts";
import { httpUrl } from "../export/column-rules.ts";
import { printable } from "../export/problems.ts";
import { withoutPassword } from "../lib/without-password.ts";
import { plainText } from "../../functions/html/plain-text.ts";
import type { CanonicalFile } from "./canonical-file.ts";
import {
  jsonOf,
  Passing,
  PoliteClient,
  webUrl,
  type Answer,
  type Politeness,
} from "./polite-client.ts";
import type { PullTools, Source } from "./source.ts";

/** Shared hosts serve others, too: one request at a time, a few a second. */
const politeness: Politeness = { inFiveMinutes: 2000, apart: 150, timeout: 30_000 };
const headers = {
  Accept: "application/json",
  "User-Agent": "case-collection-api/1.0 (npm run pull; reads public posts once)",
} as const;
/** Items of a page; the API gives no more. */
const perPage = 100;
const mostRedirects = 5;
/** After this many pages without anything new, a list has ended. */
const mostBarren = 3;
/** Pages of a list that are read at most: a million items. Without a bound, a list that always goes on has no end. */
const mostPages = 10_000;
/** Times that a list is read again because it changed. */
const mostReadings = 5;

/** An item of any list, with the fields that were asked for. */
type Item = Readonly<Record<string, unknown>> & { readonly id: number };

/** Text of what WordPress gives as HTML: titles, names, comments. */
const textOf = (html: unknown): string => plainText(String(html ?? ""), Tokenizer);
const rendered = (field: unknown): unknown =>
  (field as { readonly rendered?: unknown } | undefined)?.rendered;
/** A date of the API: UTC without a zone. What is no date is reported by the rules of any export. */
const dateOf = (item: Item): string => String(item["date_gmt"] ?? "");

/** What an answer is, for a message: its status, its kind, and how it begins. */
const described = ({ status, headers: sent, body }: Answer): string =>
  `${status} ${sent.get("content-type") ?? "without a type"}: ${printable(body.slice(0, 80))}`;

/** The REST API of a site. */
function restApi(client: PoliteClient, say: PullTools["say"]) {
  /** URL of the API. */
  let apiRoot = "";

  /**
   * Finds the root of the API: by the header of the home page, else at the usual places.
   *
   * @returns URL of the home page, without a trailing slash
   * @throws Failure where the site has none that a guest may read
   */
  async function open(site: string): Promise<string> {
    const page = await follow(site);
    const [, linked] =
      /<([^>]+)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(page.headers.get("link") ?? "") ?? [];
    const base = page.url.replace(/[?#].*$/s, "").replace(/\/*$/, "/");
    /** The answer that says most: the first that is more than a page that is not there. */
    let clearest = page;
    for (const root of [linked, `${base}wp-json/`, `${base}?rest_route=/`]) {
      const url = webUrl(root ?? "", page.url);
      if (root === undefined || url === undefined) continue;
      const answer = await follow(url.href);
      if (clearest === page || clearest.status === 404) clearest = answer;
      const index = jsonOf(answer) as
        | { namespaces?: unknown; home?: unknown; url?: unknown }
        | undefined;
      if (
        answer.status !== 200 ||
        !Array.isArray(index?.namespaces) ||
        !index.namespaces.includes("wp/v2")
      )
        continue;
      apiRoot = answer.url;
      const home = [index.home, index.url].map(String).find((url) => httpUrl(url) !== undefined);
      return (home ?? new URL(site).origin).replace(/\/+$/, "");
    }
    const closed = [401, 403].includes(clearest.status);
    throw new Failure(
      `${site} gives a guest no WordPress REST API; ${clearest.url} answers ${described(clearest)}. ` +
        (closed
          ? "The site closes it: allow guests to read /wp-json/wp/v2/posts."
          : "Is it a WordPress site, and is the URL that of its home page?"),
    );
  }

  /**
   * All items of a list, each once. Pages go by position, so what comes or goes meanwhile shifts them. A
   * list that was the same before and after, and on every page, was read whole. Otherwise, its ids are read
   * again until they stay the same. Missing items are requested by id, and removed ones are left out.
   *
   * @param read called with the number of items so far
   */
  async function list(
    name: string,
    path: string,
    fields: string,
    read: (count: number) => void,
  ): Promise<Item[]> {
    const found = new Map<number, Item>();
    let isStable = await pages(name, path, fields, (item) => {
      found.set(item.id, item);
      read(found.size);
    });
    for (let reading = 0; !isStable; reading++) {
      if (reading === mostReadings)
        throw new Failure(
          `The list of ${name} was read again ${mostReadings} times, and changed each time. ` +
            "Try again when the site has less traffic.",
        );
      const ids = new Set<number>();
      await pages(name, path, "id", ({ id }) => ids.add(id));
      isStable = ids.size === found.size && [...ids].every((id) => found.has(id));
      for (const id of found.keys()) if (!ids.has(id)) found.delete(id);
      const missing = [...ids].filter((id) => !found.has(id));
      for (const item of await byId(name, path, fields, missing)) found.set(item.id, item);
    }
    return [...found.values()].sort((a, b) => a.id - b.id);
  }

  /** Items with some ids; those that are not public, or gone, are left out. */
  async function byId(
    name: string,
    path: string,
    fields: string,
    ids: readonly number[],
  ): Promise<Item[]> {
    const items: Item[] = [];
    for (let at = 0; at < ids.length; at += perPage) {
      const include = ids.slice(at, at + perPage).join(",");
      const query = `per_page=${perPage}&include=${include}&_fields=${fields}`;
      items.push(...(await page(name, path, query)).items);
    }
    return items;
  }

  /**
   * Reads all pages. Each begins with the last item of the one before, so that a shift is seen. The
   * number of items in the headers is not trusted, since some items are left out. A page may also have fewer
   * items than were asked for. So the list ends where nothing new comes.
   *
   * @returns whether the list was the same before and after, and on every page
   */
  async function pages(
    name: string,
    path: string,
    fields: string,
    take: (item: Item) => void,
  ): Promise<boolean> {
    const before = await state(name, path);
    const states = new Set([before.total]);
    const seen = new Set<number>();
    let first: number | undefined;
    let isWhole = true;
    for (let offset = 0, barren = 0, read = 0; ; read++) {
      if (read === mostPages)
        throw new Failure(
          `The list of ${name} goes on after ${number(mostPages)} pages, with ${number(seen.size)} ${name}, and no more are read. Does the site, or a plugin, make up new ${name}?`,
        );
      const query = `per_page=${perPage}&offset=${offset}&orderby=id&order=asc&_fields=${fields}`;
      const { items, total } = await page(name, path, query);
      states.add(total);
      const start = items[0]?.id;
      first ??= start;
      if (offset > 0 && items.length > 1 && start === first)
        throw new Failure(
          `The site gives the first ${name} again when it is asked for further ones (offset=${offset}), so not all of them can be read. Does a cache or a plugin ignore the query?`,
        );
      if (offset > 0 && start !== undefined && !seen.has(start)) isWhole = false;
      const known = seen.size;
      for (const item of items) {
        seen.add(item.id);
        take(item);
      }
      const isBarren = seen.size === known;
      barren = isBarren ? barren + 1 : 0;
      offset += isBarren ? perPage - 1 : Math.max(1, items.length - 1);
      // Items that are left out may fill a page or two.
      const isEnd = !/^\d+$/.test(total) || offset >= Number(total) || barren === mostBarren;
      if (isBarren && isEnd) break;
    }
    const after = await state(name, path);
    if (fields !== "id" && Number(after.total) > seen.size)
      say(
        `The site counts ${number(Number(after.total))} ${name}, and gives guests ${number(seen.size)}.`,
      );
    return isWhole && states.add(after.total).size === 1 && after.newest === before.newest;
  }

  /** What shows whether a list has changed: how many items it counts, and its newest one. */
  async function state(name: string, path: string) {
    const query = "per_page=1&orderby=id&order=desc&_fields=id";
    const { items, total } = await page(name, path, query);
    return { total, newest: items[0]?.id };
  }

  function page(name: string, path: string, query: string) {
    const url = `${apiRoot}${path}${apiRoot.includes("?") ? "&" : "?"}${query}`;
    return client.ask(
      `Reading ${name} (${url.slice(0, 200)})`,
      () => [url, { headers, redirect: "manual" }],
      (answer) => {
        const body = jsonOf(answer);
        const { code } = (body ?? {}) as { readonly code?: unknown };
        // A list that became shorter while it was read.
        if (code === "rest_post_invalid_page_number") return { items: [], total: "" };
        if (answer.status === 200 && Array.isArray(body))
          return {
            items: body.filter((one): one is Item =>
              Number.isSafeInteger((one as Item | null)?.id),
            ),
            total: answer.headers.get("x-wp-total") ?? "",
          };
        if (answer.status === 200 || answer.status >= 500)
          throw new Passing(`answered ${described(answer)}`);
        throw new Failure(
          `${url} answers ${described(answer)}. Guests must be allowed to read ${name} over the REST API.`,
        );
      },
    );
  }

  /** Follows redirects on one host. @throws Failure where one leads to another */
  async function follow(start: string): Promise<Answer> {
    let url = start;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await client.ask(
        `Reading ${url}`,
        () => [url, { headers: { ...headers, Accept: "*/*" }, redirect: "manual" }],
        (one) => {
          if (one.status >= 500) throw new Passing(`answered ${described(one)}`);
          return one;
        },
      );
      const location = answer.headers.get("location");
      if (answer.status < 300 || answer.status > 399 || location === null)
        return { ...answer, url };
      const next = webUrl(location, url);
      if (next === undefined)
        throw new Failure(
          `${url} redirects to ${printable(withoutPassword(location)).slice(0, 200)}, which is no URL that can be read: it must begin with http:// or https://, and have no password.`,
        );
      if (next.host !== new URL(url).host)
        throw new Failure(
          `${url} leads to another host, ${next.host}. If that is the site, name it: --wordpress ${next.origin}.`,
        );
      if (/\/wp-login\.php/.test(next.pathname))
        throw new Failure(
          `${url} leads to a login page. Only sites that guests may read can be pulled.`,
        );
      url = next.href;
    }
    throw new Failure(`${start} redirects more than ${mostRedirects} times.`);
  }

  return { open, list, byId };
}

/** What is asked for of each kind of item: nothing that a page does not show. */
const fields = {
  posts: "id,date_gmt,link,title,content,comment_status,tags,categories,featured_media",
  comments: "id,post,parent,author_name,date_gmt,content,type",
  terms: "id,name",
  media: "id,source_url",
} as const;

/** Ids in a field that lists some. */
const idsOf = (item: Item, field: string): number[] =>
  Array.isArray(item[field])
    ? ((item[field] as unknown[]).filter(Number.isSafeInteger) as number[])
    : [];

/**
 * The source.
 *
 * @param site URL of the home page
 * @param withCategories whether categories become tags, too
 */
export function wordpressSource(site: string, withCategories: boolean, tools: PullTools): Source {
  const { progress, say } = tools;
  const client = new PoliteClient(tools, politeness);
  const api = restApi(client, say);

  async function listed(name: string, path: string, wanted: string): Promise<Item[]> {
    const step = progress.step(name, name, undefined);
    const items = await api.list(name, path, wanted, step.update);
    step.done();
    return items;
  }

  /** Adds the terms that public posts carry; a name that is a tag and a category is one tag. */
  async function addTerms(file: CanonicalFile, posts: readonly Item[]): Promise<void> {
    const idByName = new Map<string, number>();
    const tagOf = new Map<number, number>();
    for (const kind of withCategories ? (["tags", "categories"] as const) : (["tags"] as const)) {
      const ids = [...new Set(posts.flatMap((post) => idsOf(post, kind)))];
      const terms = await api.byId(kind, `wp/v2/${kind}`, fields.terms, ids);
      if (terms.length < ids.length)
        say(
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
  }

  /** Adds comments of the kind that readers write, to posts that are there. */
  function addComments(file: CanonicalFile, comments: readonly Item[]): void {
    for (const comment of comments) {
      if (comment["type"] !== "comment" || !file.has("posts", comment["post"])) continue;
      file.add(
        "comments",
        {
          comment_id: comment.id,
          post_id: comment["post"],
          comment_date_gmt: dateOf(comment),
          comment_author: textOf(comment["author_name"]),
          comment_content: textOf(rendered(comment["content"])),
          comment_parent: Number(comment["parent"]) || 0,
        },
        { leaveOut: true },
      );
    }
  }

  return {
    name: "WordPress",
    async gather(file) {
      file.postUrl(`${await api.open(site)}/?p={postId}`);
      const all = await listed("posts", "wp/v2/posts", fields.posts);
      const open = all.filter(
        ({ content }) =>
          (content as { readonly protected?: unknown } | undefined)?.protected !== true,
      );
      const images = await api.byId("media", "wp/v2/media", fields.media, [
        ...new Set(open.map((post) => Number(post["featured_media"])).filter((id) => id > 0)),
      ]);
      const imageOf = new Map(images.map(({ id, source_url: url }) => [id, url]));
      for (const post of open)
        file.add(
          "posts",
          {
            post_id: post.id,
            post_title: textOf(rendered(post["title"])),
            post_content_html: rendered(post["content"]),
            post_date_gmt: dateOf(post),
            comment_status: post["comment_status"],
            // A picture that has no URL is no reason to leave a post out.
            ogp_image_url: httpUrl(String(imageOf.get(Number(post["featured_media"])))) ?? null,
          },
          { url: String(post["link"] ?? ""), leaveOut: true },
        );
      const posts = open.filter(({ id }) => file.has("posts", id));
      await addTerms(file, posts);
      addComments(file, await listed("comments", "wp/v2/comments", fields.comments));
      say("WordPress has no likes, bookmarks or welcome flags: they are 0 and null.");
      const left = all.length - open.length;
      return [
        ...(left === 0
          ? []
          : [`left out, since they are protected by a password: ${counted(left, "posts")}`]),
        `${counted(client.requests, "requests")}, ${(client.received / 1e6).toFixed(1)} million characters`,
      ];
    },
  };
}
