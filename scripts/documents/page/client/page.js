/** The documentation page's forms: each call with its URL, its curl command, and its response as a view and as JSON. */
import { jsonTokens } from "./json-tokens.js";
import { button, element, viewOfPost, viewOfSearch, words } from "./views.js";

/** Milliseconds without a key before what was typed is asked for. */
const typingPause = 300;

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

/** JSON as coloured text; markup in it stays text. @param {unknown} value @returns {Node[]} */
const colouredJson = (value) =>
  [...jsonTokens(value)].map(([kind, text]) => {
    if (kind === "plain") return document.createTextNode(text);
    const piece = element("span", text);
    piece.className = kind;
    return piece;
  });

/** Sends a form with other values, and leads to its answer. @param {HTMLFormElement} form @param {Record<string, string>} values */
function send(form, values) {
  for (const [name, value] of Object.entries(values)) field(form, name).value = value;
  form.requestSubmit();
  form.scrollIntoView({ block: "start" });
  part(form, "status").focus({ preventScroll: true });
}

/** What the buttons of a view do. @type {import("./views.js").Actions} */
const actions = {
  readPost: (postId) => send(formOf("getPost"), { postId: String(postId) }),
  ask: (values) => send(formOf("searchPosts"), values),
};

/** What is shown of an answer besides its JSON. @type {Readonly<Record<string, (form: HTMLFormElement, body: any) => Node[]>>} */
const views = {
  searchPosts: (form, body) =>
    viewOfSearch(body, field(form, "tags").value.split(/\s+/u).filter(Boolean), actions),
  getPost: (_, body) => viewOfPost(body, actions),
};

/** Shows the view of an answer or its JSON, as the switch says; without a view, whatever there is. @param {HTMLFormElement} form */
function show(form) {
  const toggle = part(form, "switch");
  const asJson = toggle.getAttribute("aria-pressed") === "true";
  const json = part(form, "body");
  const isJsonHidden = toggle.hidden ? json.textContent === "" : !asJson;
  json.parentElement?.toggleAttribute("hidden", isJsonHidden);
  part(form, "leads").hidden = !toggle.hidden && asJson;
}

/** The query of the page's URL, "?" for a search of everything; undefined where it asks for no search. */
const sharedQuery = () => /^[^?#]*(\?[^#]*)/.exec(location.href)?.[1];

/** The query that the page's search shows. @type {string | undefined} */
let shownQuery;

/** Puts what a search asks for into the URL of the page, so that it can be shared. @param {HTMLFormElement} form @param {"pushState" | "replaceState"} how */
function share(form, how) {
  const { search } = new URL(urlOf(form));
  const url = `${location.pathname}${search || "?"}#${form.dataset["operation"]}-try`;
  if (!location.href.endsWith(url)) history[how](null, "", url);
  shownQuery = sharedQuery();
}

/** Requests that were sent from a form; an answer that comes after the next request is dropped. @type {WeakMap<HTMLFormElement, number>} */
const sent = new WeakMap();

/** Drops the answers that are still to come. @param {HTMLFormElement} form @returns {number} of the next request */
function outdate(form) {
  const number = (sent.get(form) ?? 0) + 1;
  sent.set(form, number);
  return number;
}

/** @param {HTMLFormElement} form */
async function request(form) {
  const number = outdate(form);
  const url = urlOf(form);
  const status = part(form, "status");
  part(form, "result").hidden = false;
  const link = part(form, "url");
  link.textContent = decodeURI(url);
  link.setAttribute("href", url);
  part(form, "curl").textContent = `curl '${url}'`;
  status.textContent = words["waiting"] ?? "";
  delete status.dataset["kind"];
  const start = performance.now();
  /** @type {string} */
  let outcome;
  let ok = false;
  // A second try would give the same answer, such as 404 or 400, so none is offered.
  let isRefused = false;
  /** @type {unknown} */
  let body;
  try {
    const response = await fetch(url);
    const text = await response.text();
    outcome = `${response.status} · ${Math.round(performance.now() - start)} ms`;
    ok = response.ok;
    isRefused = response.status >= 400 && response.status < 500;
    body = JSON.parse(text);
  } catch (error) {
    ok = false;
    outcome = `${words["failed"]}: ${error instanceof Error ? error.message : error}`;
  }
  if (sent.get(form) !== number) return;
  status.textContent = outcome;
  status.dataset["kind"] = ok ? "success" : "failure";
  const view = ok ? views[form.dataset["operation"] ?? ""]?.(form, body) : undefined;
  const again = button(words["again"] ?? "", () => form.requestSubmit());
  part(form, "leads").replaceChildren(...(view ?? (ok || isRefused ? [] : [again])));
  part(form, "body").replaceChildren(...(body === undefined ? [] : colouredJson(body)));
  part(form, "switch").hidden = view === undefined;
  show(form);
}

for (const form of document.querySelectorAll("form[data-operation]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.hidden = false;
  const toggle = part(form, "switch");
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-pressed", String(toggle.getAttribute("aria-pressed") !== "true"));
    show(form);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.dataset["operation"] === "searchPosts") share(form, "pushState");
    void request(form);
  });
}

{
  const form = formOf("searchPosts");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  form.addEventListener("input", (event) => {
    const { name } = /** @type {HTMLInputElement} */ (event.target);
    if (/** @type {InputEvent} */ (event).isComposing) return;
    if (name !== "page") field(form, "page").value = "";
    clearTimeout(timer);
    timer = setTimeout(() => {
      share(form, "replaceState");
      void request(form);
    }, typingPause);
  });
  form.addEventListener("submit", () => clearTimeout(timer));

  /** Asks what the page's own URL asks, where it asks something else than what is shown. */
  const askAsShared = () => {
    const query = sharedQuery();
    // A link inside the page changes the fragment alone.
    if (query === shownQuery) return;
    shownQuery = query;
    clearTimeout(timer);
    const shared = new URLSearchParams(query);
    const inputs = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(
      ({ name }) => name,
    );
    if (query === "?" || inputs.some(({ name }) => shared.has(name))) {
      for (const input of inputs)
        input.value = shared.get(input.name) ?? input.dataset["default"] ?? "";
      void request(form);
    } else {
      outdate(form);
      form.reset();
      part(form, "result").hidden = true;
    }
  };
  addEventListener("popstate", askAsShared);
  askAsShared();
}

for (const block of document.querySelectorAll("[data-copy]")) {
  const copy = button(words["copy"] ?? "", async () => {
    const text = block.querySelector("code")?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = words["copied"] ?? "";
    } catch {
      // Not allowed: the text is selected, so that a key press copies it.
      getSelection()?.selectAllChildren(block.querySelector("code") ?? block);
    }
    setTimeout(() => (copy.textContent = words["copy"] ?? ""), 2000);
  });
  copy.className = "copy";
  block.append(copy);
}

for (const link of document.querySelectorAll("a[data-language]")) {
  if (!(link instanceof HTMLAnchorElement)) continue;
  // Before any way of following it: a click, a new tab, a copy of the link.
  for (const event of ["pointerdown", "focus", "click"])
    link.addEventListener(event, () => {
      link.search = location.search;
      link.hash = location.hash;
    });
  link.addEventListener("click", () => {
    try {
      localStorage.setItem("language", link.getAttribute("data-language") ?? "");
    } catch {
      // Storage is blocked: the choice holds for this click.
    }
  });
}
