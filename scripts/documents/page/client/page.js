/** The documentation page's forms: each call with its URL, its curl command, its response, and next steps. */
import { jsonTokens } from "./json-tokens.js";

/** @typedef {import("../../../../functions/contract/resources.ts").Post} Post */
/** @typedef {import("../../../../functions/contract/resources.ts").SearchHit} SearchHit */
/** @typedef {import("../../../../functions/contract/resources.ts").SearchMetadata} SearchMetadata */
/** @typedef {import("../../../../functions/contract/resources.ts").TagCount} TagCount */
/** @typedef {{ metadata: SearchMetadata, tagCounts: TagCount[], results: SearchHit[] }} SearchResult */

/** Tags that are offered for narrowing a search. */
const tagsShown = 20;

/** @type {Readonly<Record<string, string>>} Words in the page's language. */
const words = JSON.parse(document.body.dataset["words"] ?? "{}");

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = element("button", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** The form of a call. @param {string} id @returns {HTMLFormElement} */
function formOf(id) {
  const form = document.querySelector(`form[data-operation="${id}"]`);
  if (!(form instanceof HTMLFormElement)) throw new Error(`no form ${id}`);
  return form;
}

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLInputElement} */
const field = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** The URL that a form requests: path parameters are filled in, empty ones left out. @param {HTMLFormElement} form */
function urlOf(form) {
  const query = new URLSearchParams();
  let path = form.dataset["path"] ?? "";
  for (const [name, value] of new FormData(form)) {
    const text = String(value);
    if (path.includes(`{${name}}`))
      path = path.replace(`{${name}}`, encodeURIComponent(text).replaceAll("'", "%27"));
    else if (text !== "" && text !== field(form, name).dataset["default"]) query.set(name, text);
  }
  return new URL(`${path}${query.size > 0 ? `?${query}` : ""}`, location.origin).href;
}

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLElement} */
function part(form, name) {
  const found = form.querySelector(`[data-part="${name}"]`);
  if (!(found instanceof HTMLElement)) throw new Error(`no part ${name}`);
  return found;
}

/** Shows JSON as coloured text; markup in it stays text. @param {HTMLElement} place @param {unknown} value */
function showJson(place, value) {
  place.replaceChildren(
    ...[...jsonTokens(value)].map(([kind, text]) => {
      if (kind === "plain") return document.createTextNode(text);
      const piece = element("span", text);
      piece.className = kind;
      return piece;
    }),
  );
}

/** Sends a form again with other values. @param {HTMLFormElement} form @param {Record<string, string>} values */
function resend(form, values) {
  for (const [name, value] of Object.entries(values)) field(form, name).value = value;
  form.requestSubmit();
}

/** @param {number} postId */
function readPost(postId) {
  const form = formOf("getPost");
  resend(form, { postId: String(postId) });
  form.scrollIntoView({ block: "start" });
  part(form, "status").focus({ preventScroll: true });
}

/** A list under a heading; nothing where it is empty. @param {string} title @param {readonly Node[]} entries @param {string} kind */
function list(title, entries, kind) {
  if (entries.length === 0) return [];
  const made = element("ul");
  made.className = kind;
  for (const entry of entries) {
    const item = element("li");
    item.append(entry);
    made.append(item);
  }
  return [element("h4", title), made];
}

/** @param {{ postId: number, postTitle: string }} post */
const postButton = ({ postId, postTitle }) => {
  const made = button("", () => readPost(postId));
  made.append(element("span", String(postId)), postTitle || words["untitled"] || "");
  return made;
};

/** Where a search leads: posts, pages, tags. @param {HTMLFormElement} form @param {SearchResult} result */
function leadsOfSearch(form, { metadata, tagCounts, results }) {
  const named = field(form, "tags").value.split(/\s+/u).filter(Boolean);
  const tags = tagCounts.slice(0, tagsShown).map(({ tagName, count }) => {
    const made = button(tagName, () =>
      resend(form, { tags: [...named, tagName].join(" "), page: "" }),
    );
    made.append(element("span", String(count)));
    // A name with white space cannot be asked for.
    made.disabled =
      /\s/u.test(tagName) || tagName === "" || named.includes(tagName.normalize("NFC"));
    return made;
  });
  const pages = [];
  if (metadata.page > 1)
    pages.push(
      button(words["previous"] ?? "", () => resend(form, { page: String(metadata.page - 1) })),
    );
  if (metadata.hasMore)
    pages.push(
      button(words["next"] ?? "", () => resend(form, { page: String(metadata.page + 1) })),
    );
  return [
    ...list(words["posts"] ?? "", results.map(postButton), "posts"),
    ...list(words["pages"] ?? "", pages, "pages"),
    ...list(words["tags"] ?? "", tags, "tags"),
  ];
}

/** Where a post leads: its neighbours and similar posts. @param {Post} post */
const leadsOfPost = ({ previousPost, nextPost, similarPosts }) => [
  ...list(
    words["neighbours"] ?? "",
    [previousPost, nextPost].flatMap((post) => (post === null ? [] : [postButton(post)])),
    "posts",
  ),
  ...list(words["similar"] ?? "", similarPosts.map(postButton), "posts"),
];

/** @type {Readonly<Record<string, (form: HTMLFormElement, body: any) => Node[]>>} */
const leads = { searchPosts: leadsOfSearch, getPost: (_, body) => leadsOfPost(body) };

/** Requests that were sent from a form; an answer that comes after the next request is dropped. */
const sent = new WeakMap();

/** @param {HTMLFormElement} form */
async function send(form) {
  const number = (sent.get(form) ?? 0) + 1;
  sent.set(form, number);
  const url = urlOf(form);
  const status = part(form, "status");
  part(form, "result").hidden = false;
  const link = part(form, "url");
  link.textContent = decodeURI(url);
  link.setAttribute("href", url);
  part(form, "curl").textContent = `curl '${url}'`;
  status.textContent = words["waiting"] ?? "";
  const start = performance.now();
  /** @type {string} */
  let outcome;
  let ok = false;
  /** @type {unknown} */
  let body;
  try {
    const response = await fetch(url);
    const text = await response.text();
    outcome = `${response.status} · ${Math.round(performance.now() - start)} ms`;
    ok = response.ok;
    body = JSON.parse(text);
  } catch (error) {
    outcome = `${words["failed"]}: ${error instanceof Error ? error.message : error}`;
  }
  if (sent.get(form) !== number) return;
  status.textContent = outcome;
  status.dataset["kind"] = ok ? "success" : "failure";
  part(form, "leads").replaceChildren(
    ...(ok ? (leads[form.dataset["operation"] ?? ""]?.(form, body) ?? []) : []),
  );
  showJson(part(form, "body"), body);
  part(form, "body").parentElement?.toggleAttribute("hidden", body === undefined);
}

for (const form of document.querySelectorAll("form[data-operation]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

for (const place of document.querySelectorAll("[data-copy]")) {
  const copy = button(words["copy"] ?? "", async () => {
    const text = place.querySelector("code")?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = words["copied"] ?? "";
    } catch {
      // Not allowed: the text is selected, so that a key press copies it.
      getSelection()?.selectAllChildren(place.querySelector("code") ?? place);
    }
    setTimeout(() => (copy.textContent = words["copy"] ?? ""), 2000);
  });
  copy.className = "copy";
  place.append(copy);
}

for (const link of document.querySelectorAll("a[data-language]"))
  link.addEventListener("click", () => {
    try {
      localStorage.setItem("language", link.getAttribute("data-language") ?? "");
    } catch {
      // Storage is blocked: the choice holds for this click.
    }
    if (link instanceof HTMLAnchorElement) link.hash = location.hash;
  });
