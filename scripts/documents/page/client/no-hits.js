/** What the page shows where a search finds nothing: tags of similar names, and what the ranked search of /mcp finds. */
import { answerAt, frame } from "./dom.js";
import { tagTree } from "./list.js";
import { normalise } from "./snippets.js";
import { tagParameter } from "./tag-parameter.js";
import { tree } from "./tree.js";

/** @typedef {import("./list.js").Query} Query */
/** @typedef {import("./list.js").TagCount} TagCount */
/** @typedef {import("./list.js").SearchHit} SearchHit */
/** @typedef {{ note: import("../tree.ts").Content, hits: readonly SearchHit[], needles: readonly string[] }} Help */

/** Tags that are offered for one that does not exist. */
const mostNearTags = 5;
/** Unknown tags that something is said of: a link may name thousands, and each is compared with every tag. */
const mostUnknown = 3;
const { t } = frame;

/** Neighbouring characters of a name, with its beginning and end. @param {string} name */
const pairsOf = (name) => new Set(Array.from(`^${name}`, (one, i) => one + (name[i] ?? "$")));

/** The names that are most like one: the share of pairs of characters that both have (Dice coefficient), from 0 to 1. @param {string} name @param {readonly string[]} names */
function nearestNames(name, names) {
  const own = pairsOf(normalise(name));
  return names
    .map((other) => {
      const others = pairsOf(normalise(other));
      const common = [...others].filter((pair) => own.has(pair)).length;
      return /** @type {const} */ ([other, (2 * common) / (own.size + others.size)]);
    })
    .filter(([, alike]) => alike >= 0.2)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostNearTags)
    .map(([other]) => other);
}

/** What is said of the tags of a search that do not exist. @param {Query} query @param {readonly TagCount[]} tagCounts of all posts */
function notesOnTags(query, tagCounts) {
  const names = tagCounts.map(({ tagName }) => tagName);
  const known = new Set(names.map(tagParameter));
  const tags = query.tags.filter((name) => known.has(tagParameter(name)));
  const unknown = query.tags.filter((name) => !known.has(tagParameter(name))).slice(0, mostUnknown);
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

/**
 * The posts that fit words best, and these words.
 *
 * @param {Query} query
 * @param {AbortSignal} signal
 * @returns {Promise<Omit<Help, "note">>}
 */
async function rankedHits({ q, tags }, signal) {
  const call = { name: "search", arguments: { query: q, tags: tags.join(" ") } };
  const { result } = await answerAt("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    signal,
  });
  /** @type {readonly (Omit<SearchHit, "postId" | "postTitle"> & { id: string, title: string, matchedWords: string[] })[]} */
  const results = result.structuredContent.results;
  const words = new Set(results.flatMap(({ matchedWords }) => matchedWords.map(normalise)));
  const hits = results.map((hit) => ({ ...hit, postId: Number(hit.id), postTitle: hit.title }));
  return { hits, needles: [...words].filter((word) => word !== "") };
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
  const none = { hits: [], needles: [] };
  const best = query.q.trim() === "" ? none : await rankedHits(query, signal).catch(() => none);
  const text =
    best.hits.length > 0
      ? t("No post contains exactly this. These fit the words best:")
      : t("Nothing was found. Try fewer or other letters, or leave out a tag.");
  return { ...best, note: tree("p", {}, text) };
}
