/** Calls to show in documentation, with values that find something in the snapshot being published. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paths, postFile } from "../../functions/contract/http.ts";
import { searchParameters } from "../../functions/contract/parameters.ts";
import type { Post, SearchResult } from "../../functions/contract/resources.ts";
import { needleOf, normalise } from "../../functions/search/normalise.ts";
import { createHandler } from "../../functions/search/handler.ts";

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

/** Characters of a document that reads well as an example. */
const idealLength = 1500;

/** Compares one post after another and keeps the best example: with tags, comments, a usual length. */
export class ExamplePost {
  #best: Post | undefined;
  #rank = -Infinity;

  /** @param length characters of the post's document */
  consider(post: Post, length: number): void {
    // Each weighs more than all after it together.
    const has = [
      post.tags.some(({ tagName }) => isPlain(tagName)),
      wordsOf(post.postTitle).length > 0,
      post.comments.length > 0,
      post.similarPosts.length > 0,
    ];
    const worth = has.reduce((sum, one) => 2 * sum + Number(one), 0);
    const rank = worth * 1e12 - Math.abs(length - idealLength);
    if (rank <= this.#rank) return;
    this.#best = post;
    this.#rank = rank;
  }

  /** Words of its title that a person may search for, the longest first. */
  get words(): readonly string[] {
    return wordsOf(this.#best?.postTitle ?? "");
  }

  /** Values for every parameter, from the best example; without posts, values that find nothing. */
  get parameters(): ExampleParameters {
    return {
      q: this.words[0] ?? "",
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

/** English words of grammar, three letters and more: nobody searches for one. The longest word is rarely one of them. */
const grammar = new Set(
  `about above across after again against all almost along already also although always among and another any anyone
  anything are around away because been before being below between both but can cannot could did does doesn doing don
  done down during each either else enough ever every everyone everything few for from get gets getting give goes going
  good got had has have having her here hers him his how however instead into isn its itself just less like made make
  makes many may maybe might mine more most much must need neither never next nobody none nor not nothing now off often
  once one only onto other others our ours out over own per perhaps please quite rather really same shall she should
  since some somebody someone something sometimes still such take than that the their theirs them themselves then there
  therefore these they thing things this those though through thus together too toward towards under unless until upon
  use used using very via want was wasn way well were what whatever when where whereas whether which while who whole
  whom whose why will with within without won would yes yet you your yours yourself`.split(/\s+/),
);

/**
 * Words of a title as the search sees them, each of which finds the title, the longest first: two or more kanji or
 * katakana, else three or more letters that are no kana and no word of grammar.
 */
function wordsOf(title: string): string[] {
  const searched = normalise(title);
  const inJapanese = searched.match(/\p{Script=Han}{2,8}|[\p{Script=Katakana}ー]{2,12}/gu);
  const words = inJapanese ?? searched.match(/[^\P{L}\p{Script=Hiragana}]{3,20}(?!\p{M})/gu) ?? [];
  return [...new Set(words)]
    .filter((word) => !grammar.has(word) && isVisible(word) && searched.includes(needleOf(word)))
    .sort((a, b) => b.length - a.length);
}

type Asked = (path: string) => Promise<ExampleCall>;

/** A search for a word that some posts have, but not most; else the longest, or nothing where there is none. */
async function exampleSearch(
  asked: Asked,
  words: readonly string[],
): Promise<[string, ExampleCall]> {
  const searched = (q: string): Promise<ExampleCall> =>
    asked(`${paths.search}?${new URLSearchParams({ q, pageSize: "2" })}`);
  const countOf = ({ body }: ExampleCall): number => (body as SearchResult).metadata.count;
  const all = countOf(await searched(""));
  for (const word of words) {
    const call = await searched(word);
    if (countOf(call) >= 2 && countOf(call) <= all / 2) return [word, call];
  }
  const [longest = ""] = words;
  return [longest, await searched(longest)];
}

/**
 * Makes the calls on a snapshot's own files and function.
 *
 * @param folder a folder with posts and search index
 * @param example a post of it
 */
export async function examplesOf(folder: string, example: ExamplePost): Promise<Examples> {
  const handler = createHandler({
    snapshotFolder: () => folder,
    cacheMegabytes: 16,
    log: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  const asked: Asked = async (path) => {
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
  const [q, search] = await exampleSearch(asked, example.words);
  const calls = {
    newest: await asked(paths.search),
    search,
    post: await post(example.parameters.postId),
    invalidPostId: await asked(`${paths.posts}abc`),
    postNotFound: await missingFrom(999_999),
  };
  handler.close();
  return { parameters: { ...example.parameters, q }, calls };
}
