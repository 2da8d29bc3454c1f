/** Reads a snapshot back as its users will, and finds whatever would be wrong for them. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../../functions/contract/http.ts";
import type { Post, PostSummary } from "../../functions/contract/resources.ts";
import { needleOf, normalise } from "../../functions/search/normalise.ts";
import { createSearch } from "../../functions/search/search.ts";
import type { Progress } from "../cli/progress.ts";
import { snapshotFiles, type SnapshotManifest } from "./write.ts";
import { publishedRules, type Description, type Rules } from "../lib/json-schema.ts";
import { visibleText } from "../documents/visible-text.ts";

/** Searches that are compared with a plain scan of all texts. */
const sampledSearches = 24;
/** Problems that are told; a broken snapshot may have one in each post. */
const toldAtMost = 20;

/** What the snapshot must agree with. */
export interface Expected {
  readonly posts: number;
  readonly comments: number;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

interface Searchable {
  readonly postId: number;
  readonly title: string;
  readonly text: string;
}

/** Keywords that lie somewhere in the posts: the same ones for the same snapshot. */
function sampleKeywords(posts: readonly Searchable[]): string[] {
  const keywords = ["", "の", "zzqx"];
  for (let i = keywords.length; i < sampledSearches && posts.length > 0; i++) {
    const { title, text } = posts[(i * 7919) % posts.length] as Searchable;
    const source = i % 3 === 0 ? title : text;
    const length = [1, 2, 3, 4, 8, 20][i % 6] as number;
    const start = Math.floor((source.length * ((i * 31) % 100)) / 100);
    keywords.push(Buffer.from(source.slice(start, start + length)).toString());
  }
  return keywords;
}

/**
 * Verifies the files of a snapshot: every post follows the published description, every reference
 * leads somewhere, the neighbours form one chain, counts agree, all other files are those that were
 * built, and the search answers a sample of keywords as a scan of all texts does.
 *
 * @param folder a folder with a snapshot, published or staged
 * @param expected what the export says, where there is one
 * @returns what is wrong, in words; nothing when all is well
 */
export async function problemsOfSnapshot(
  folder: string,
  progress: Progress,
  expected?: Expected,
): Promise<string[]> {
  const problems: string[] = [];
  let manifest: SnapshotManifest;
  let rulesBrokenBy: Rules;
  let ids: number[];
  const postFolder = join(folder, paths.posts);
  try {
    manifest = readJson(join(folder, snapshotFiles.manifest)) as SnapshotManifest;
    rulesBrokenBy = publishedRules(
      readJson(join(folder, snapshotFiles.openapi)) as Description,
      "Post",
    );
    ids = readdirSync(postFolder)
      .map((name) => Number(/^([1-9]\d*)\.json$/.exec(name)?.[1] ?? Number.NaN))
      .sort((a, b) => a - b);
  } catch (error) {
    return [`not a whole snapshot: ${(error as Error).message}`];
  }
  if (ids.some(Number.isNaN)) return ["a file among the posts is not named by a post id"];

  const summaries = new Map<number, PostSummary>();
  /** References to posts whose summary comes later, to be looked at when all are known. */
  const references: { readonly from: string; readonly to: PostSummary }[] = [];
  const tagNames = new Map<number, string>();
  const searchable: Searchable[] = [];
  let comments = 0;
  const reading = progress.step("posts verified", ids.length);
  for (const [i, id] of ids.entries()) {
    const place = `${paths.posts.slice(1)}${id}.json`;
    let post: Post;
    try {
      post = readJson(join(postFolder, `${id}.json`)) as Post;
    } catch {
      problems.push(`${place}: is not JSON`);
      continue;
    }
    const broken = rulesBrokenBy(post);
    if (broken.length > 0) {
      problems.push(`${place}: ${broken.join("; ")}`);
      continue;
    }
    if (post.postId !== id) problems.push(`${place}: is post ${post.postId}`);
    if ((post.previousPost?.postId ?? null) !== (ids[i - 1] ?? null))
      problems.push(`${place}: previousPost is not the post before it`);
    if ((post.nextPost?.postId ?? null) !== (ids[i + 1] ?? null))
      problems.push(`${place}: nextPost is not the post after it`);
    for (const to of [post.previousPost, post.nextPost, ...post.similarPosts])
      if (to !== null) references.push({ from: place, to });
    if (post.similarPosts.some((similar) => similar.postId === id))
      problems.push(`${place}: is similar to itself`);
    const commentIds = new Set(post.comments.map((comment) => comment.commentId));
    if (post.countComments !== commentIds.size)
      problems.push(`${place}: countComments is not the number of its comments`);
    for (const { commentId, commentParent } of post.comments)
      if (commentParent !== 0 && !commentIds.has(commentParent))
        problems.push(`${place}: comment ${commentId} answers a comment that is not there`);
    for (const { tagId, tagName } of post.tags) {
      if ((tagNames.get(tagId) ?? tagName) !== tagName)
        problems.push(`${place}: tag ${tagId} has two names`);
      tagNames.set(tagId, tagName);
    }
    comments += post.comments.length;
    summaries.set(id, { postId: id, postTitle: post.postTitle, postUrl: post.postUrl });
    searchable.push({
      postId: id,
      title: normalise(post.postTitle),
      text: normalise(visibleText(post.postContentHtml)),
    });
    reading.update(i + 1);
  }
  reading.done();

  for (const { from, to } of references) {
    const target = summaries.get(to.postId);
    if (target?.postTitle !== to.postTitle || target.postUrl !== to.postUrl)
      problems.push(`${from}: refers to post ${to.postId} with another title or address`);
  }
  const found = { posts: ids.length, comments, tags: tagNames.size };
  for (const name of ["posts", "comments"] as const)
    if (expected !== undefined && expected[name] !== found[name])
      problems.push(`${found[name]} ${name} were written, the export has ${expected[name]}`);
  for (const [name, count] of Object.entries(found))
    if (manifest.counts[name as keyof typeof found] !== count)
      problems.push(
        `snapshot.json counts ${manifest.counts[name as keyof typeof found]} ${name}, there are ${count}`,
      );

  problems.push(...changedFiles(folder, manifest));
  problems.push(...(await wrongSearches(folder, searchable)));
  return problems.length <= toldAtMost
    ? problems
    : [...problems.slice(0, toldAtMost), `${problems.length - toldAtMost} more`];
}

/** SHA-256 of a file, in hexadecimal. */
export const fileDigest = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

/** Files beside the posts that are not what the manifest says of them. */
export function changedFiles(folder: string, { files }: SnapshotManifest): string[] {
  return Object.entries(files).flatMap(([path, { digest }]) => {
    try {
      const found = createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest("hex");
      return found.startsWith(digest) ? [] : [`${path}: is not the file that was built`];
    } catch (error) {
      return [`${path}: ${(error as Error).message}`];
    }
  });
}

/** Searches that the snapshot's index does not answer as a scan of all texts does. */
async function wrongSearches(folder: string, posts: readonly Searchable[]): Promise<string[]> {
  const faults: string[] = [];
  const handler = createSearch({
    snapshotFolder: () => folder,
    cacheMegabytes: 64,
    log: (message) => faults.push(message),
  });
  const problems: string[] = [];
  for (const q of sampleKeywords(posts)) {
    const needle = needleOf(q);
    const expected = new Set(
      posts
        .filter(({ title, text }) => title.includes(needle) || text.includes(needle))
        .map(({ postId }) => postId),
    );
    const parameters = new URLSearchParams({ q, pageSize: "50" });
    const response = await handler(
      new Request(new URL(`${paths.search}?${parameters}`, "http://localhost")),
    );
    const body = (await response.json()) as {
      metadata?: { count: number };
      results?: { postId: number }[];
    };
    if (
      body.metadata?.count !== expected.size ||
      body.results?.some(({ postId }) => !expected.has(postId)) !== false
    )
      problems.push(
        `a search for ${JSON.stringify(q)} finds ${body.metadata?.count ?? "nothing"}, the texts contain it ${expected.size} times`,
      );
  }
  return [...new Set(faults), ...problems];
}
