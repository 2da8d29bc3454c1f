/** A WordPress site as a source: its REST API gives a guest what its pages show, and nothing else is asked for. */
import { Parser } from "htmlparser2";
import {
  collectionFile,
  isLanguage,
  type CollectionFile,
} from "../../functions/contract/collection.ts";
import { plainText } from "../../functions/html/plain-text.ts";
import { httpUrl } from "../export/column-rules.ts";
import { preview } from "../export/problems.ts";
import { pluralize, formatNumber } from "../lib/text.ts";
import { contractRules } from "../lib/json-schema.ts";
import { webUrl } from "./answer.ts";
import type { CanonicalFile } from "./canonical-file.ts";
import { faultOfPages, notKept } from "./post-pages.ts";
import { makeTagId, shownNames } from "./records.ts";
import type { PullTools, Source } from "./source.ts";
import { findApi, readId, type FoundSite, type Item, type WordPressApi } from "./wordpress-api.ts";

/** What the parts of a pull work with. */
interface Pull {
  readonly api: WordPressApi;
  readonly file: CanonicalFile;
  /** Tags that were added, by name: a name that is a tag and a category is one tag. */
  readonly tagIds: Map<string, number>;
  /** What is said at the end. */
  readonly lines: string[];
}

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

/**
 * The terms of a post: a list, or an object where a plugin has taken one out of it; of ids, names or whole terms.
 *
 * @returns ids and names; undefined where a part cannot be read
 */
function readTerms(value: unknown): readonly (number | string)[] | undefined {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return undefined;
  const terms = Object.values(value).map((one: unknown) => {
    const { name } = (one ?? {}) as { readonly name?: unknown };
    return readId(one) ?? readPlainText(name ?? one);
  });
  return terms.every((term) => term !== undefined) ? terms : undefined;
}

/** Characters of a page in which its language is looked for: it is in the first tag. */
const headCharacters = 10_000;

/** What a site says of itself, as far as a collection may say it: its name, its tagline, its language. */
function readCollection({ index, page }: FoundSite, home: string): CollectionFile {
  const usable = contractRules(collectionFile);
  const textFrom = (value: unknown): string => (readPlainText(value) ?? "").trim().toWellFormed();
  // A page of an error is another program's, such as a challenge.
  const head = page?.status === 200 ? page.body.slice(0, headCharacters) : "";
  const [, language] = /<html\b[^>]*\slang=["']?([\w-]+)/i.exec(head) ?? [];
  const title = textFrom(index["name"]);
  const said = {
    title,
    description: textFrom(index["description"]),
    // Themes write "jp" for "ja".
    language: language !== undefined && isLanguage(language) ? language : undefined,
    publisher: { name: title, ...(faultOfPages(home) === undefined && { url: home }) },
  };
  return Object.fromEntries(
    Object.entries(said).filter(
      ([member, value]) => value !== undefined && usable({ [member]: value }).length === 0,
    ),
  );
}

/** URL of the home page, without a slash at the end. What a query or a password adds to it does not count. */
function readHome({ index }: FoundSite, url: string): string {
  const homes = [index["home"], index["url"]].map((one) => webUrl(String(one)));
  const { origin, pathname } = homes.find((one) => one !== undefined) ?? new URL(url);
  return (origin + pathname).replace(/\/+$/, "");
}

/** Whether a post is protected by a password: its title is public, its text is not. */
const isProtected = ({ content }: Item): boolean =>
  (content as { readonly protected?: unknown } | null | undefined)?.protected === true;

/**
 * Adds posts, with their pictures.
 *
 * @returns those that were added
 */
async function addPosts({ api, file, lines }: Pull): Promise<Item[]> {
  const all = await api.fetchCollection("posts");
  const open = all.filter((post) => !isProtected(post));
  const pictureIds = new Set(open.map((post) => readId(post["featured_media"]) ?? 0));
  pictureIds.delete(0);
  const pictures = new Map<number | undefined, string>();
  for (const { id, source_url: source } of await api.fetchByIds("media", [...pictureIds])) {
    const url = httpUrl(readText(source) ?? "");
    if (url !== undefined) pictures.set(id, url);
  }
  for (const post of open)
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
        ogp_image_url: pictures.get(readId(post["featured_media"])) ?? null,
      },
      { url: readText(post["link"]) ?? "", leaveOut: true },
    );
  if (pictures.size < pictureIds.size)
    lines.push(
      `Of ${pluralize(pictureIds.size, "pictures")} of posts, the site gives guests ${formatNumber(pictures.size)}.`,
    );
  if (open.length < all.length)
    lines.push(
      `left out, since they are protected by a password: ${pluralize(all.length - open.length, "posts")}`,
    );
  return open.filter(({ id }) => file.has("posts", id));
}

/**
 * Adds a tag where its name is new.
 *
 * @param id made from the name where there is none
 * @returns the id of the name
 */
function addTag({ file, tagIds }: Pull, name: string, id = makeTagId(file, name)): number {
  const known = tagIds.get(name);
  if (known !== undefined) return known;
  tagIds.set(name, id);
  file.add("tags", { tag_id: id, tag_name: name });
  return id;
}

/**
 * Adds the terms that posts carry as tags.
 *
 * @param posts those that were added: terms of others may be private
 */
async function addTerms(
  pull: Pull,
  posts: readonly Item[],
  kind: "tags" | "categories",
): Promise<void> {
  const { api, file, lines } = pull;
  const terms = new Map(posts.map((post) => [post, readTerms(post[kind])]));
  const all = new Set([...terms.values()].flatMap((some) => some ?? []));
  const ids = [...all].filter((term) => typeof term === "number");
  const tagOf = new Map<number | string, number>();
  for (const { id, name } of await api.fetchByIds(kind, ids)) {
    const text = readPlainText(name);
    if (text !== undefined) tagOf.set(id, addTag(pull, text, id));
  }
  const named = tagOf.size;
  for (const term of all) if (typeof term === "string") tagOf.set(term, addTag(pull, term));
  for (const [post, some] of terms)
    for (const term of some ?? []) {
      const tag = tagOf.get(term);
      if (tag !== undefined) file.add("post_tags", { post_id: post.id, tag_id: tag });
    }
  if (named < ids.length)
    lines.push(
      `warning: of ${pluralize(ids.length, kind)} that posts carry, the site names ${named}.`,
    );
  const odd = posts.filter((post) => terms.get(post) === undefined);
  if (odd[0] !== undefined)
    lines.push(
      `warning: ${kind} of ${pluralize(odd.length, "posts")} are in no form that is read here, such as ${preview(odd[0][kind])} of post ${odd[0].id}. They are left out.`,
    );
}

/** Adds comments of the kind that readers write, to posts that are there. */
async function addComments({ api, file, lines }: Pull): Promise<void> {
  const all = await api.fetchCollection("comments");
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
  const lost = written.length - comments.length;
  if (lost > 0)
    lines.push(`left out, because their post or page is not read: ${pluralize(lost, "comments")}`);
}

/** Has builds link to the pages of posts, and says what is particular to the site. */
function describeSite({ api, file, lines }: Pull, site: FoundSite, url: string): void {
  const home = readHome(site, url);
  const collection = readCollection(site, home);
  file.collection(collection);
  const pages = `${home}/?p={postId}`;
  const fault = faultOfPages(pages);
  if (fault === undefined) file.postUrl(pages);
  else lines.push(notKept(fault));
  if (fault === undefined && new URL(home).host !== new URL(api.root).host)
    lines.push(
      `URLs of posts are ${pages}, on another host than the API. If no post is shown there, name the pages of posts: "postUrl" in data/collection.json, or --post-url.`,
    );
  if (collection.language === undefined)
    lines.push(
      'The home page does not say in which language the posts are. Unless it is Japanese, name it: "language" in data/collection.json.',
    );
  lines.push("WordPress has no likes, bookmarks or welcome flags: they are 0 and null.");
  const plugin = site.namespaces.find((name) => /^(?:bogo|wpml)\//.test(String(name)));
  if (plugin !== undefined)
    lines.push(
      `not read: posts in other languages. With ${shownNames([String(plugin)])}, lists have one alone`,
    );
}

/**
 * The source.
 *
 * @param url of the home page
 * @param withCategories whether categories become tags, too
 */
export function wordpressSource(url: string, withCategories: boolean, tools: PullTools): Source {
  return {
    name: "WordPress",
    async collect(file) {
      const site = await findApi(tools, url);
      const { api } = site;
      const pull: Pull = { api, file, tagIds: new Map(), lines: [] };
      describeSite(pull, site, url);
      const posts = await addPosts(pull);
      await addTerms(pull, posts, "tags");
      if (withCategories) await addTerms(pull, posts, "categories");
      else if (posts.length > 0 && file.rows.post_tags === undefined)
        pull.lines.push(
          "No post carries a tag. Where categories are to be tags, pull with --categories.",
        );
      await addComments(pull);
      return [...pull.lines, api.client.traffic()];
    },
  };
}
