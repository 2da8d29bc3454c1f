/** Calls to show in documentation, with values that find something in the snapshot being published. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paths, postFile } from "../../functions/contract/http.ts";
import { searchParameters } from "../../functions/contract/parameters.ts";
import type { Post } from "../../functions/contract/resources.ts";
import { needleOf, normalise } from "../../functions/search/normalise.ts";
import { createSearch } from "../../functions/search/handler.ts";

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

/** Characters of a document that reads well as an example. */
const idealLength = 1500;

/** Compares one post after another and keeps the best example: with tags, comments, a usual length. */
export class ExamplePost {
  #best: Post | undefined;
  #rank: readonly number[] = [];

  /** @param length characters of the post's document */
  consider(post: Post, length: number): void {
    const rank = [
      Math.min(1, post.tags.filter(({ tagName }) => isPlain(tagName)).length),
      wordOf(post.postTitle) === "" ? 0 : 1,
      Math.min(1, post.comments.length),
      Math.min(1, post.similarPosts.length),
      -Math.abs(length - idealLength),
    ];
    const difference = rank.findIndex((value, i) => value !== this.#rank[i]);
    if (this.#best !== undefined && (rank[difference] ?? 0) <= (this.#rank[difference] ?? 0))
      return;
    this.#best = post;
    this.#rank = rank;
  }

  /** Values for every parameter, from the best example; without posts, values that find nothing. */
  get parameters(): ExampleParameters {
    return {
      q: wordOf(this.#best?.postTitle ?? ""),
      tags: this.#best?.tags.find(({ tagName }) => isPlain(tagName))?.tagName ?? "",
      orderby: searchParameters.orderby.default,
      page: searchParameters.page.default,
      pageSize: searchParameters.pageSize.default,
      postId: this.#best?.postId ?? 1,
    };
  }
}

/** Whether a name is plain enough for documentation: no markup, no sentence, nothing unseen. */
const isPlain = (tagName: string): boolean =>
  /^[\p{L}\p{N}ー々・_-]{1,20}$/u.test(tagName) && isVisible(tagName);

const isVisible = (text: string): boolean => !/\p{Default_Ignorable_Code_Point}/u.test(text);

/**
 * A word of a title as the search sees it: two or more kanji or katakana, else three or more letters;
 * "" where no such word would find the title.
 */
function wordOf(title: string): string {
  const searched = normalise(title);
  const [word = ""] =
    /\p{Script=Han}{2,8}|[\p{Script=Katakana}ー]{2,12}/u.exec(searched) ??
    /\p{L}{3,20}(?!\p{M})/u.exec(searched) ??
    [];
  return isVisible(word) && searched.includes(needleOf(word)) ? word : "";
}

/**
 * Makes the calls on a snapshot's own files and function.
 *
 * @param folder a folder with posts and search index
 */
export async function exampleCalls(
  folder: string,
  { q, postId }: ExampleParameters,
): Promise<ExampleCalls> {
  const handler = createSearch({
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
  const postPath = `${paths.posts}${postId}`;
  const file = join(folder, postFile(postId));
  const post = existsSync(file)
    ? { path: postPath, status: 200, body: JSON.parse(readFileSync(file, "utf8")) as unknown }
    : await asked(postPath);
  const missingFrom = async (postId: number): Promise<ExampleCall> => {
    const call = await asked(`${paths.posts}${postId}`);
    const exists = call.status === 200 || existsSync(join(folder, postFile(postId)));
    return exists ? missingFrom(postId + 1) : call;
  };
  const calls = {
    newest: await asked(paths.search),
    search: await asked(`${paths.search}?${new URLSearchParams({ q, pageSize: "2" })}`),
    post,
    invalidPostId: await asked(`${paths.posts}abc`),
    postNotFound: await missingFrom(999_999),
  };
  handler.close();
  return calls;
}
