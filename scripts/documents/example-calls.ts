/** Calls to show in documentation, with values that find something in the snapshot being published. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paths, postFile } from "../../functions/contract/http.ts";
import { searchParameters } from "../../functions/contract/parameters.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { isStopword } from "../../functions/mcp/stopwords.ts";
import { normalizeKeyword, normalize } from "../../functions/engine/normalize.ts";
import { createHandler } from "../../functions/http/handler.ts";

/** Values for every parameter. A search with all of them finds at least the post that they come from. */
export interface ExampleParameters {
  readonly q: string;
  readonly tags: string;
  readonly orderby: string;
  readonly page: number;
  readonly pageSize: number;
  readonly postId: number;
}

/** A call and its answer. */
export interface ExampleCall {
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** Calls by what they show. */
export type ExampleCalls = Readonly<
  Record<"newest" | "search" | "post" | "invalidPostId" | "postNotFound", ExampleCall>
>;

/** What documentation shows of a snapshot. */
export interface Examples {
  readonly parameters: ExampleParameters;
  readonly calls: ExampleCalls;
}

/** Keeps the first post that is an example: one with a tag and a word to search for; without such a post, the first. */
export class ExamplePost {
  #post: Post | undefined;
  #isGood = false;

  consider(post: Post): void {
    if (this.#isGood) return;
    this.#isGood =
      post.tags.some(({ tagName }) => isPlain(tagName)) && longestWord(post.postTitle) !== "";
    if (this.#isGood) this.#post = post;
    else this.#post ??= post;
  }

  /** Values for every parameter; without posts, values that find nothing. */
  get parameters(): ExampleParameters {
    return {
      q: longestWord(this.#post?.postTitle ?? ""),
      tags: this.#post?.tags.find(({ tagName }) => isPlain(tagName))?.tagName ?? "",
      orderby: searchParameters.orderby.default,
      page: searchParameters.page.default,
      pageSize: searchParameters.pageSize.default,
      postId: this.#post?.postId ?? 1,
    };
  }
}

/** Whether a name is plain enough for documentation: no markup, no sentence, nothing unseen. */
const isPlain = (tagName: string): boolean =>
  /^[\p{L}\p{N}ー々・_-]{1,20}$/u.test(tagName) && isVisible(tagName);

const isVisible = (text: string): boolean => !/\p{Default_Ignorable_Code_Point}/u.test(text);

/**
 * The longest word of a title that finds it: two or more kanji or katakana, else three or more letters that are no kana
 * and no word of grammar. Empty where there is none.
 */
function longestWord(title: string): string {
  const searched = normalize(title);
  const inJapanese = searched.match(/\p{Script=Han}{2,8}|[\p{Script=Katakana}ー]{2,12}/gu);
  const words = inJapanese ?? searched.match(/[^\P{L}\p{Script=Hiragana}]{3,20}(?!\p{M})/gu) ?? [];
  const usable = words.filter(
    (word) => !isStopword(word) && isVisible(word) && searched.includes(normalizeKeyword(word)),
  );
  return usable.reduce((best, word) => (word.length > best.length ? word : best), "");
}

/**
 * Makes the calls on a snapshot's own files and function.
 *
 * @param folder a folder with posts and search index
 * @param example a post of it
 */
export async function makeExamples(folder: string, example: ExamplePost): Promise<Examples> {
  const handler = createHandler({
    snapshotFolder: () => folder,
    cacheMegabytes: 16,
    log: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  const asked = async (path: string): Promise<ExampleCall> => {
    const response = await handler(new Request(new URL(path, "http://localhost")));
    return { path, status: response.status, body: await response.json() };
  };
  // Most posts are files; the function answers only where there is none.
  const post = async (postId: number): Promise<ExampleCall> => {
    const path = `${paths.posts}${postId}`;
    const file = join(folder, postFile(postId));
    if (!existsSync(file)) return asked(path);
    return { path, status: 200, body: JSON.parse(readFileSync(file, "utf8")) as unknown };
  };
  const missingFrom = async (postId: number): Promise<ExampleCall> => {
    const call = await post(postId);
    return call.status === 200 ? missingFrom(postId + 1) : call;
  };
  const { parameters } = example;
  const query = new URLSearchParams({ q: parameters.q, pageSize: "2" });
  const calls = {
    newest: await asked(paths.search),
    search: await asked(`${paths.search}?${query}`),
    post: await post(parameters.postId),
    invalidPostId: await asked(`${paths.posts}abc`),
    postNotFound: await missingFrom(999_999),
  };
  handler.close();
  return { parameters, calls };
}
