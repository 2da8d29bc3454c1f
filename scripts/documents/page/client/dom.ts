/** Elements of the page in the browser, and its words. */
import { h, type Content, type I18n, type VirtualElement } from "./h.ts";

const { words: json = "{}", postsLanguage: lang = "" } = document.body.dataset;
const words = JSON.parse(json) as Readonly<Record<string, string>>;

/** The words of the page, in its language. */
export const i18n: I18n = {
  t: (english) => words[english] ?? english,
  userText: { dir: "auto", ...(lang === "" ? {} : { lang }) },
};
const { t } = i18n;

/** Makes nodes of content. */
export const render = (...content: readonly Content[]): (Node | string)[] =>
  content.flatMap((one) => {
    if (one === undefined || one === false) return [];
    if (typeof one === "string") return [one];
    if ("name" in one) return [renderElement(one)];
    return one.flatMap((each) => render(each));
  });

function renderElement({ name, attributes, children }: VirtualElement): Element {
  const namespace = `http://www.w3.org/${/^(?:svg|rect)$/.test(name) ? "2000/svg" : "1999/xhtml"}`;
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  fill(made, children);
  if (made instanceof HTMLTimeElement) showLocalDate(made);
  return made;
}

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** A date where the reader is: 2024-05-31. */
export const formatLocalDate = (at: Date): string =>
  `${String(at.getFullYear()).padStart(4, "0")}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;

/** Has a moment say its date where the reader is, and its time of day where that is asked for. A date without a time stays. */
export function showLocalDate(time: HTMLTimeElement): void {
  if (!time.dateTime.includes("T")) return;
  const at = new Date(time.dateTime);
  const timeOfDay = time.dataset["moment"] === undefined ? "" : ` ${at.toTimeString().slice(0, 5)}`;
  time.textContent = formatLocalDate(at) + timeOfDay;
}

/**
 * Finds an element that the build wrote.
 *
 * @throws Error where it is not there
 */
export function part(selector: string): HTMLElement {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`no ${selector}`);
  return found;
}

/** Replaces the children of an element. */
export function fill(element: Element, content: Content): void {
  element.replaceChildren();
  // One by one: the JSON of a post with thousands of comments is more than a call takes.
  for (const node of render(content)) element.append(node);
}

/** Makes a button. */
export function button(text: string, act: () => unknown): Element {
  const made = renderElement(h("button", { type: "button", class: "copy" }, text));
  made.addEventListener("click", act);
  return made;
}

/** Adds a button to each line that is worth copying. */
export function addCopyButtons(place: ParentNode): void {
  for (const block of place.querySelectorAll("[data-copy]")) {
    const code = block.querySelector("code") ?? block;
    const copy = button(t("Copy"), async () => {
      try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        copy.textContent = t("Copied");
      } catch {
        // Not allowed: the text is selected, so that a key press copies it.
        getSelection()?.selectAllChildren(code);
      }
      setTimeout(() => (copy.textContent = t("Copy")), 2000);
    });
    block.append(copy);
  }
}

/** Shows how a program asks for what is shown: the call, for curl, and its answer, which is read once it is unfolded. */
export function showCall(place: Element, path: string): void {
  const shown = decodeURI(path);
  const curl = `curl '${location.origin}${path.replaceAll("'", "%27")}'`;
  const call = h(
    "details",
    { class: "call" },
    h("summary", {}, h("span", { class: "method" }, "GET"), " ", shown),
    h("p", {}, h("a", { href: path }, location.origin + shown)),
    h("div", { class: "line", "data-copy": "" }, h("code", { tabindex: "0" }, curl)),
    h("pre", { tabindex: "0", role: "group", "aria-label": t("Response") }, h("code", {})),
  );
  fill(place, call);
  addCopyButtons(place);
}
