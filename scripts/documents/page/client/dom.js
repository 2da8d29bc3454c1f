/** Elements of the page's script, its words, and the answers of the API. */
import { partsOf, tree } from "./tree.js";

/** @type {Readonly<Record<string, string>>} Words in the page's language, by the English ones. */
const words = JSON.parse(document.body.dataset["words"] ?? "{}");
const postsLanguage = document.body.dataset["postsLanguage"] ?? "";

/** @type {import("../tree.ts").Words} */
export const frame = {
  t: (english) => words[english] ?? english,
  lang: postsLanguage === "" ? {} : { lang: postsLanguage },
};

/** What an element holds, as nodes. @param {...import("../tree.ts").Content} content @returns {(Node | string)[]} */
export const nodesOf = (...content) =>
  content.flatMap((one) => {
    if (one === undefined) return [];
    if (typeof one === "string") return partsOf(one)?.map(spanOf) ?? [one];
    if ("name" in one) return [elementOf(one)];
    // Not as arguments: the JSON of a post with thousands of comments is more than a call takes.
    return one.flatMap((each) => nodesOf(each));
  });

/**
 * A part of a text: without a class, text alone.
 *
 * @param {{ readonly text: string, readonly className: string }} part
 */
export function spanOf({ text, className }) {
  if (className === "") return text;
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

/** Has a moment say its date where the reader is: the build writes that in UTC. A date without a time stays. @param {HTMLTimeElement} time */
export function showLocalDate(time) {
  if (!time.dateTime.includes("T")) return;
  const at = new Date(time.dateTime);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  time.textContent = parts.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, "0")).join("-");
}

/** @param {import("../tree.ts").Tree} tree @returns {Element} */
function elementOf({ name, attributes, content }) {
  const made = /^(?:svg|rect)$/.test(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  // One by one: a call takes some 100,000 arguments at most.
  for (const node of nodesOf(...content)) made.append(node);
  if (made instanceof HTMLTimeElement) showLocalDate(made);
  return made;
}

/**
 * Whether a click is on a link, and not the first of a double click: what the first one has shown may have another link at
 * that place.
 *
 * @param {MouseEvent} click
 */
export const isSecondOnLink = ({ detail, target }) =>
  detail > 1 && /** @type {Element} */ (target).closest("a") !== null;

/** @param {string} text @param {() => unknown} act */
export function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "copy";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

/** An element that the build wrote. @param {string} selector @returns {HTMLElement} */
export function part(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`no ${selector}`);
  return found;
}

/** An answer that is no success, or none. Its message is for readers. */
export class AnswerError extends Error {
  /** @param {string} message @param {boolean} isFinal whether a second try would give the same answer, such as 404 */
  constructor(message, isFinal) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Milliseconds without any part of an answer until it is given up. The platform ends a function before. */
const longestSilence = 30_000;
/** What is shown as the reason then. */
const silence = `${longestSilence / 1000} s`;

/** What a promise gives, unless that takes longer than an answer may be silent. @template T @param {Promise<T>} promise @returns {Promise<T>} */
export function soon(promise) {
  const late = new Error(silence);
  const waited = new Promise((_, reject) => setTimeout(() => reject(late), longestSilence));
  return Promise.race([promise, /** @type {Promise<never>} */ (waited)]);
}

/** An answer and its text, unless nothing comes for long. @param {string} path @param {RequestInit} [options] */
async function received(path, options) {
  const controller = new AbortController();
  const { signal } = controller;
  options?.signal?.throwIfAborted();
  options?.signal?.addEventListener("abort", () => controller.abort(), { once: true });
  const giveUp = () => controller.abort(silence);
  let waiting = setTimeout(giveUp, longestSilence);
  try {
    const response = await fetch(path, { ...options, signal });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true });
      clearTimeout(waiting);
      waiting = setTimeout(giveUp, longestSilence);
    }
    return { response, text: text + decoder.decode() };
  } catch (error) {
    // Browsers have words of their own for a body that is given up.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(waiting);
  }
}

/**
 * The JSON at a path of this site.
 *
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 * @throws AnswerError, or what `fetch` throws for a request that was given up
 */
export async function answerAt(path, options) {
  const { t } = frame;
  /** @type {Awaited<ReturnType<typeof received>>} */
  let answer;
  try {
    answer = await received(path, options);
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new AnswerError(`${t("The request failed")}: ${error}`, false);
  }
  const { response, text } = answer;
  const { status } = response;
  // Too many requests, or one that took too long, may be answered later; what is too long for a server never is.
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  try {
    // A stream of one event is how /mcp answers. Its lines end in line feeds; a text within may hold other line ends.
    const event = text.startsWith("{")
      ? undefined
      : text.split("\n").find((line) => line.startsWith("data: "));
    const body = JSON.parse(event?.slice("data: ".length) ?? text);
    if (response.ok) return body;
    // The platform has other words where a function broke.
    throw new AnswerError(`${status} ${body.error ?? body.errorMessage ?? ""}`, isFinal);
  } catch (error) {
    if (error instanceof AnswerError) throw error;
    throw new AnswerError(`${t("The request failed")}: ${status}`, isFinal);
  }
}

/** Posts that were asked for, the newest question last. @type {Map<string, Promise<Post>>} */
const posts = new Map();
const mostPosts = 100;

/** @typedef {import("../../../../functions/contract/resources.ts").Post} Post */

/** A post, from memory where it was read before. @param {string} postId @returns {Promise<Post>} */
export function postOf(postId) {
  const known = posts.get(postId);
  if (known !== undefined) return known;
  const asked = answerAt(`/api/posts/${encodeURIComponent(postId)}`);
  posts.set(postId, asked);
  asked.catch(() => posts.delete(postId));
  for (const oldest of [...posts.keys()].slice(0, -mostPosts)) posts.delete(oldest);
  return asked;
}

/** How a program asks for what is shown: the call, for curl, and its answer as JSON, which is read once it is unfolded. @param {string} path */
export const callTree = (path) =>
  tree(
    "details",
    { class: "call" },
    tree("summary", {}, tree("span", { class: "method" }, "GET"), " ", decodeURI(path)),
    tree("p", {}, tree("a", { href: path }, decodeURI(location.origin + path))),
    tree(
      "div",
      { class: "line", "data-copy": "" },
      tree("code", { tabindex: "0" }, `curl '${location.origin}${path.replaceAll("'", "%27")}'`),
    ),
    tree(
      "pre",
      { tabindex: "0", role: "group", "aria-label": frame.t("Response") },
      tree("code", {}),
    ),
  );
