/** A post's text is put into the page in parts, as far as a browser lays them out in time. */
import { nodesOf } from "./dom.js";
import { separating } from "./snippets.js";
import { tree } from "./tree.js";

/**
 * Milliseconds that a browser may take to lay out a post, and what it gets at first: units of text, where an element
 * counts as many. Browsers take quadratic time for more than is known here: of a post that takes longer, what is left is
 * shown without elements.
 */
const [layoutTime, firstPart, unitsOfElement] = [1500, 4000, 50];

/** What is shown of a control: whether an item of a list is done. Browsers draw a gap after it. @param {HTMLInputElement} input */
export const signOfBox = ({ type, checked }) =>
  type === "checkbox" ? (checked ? "☑ " : "☐ ") : "";

/** A node and all that follow it as text, each block on a line of its own. @param {TreeWalker} nodes at the node */
export function restAsText(nodes) {
  let text = "";
  /** @type {Node | null} */
  let node = nodes.currentNode;
  for (; node !== null; node = nodes.nextNode())
    if (!(node instanceof Element)) text += node.nodeValue;
    else if (node.matches(separating)) text += "\n";
    else if (node instanceof HTMLImageElement) text += node.alt;
    else if (node instanceof HTMLInputElement) text += signOfBox(node);
  return nodesOf(tree("div", { class: "written" }, text));
}

/**
 * Fills an element with copies of what is in another one.
 *
 * @param {HTMLElement} shown is in a document, which has its styles
 * @param {HTMLElement} text is in none
 */
export function fillInTime(shown, text) {
  shown.replaceChildren();
  // What is around it, such as comments, takes none of its time.
  void shown.scrollHeight;
  /** The copy of each element. @type {Map<Node | null, Node>} */
  const copies = new Map([[text, shown]]);
  /** @type {HTMLDetailsElement[]} */
  const closed = [];
  const nodes = document.createTreeWalker(text, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let [given, time, size, next] = [0, 0, firstPart, firstPart];
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (time > layoutTime) {
      shown.append(...restAsText(nodes));
      break;
    }
    const copy = node.cloneNode(false);
    // Closed, it would be laid out when a reader opens it.
    if (copy instanceof HTMLDetailsElement && !copy.open) {
      copy.open = true;
      closed.push(copy);
    }
    copies.get(node.parentNode)?.appendChild(copy);
    copies.set(node, copy);
    given += node instanceof Text ? node.length : unitsOfElement;
    if (given < next) continue;
    const start = performance.now();
    // To be known, it has to be laid out.
    void shown.scrollHeight;
    const taken = performance.now() - start;
    time += taken;
    // Twice as much may take four times as long.
    if (taken * 4 < layoutTime - time) size *= 2;
    next = given + size;
  }
  for (const one of closed) one.open = false;
}
