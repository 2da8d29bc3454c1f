/** What both pages have in use: buttons to copy, answers of calls, values of bars, links between languages. */
import { renderJson } from "./json-tokens.ts";
import { addCopyButtons, fill, showLocalDate } from "./dom.ts";
import { fetchJson, RequestError } from "./fetch-json.ts";

/** Shows the answer of a call that was unfolded. */
async function showAnswer(details: Element): Promise<void> {
  const place = details.querySelector<HTMLElement>("pre code");
  const path = details.querySelector("a")?.getAttribute("href");
  if (place === null || place.dataset["answered"] !== undefined || !path) return;
  try {
    fill(place, renderJson(await fetchJson(path)));
    place.dataset["answered"] = "";
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (place.dataset["answered"] === undefined) place.textContent = error.message;
  }
}

/** Shows the value of a bar below its chart; a finger's first tap does, its second one follows the bar. */
function showValue(event: Event): void {
  const { target, type } = event;
  const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
  const bar = target instanceof Element ? target.closest(".chart-time a") : null;
  const value = bar?.closest("figure")?.querySelector("output");
  if (!bar || !value || value.textContent === bar.ariaLabel) return;
  // Before its click, a tap is hover and focus, too.
  if (type === "pointerover" && isTouch) return;
  if (type === "focusin" && !bar.matches(":focus-visible")) return;
  // Of a key, the detail is 0: it follows the bar that has the focus.
  if (event instanceof UIEvent && type === "click" && event.detail !== 0) event.preventDefault();
  value.textContent = bar.ariaLabel;
}

/** Has the links between languages keep what the page shows, and remembers which one was chosen. */
function keepLanguage(event: Event): void {
  const link = event.currentTarget;
  if (!(link instanceof HTMLAnchorElement)) return;
  link.search = location.search;
  link.hash = location.hash;
  try {
    localStorage.setItem("language", link.hreflang);
  } catch {
    // Storage is blocked: then no page leads to another by itself.
  }
}

document.documentElement.dataset["runs"] = "";
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof Element && target.matches(".call[open]")) void showAnswer(target);
  },
  true,
);
for (const type of ["pointerover", "focusin", "click"]) document.addEventListener(type, showValue);
for (const link of document.querySelectorAll("a[hreflang]"))
  // Before a click, a new tab and the menu of a link.
  for (const type of ["pointerdown", "focus", "click"]) link.addEventListener(type, keepLanguage);
for (const time of document.querySelectorAll("time")) showLocalDate(time);
addCopyButtons(document);
// On a wide screen there is room for the contents of the documentation.
if (matchMedia("(min-width: 62rem)").matches)
  document.querySelector(".contents details")?.setAttribute("open", "");
