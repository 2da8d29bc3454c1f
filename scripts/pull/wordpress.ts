/** A WordPress site as a source: its REST API gives a guest what its pages show, and nothing else is asked for. */
import { Parser } from "htmlparser2";
import {
  collectionFile,
  isLanguage,
  type CollectionFile,
} from "../../functions/contract/collection.ts";
import { plainText } from "../../functions/html/plain-text.ts";
import { httpUrl } from "../export/column-rules.ts";
import { shown } from "../export/problems.ts";
import { counted, formatted } from "../lib/format-number.ts";
import { contractRules } from "../lib/json-schema.ts";
import { answerOf, webUrl, type Answer } from "./answer.ts";
import type { CanonicalFile } from "./canonical-file.ts";
import type { PoliteClient } from "./polite-client.ts";
import { faultOfPages, notKept } from "./post-pages.ts";
import { makeTagId, shownNames } from "./records.ts";
import type { PullTools, Source } from "./source.ts";
import {
  createSiteClient,
  fetchAnswer,
  fetchByIds,
  fetchCollection,
  findApi,
  OffsiteRedirect,
  readId,
  type FoundApi,
  type Item,
  type RestApi,
} from "./wordpress-api.ts";

/**
 * A field of an item as text, in the forms in which sites send it: a text, a number, or the `rendered` of an object.
 *
 * @returns undefined for any other value: the rules of any export then report the row
 */
function readText(value: unknown): string | undefined {
  const { rendered } = (value ?? {}) as { readonly rendered?: unknown };
  const text = rendered ?? value;
  if (typeof text === "number") return String(text);
  return typeof text === "string" ? text : undefined;
}

/** The text of what WordPress gives as HTML: titles and names. */
function readPlainText(value: unknown): string | undefined {
  const html = readText(value);
  return html === undefined ? undefined : plainText(html, Parser);
}

/** A term of a post: the id by which the site names it, or its name. */
type Term = number | { readonly name: string };

/**
 * The terms of a post: a list, or an object where a plugin has taken one out of it; of ids, names or whole terms.
 *
 * @returns undefined where a part of it cannot be read
 */
function readTerms(value: unknown): readonly Term[] | undefined {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return undefined;
  const terms = Object.values(value).map((one: unknown): Term | undefined => {
    const { id, term_id: termId, name } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const found = readId(one) ?? readId(id) ?? readId(termId);
    const text = readPlainText(name ?? one);
    return found ?? (text === undefined ? undefined : { name: text });
  });
  return terms.every((term) => term !== undefined) ? terms : undefined;
}

/** Characters of a page in which its language is looked for: it is in the first tag. */
const headCharacters = 10_000;

/** What a site says of itself, as far as a collection may say it: its name, its tagline, its language. */
function collectionFrom(
  { name, description }: FoundApi["index"],
  home: string,
  { body, status }: Answer,
): CollectionFile {
  const usable = contractRules(collectionFile);
  const textOf = (value: unknown): string => (readPlainText(value) ?? "").trim().toWellFormed();
  // A page of an error is another program's, such as a challenge.
  const head = status === 200 ? body.slice(0, headCharacters) : "";
  const [, language] = /<html\b[^>]*\slang=["']?([\w-]+)/i.exec(head) ?? [];
  const title = textOf(name);
  const publisher = { name: title, ...(faultOfPages(home) === undefined && { url: home }) };
  const said = {
    title,
    description: textOf(description),
    // Themes write "jp" for "ja".
    language: language !== undefined && isLanguage(language) ? language : undefined,
    publisher,
  };
  const fits = (member: string, value: unknown): boolean =>
    value !== undefined && usable({ [member]: value }).length === 0;
  return Object.fromEntries(Object.entries(said).filter((one) => fits(...one)));
}

/** A site and its API. */
interface Site extends FoundApi {
  /** URL of the home page, without a slash at the end. */
  readonly home: string;
  readonly collection: CollectionFile;
}

/** Finds the API of a site, and what the site says of itself. @throws Failure where a guest may not read it */
async function openSite(client: PoliteClient, url: string): Promise<Site> {
  let page: Answer;
  let offsite: OffsiteRedirect | undefined;
  try {
    page = await fetchAnswer(client, url);
  } catch (error) {
    // The home page of a headless site leads to another host; its API may be there all the same.
    if (!(error instanceof OffsiteRedirect)) throw error;
    offsite = error;
    page = await answerOf(new Response(null, { status: 404 }), url);
  }
  const api = await findApi(client, url, page, offsite);
  // Posts link there, so what a query or a password adds to it does not count.
  const homes = [api.index["home"], api.index["url"], url].map((one) => webUrl(String(one)));
  const { origin, pathname } = homes.find((one) => one !== undefined)!;
  const home = (origin + pathname).replace(/\/+$/, "");
  return { ...api, home, collection: collectionFrom(api.index, home, page) };
}

/** Adds posts, with their pictures. @returns those that were added, and a line about pictures that are not there */
async function addPosts(
  api: RestApi,
  file: CanonicalFile,
  all: readonly Item[],
): Promise<{ readonly posts: readonly Item[]; readonly lines: readonly string[] }> {
  const pictureOf = new Map(all.map((post) => [post.id, readId(post["featured_media"]) ?? 0]));
  const wanted = [...new Set(pictureOf.values())].filter((id) => id > 0);
  const media = await fetchByIds(api, "media", wanted);
  const urlOf = new Map(
    media.flatMap(({ id, source_url: source }) => {
      const url = httpUrl(readText(source) ?? "");
      return url === undefined ? [] : [[id, url] as const];
    }),
  );
  for (const post of all)
    file.add(
      "posts",
      {
        post_id: post.id,
        post_title: readPlainText(post["title"]),
        post_content_html: readText(post["content"]),
        // UTC without a zone.
        post_date_gmt: post["date_gmt"],
        comment_status: post["comment_status"] ?? undefined,
        // A picture that has no URL is no reason to leave a post out.
        ogp_image_url: urlOf.get(pictureOf.get(post.id) ?? 0) ?? null,
      },
      { url: readText(post["link"]) ?? "", leaveOut: true },
    );
  const posts = all.filter(({ id }) => file.has("posts", id));
  return urlOf.size === wanted.length
    ? { posts, lines: [] }
    : {
        posts,
        lines: [
          `Of ${counted(wanted.length, "pictures")} of posts, the site gives guests ${formatted(urlOf.size)}.`,
        ],
      };
}

/** Tags of an export, by their names: a name that is a tag and a category is one tag. */
class TagsByName {
  readonly #file: CanonicalFile;
  readonly #ids = new Map<string, number>();

  constructor(file: CanonicalFile) {
    this.#file = file;
  }

  /** Adds a tag where its name is new. @param id made from the name where it is left out @returns the id of the name */
  add(name: string, id?: number): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const added = id ?? makeTagId(this.#file, name);
    this.#ids.set(name, added);
    this.#file.add("tags", { tag_id: added, tag_name: name });
    return added;
  }

  /** Adds the links of a post. @param terms those without a tag in `tagOf` are left out */
  link(post: number, terms: readonly Term[], tagOf: ReadonlyMap<Term, number>): void {
    for (const term of terms) {
      const tag = typeof term === "number" ? tagOf.get(term) : this.add(term.name);
      if (tag !== undefined) this.#file.add("post_tags", { post_id: post, tag_id: tag });
    }
  }
}

/**
 * Adds the terms that posts carry.
 *
 * @param posts those that were added: terms of others may be private
 * @returns warnings about terms that cannot be read, or are not public
 */
async function addTerms(
  api: RestApi,
  tags: TagsByName,
  posts: readonly Item[],
  kind: "tags" | "categories",
): Promise<string[]> {
  const termsOf = new Map(posts.map((post) => [post.id, readTerms(post[kind])]));
  const odd = posts.filter(({ id }) => termsOf.get(id) === undefined);
  const all = [...termsOf.values()].flatMap((terms) => terms ?? []);
  const ids = [...new Set(all.filter((term) => typeof term === "number"))];
  const named = await fetchByIds(api, kind, ids);
  const tagOf = new Map<Term, number>();
  for (const { id, name } of named) {
    const text = readPlainText(name);
    if (text !== undefined) tagOf.set(id, tags.add(text, id));
  }
  for (const [id, terms] of termsOf) tags.link(id, terms ?? [], tagOf);
  const lost = ids.length - ids.filter((id) => tagOf.has(id)).length;
  return [
    ...(lost === 0
      ? []
      : [
          `warning: of ${counted(ids.length, kind)} that posts carry, the site names ${ids.length - lost}.`,
        ]),
    ...(odd[0] === undefined
      ? []
      : [
          `warning: ${kind} of ${counted(odd.length, "posts")} are in no form that is read here, such as ${shown(odd[0][kind])} of post ${odd[0].id}. They are left out.`,
        ]),
  ];
}

/** Adds comments of the kind that readers write, to posts that are there. @returns how many are on others, such as pages */
function addComments(file: CanonicalFile, all: readonly Item[]): number {
  const written = all.filter(({ type = "comment" }) => type === "comment");
  const comments = written.filter(({ post }) => file.has("posts", readId(post)));
  for (const comment of comments) {
    const content = readText(comment["content"]);
    file.add(
      "comments",
      {
        comment_id: comment.id,
        post_id: readId(comment["post"]),
        comment_date_gmt: comment["date_gmt"],
        comment_author: readPlainText(comment["author_name"]),
        // Without any, the site hides it.
        comment_content: content && plainText(content, Parser, { hasUrls: true }),
        comment_parent: readId(comment["parent"]) ?? comment["parent"],
      },
      { leaveOut: true },
    );
  }
  return written.length - comments.length;
}

/** Lines about where the pages of posts are, and in which language they are. */
function siteLines({ root, home, collection, namespaces }: Site): string[] {
  const pages = `${home}/?p={postId}`;
  const fault = faultOfPages(pages);
  const plugin = namespaces.find((name) => /^(?:bogo|wpml)\//.test(String(name)));
  return [
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
    "WordPress has no likes, bookmarks or welcome flags: they are 0 and null.",
    ...(plugin === undefined
      ? []
      : [
          `not read: posts in other languages. With ${shownNames([String(plugin)])}, lists have one alone`,
        ]),
  ];
}

/** Whether a post is protected by a password: its title is public, its text is not. */
const isProtected = ({ content }: Item): boolean =>
  (content as { readonly protected?: unknown } | null | undefined)?.protected === true;

/**
 * The source.
 *
 * @param url of the home page
 * @param withCategories whether categories become tags, too
 */
export function wordpressSource(url: string, withCategories: boolean, tools: PullTools): Source {
  return {
    name: "WordPress",
    async gather(file) {
      const client = createSiteClient(tools);
      const site = await openSite(client, url);
      const { root, home, collection } = site;
      file.collection(collection);
      const pages = `${home}/?p={postId}`;
      if (faultOfPages(pages) === undefined) file.postUrl(pages);
      const api: RestApi = { client, root, tools, isOpen: new Map(), sizes: new Map() };
      const all = await fetchCollection(api, "posts");
      const open = all.filter((post) => !isProtected(post));
      const { posts, lines } = await addPosts(api, file, open);
      const tags = new TagsByName(file);
      const warnings = await addTerms(api, tags, posts, "tags");
      const isUntagged = posts.length > 0 && file.rows.post_tags === undefined;
      if (withCategories) warnings.push(...(await addTerms(api, tags, posts, "categories")));
      const lost = addComments(file, await fetchCollection(api, "comments"));
      const left = all.length - open.length;
      return [
        ...lines,
        ...warnings,
        ...siteLines(site),
        ...(isUntagged && !withCategories
          ? ["No post carries a tag. Where categories are to be tags, pull with --categories."]
          : []),
        ...(left === 0
          ? []
          : [`left out, since they are protected by a password: ${counted(left, "posts")}`]),
        ...(lost === 0
          ? []
          : [`left out, because their post or page is not read: ${counted(lost, "comments")}`]),
        client.traffic(),
      ];
    },
  };
}
