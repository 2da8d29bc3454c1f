/** What the page shows where a search finds nothing: tags of similar names, and what the ranked search of /mcp finds. */
import { answerAt, frame } from "./dom.js";
import { tagTree } from "./list.js";
import { normalise } from "./snippets.js";
import { tree } from "./tree.js";

/** @typedef {import("./list.js").Query} Query */
/** @typedef {import("./list.js").TagCount} TagCount */
/** @typedef {{ note: import("../tree.ts").Content, hits: readonly { postId: number, postTitle: string }[], needles: readonly string[] }} Help */

/** Tags that are offered for one that does not exist. */
const mostNearTags = 5;
const { t } = frame;

/** The form in which the API compares names of tags. @param {string} name */
const tagKey = (name) => name.normalize("NFC").replace(/\s/gu, "_");

/** How many characters must be added, left out or changed to make one word of another (Levenshtein distance). @param {string} a @param {string} b */
export function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++)
      row.push(
        Math.min(
          (above[j] ?? 0) + (a[i] === b[j] ? 0 : 1),
          (above[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
        ),
      );
  }
  return row.at(-1) ?? 0;
}

/** The names nearest to one that does not exist: those that hold it, or that it holds, first. @param {string} name @param {readonly string[]} names */
export function nearestNames(name, names) {
  const wanted = normalise(name).slice(0, 50);
  /** @param {string} other */
  const farFrom = (other) => {
    const found = normalise(other).slice(0, 50);
    const isPart = found.includes(wanted) || (found.length > 1 && wanted.includes(found));
    return isPart ? 0.5 : distance(wanted, found);
  };
  return names
    .map((other) => /** @type {const} */ ([other, farFrom(other)]))
    .filter(([, far]) => far <= Math.max(1, wanted.length / 2))
    .sort(([, a], [, b]) => a - b)
    .slice(0, mostNearTags)
    .map(([other]) => other);
}

/** What is said of the tags of a search that do not exist. @param {Query} query @param {readonly TagCount[]} tagCounts of all posts */
function notesOnTags(query, tagCounts) {
  const names = tagCounts.map(({ tagName }) => tagName);
  const known = new Set(names.map(tagKey));
  const tags = query.tags.filter((name) => known.has(tagKey(name)));
  const unknown = query.tags.filter((name) => !known.has(tagKey(name)));
  return unknown.map((name) => {
    const near = nearestNames(name, names).flatMap((other) => [
      tagTree(other, frame, { ...query, tags, page: 1 }),
      " ",
    ]);
    return tree(
      "p",
      {},
      `${t("No post has this tag:")} ${name}. `,
      near.length === 0 ? undefined : [`${t("Tags with similar names:")} `, near],
    );
  });
}

/** The words of a query, as the ranked search reads them. @param {string} q */
const wordsOf = (q) =>
  [...new Intl.Segmenter("ja", { granularity: "word" }).segment(q)]
    .filter(
      ({ isWordLike, segment }) =>
        isWordLike && !/^[\p{Script=Hiragana}\p{Script=Latin}\p{N}]$/u.test(segment),
    )
    .map(({ segment }) => normalise(segment));

/** The posts that fit words best. @param {Query} query @param {AbortSignal} signal @returns {Promise<Help["hits"]>} */
async function rankedHits({ q, tags }, signal) {
  const call = { name: "search", arguments: { query: q, tags: tags.join(" ") } };
  const { result } = await answerAt("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    signal,
  });
  /** @type {readonly { id: string, title: string }[]} */
  const results = result?.structuredContent?.results ?? [];
  return results.map(({ id, title }) => ({ postId: Number(id), postTitle: title }));
}

/**
 * What helps where a search finds nothing.
 *
 * @param {Query} query
 * @param {AbortSignal} signal
 * @returns {Promise<Help>}
 */
export async function helpFor(query, signal) {
  if (query.tags.length > 0) {
    const { tagCounts } = await answerAt("/api/search?pageSize=1", { signal });
    const notes = notesOnTags(query, tagCounts);
    if (notes.length > 0) return { note: notes, hits: [], needles: [] };
  }
  const needles = wordsOf(query.q);
  const hits = needles.length > 1 ? await rankedHits(query, signal) : [];
  const text =
    hits.length > 0
      ? t("No post contains exactly this. These fit the words best:")
      : t("Nothing was found. Try fewer or other letters, or leave out a tag.");
  return { note: tree("p", {}, text), hits, needles };
}
