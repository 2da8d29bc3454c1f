/** What the documentation and every view share: buttons to copy, answers as JSON, values of bars, links between languages. */
import { AnswerError, answerAt, button, frame, nodesOf } from "./dom.js";
import { jsonTree } from "./json-tokens.js";

const { t } = frame;

/** Adds a button to each line that is worth copying. @param {ParentNode} place */
export function addCopyButtons(place) {
  for (const block of place.querySelectorAll("[data-copy]")) {
    const code = block.querySelector("code") ?? block;
    const copy = button(t("Copy"), async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
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

/** Shows the answer of a call that was unfolded. @param {Element} details */
async function showAnswer(details) {
  const place = details.querySelector("pre code");
  const path = details.querySelector("a")?.getAttribute("href");
  if (!(place instanceof HTMLElement) || place.dataset["answered"] === "" || !path) return;
  try {
    const nodes = nodesOf(jsonTree(await answerAt(path)));
    // Unfolded twice while it loads, two answers arrive.
    place.textContent = "";
    for (const node of nodes) place.append(node);
    place.dataset["answered"] = "";
  } catch (error) {
    if (place.dataset["answered"] === "") return;
    if (error instanceof AnswerError) place.textContent = error.message;
    else throw error;
  }
}

/** Shows the value of a bar below its chart; a finger's first tap does, its second one follows the bar. @param {Event & { pointerType?: string, detail?: number }} event */
function showValue(event) {
  const { target, type, pointerType, detail } = event;
  const bar = target instanceof Element ? target.closest(".chart-time a") : null;
  const value = bar?.closest("figure")?.querySelector("output");
  if (!bar || !value || value.textContent === bar.ariaLabel) return;
  // Before its click, a tap is hover and focus, too.
  if (type === "pointerover" && pointerType === "touch") return;
  if (type === "focusin" && !bar.matches(":focus-visible")) return;
  // Of a key, the detail is 0: it follows the bar that has the focus.
  if (type === "click" && detail !== 0) event.preventDefault();
  value.textContent = bar.ariaLabel;
}

/** Has the links between languages keep what the page shows. */
export function keepLanguageLinks() {
  for (const link of document.querySelectorAll("a[data-language]")) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    link.search = location.search;
    link.hash = location.hash;
  }
}

/** Keeps the choice of a language, and the place on the page, for the page that follows. @param {HTMLElement} link */
function chooseLanguage(link) {
  try {
    localStorage.setItem("language", link.dataset["language"] ?? "");
    sessionStorage.setItem("place", JSON.stringify([location.search, history.state, scrollY]));
  } catch {
    // Storage is blocked: then no page leads to another by itself.
  }
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof Element && target.matches(".call[open]")) void showAnswer(target);
  },
  true,
);
for (const event of ["pointerover", "focusin", "click"])
  document.addEventListener(event, showValue);
addEventListener("hashchange", keepLanguageLinks);
for (const link of document.querySelectorAll("a[data-language]"))
  // The middle button opens a tab; the right one may only copy the link.
  for (const event of ["click", "auxclick"])
    link.addEventListener(event, (one) => {
      if (/** @type {MouseEvent} */ (one).button < 2)
        chooseLanguage(/** @type {HTMLElement} */ (link));
    });
// On a wide screen there is room for the contents.
if (matchMedia("(min-width: 62rem)").matches)
  document.querySelector(".contents details")?.setAttribute("open", "");
addCopyButtons(document);
