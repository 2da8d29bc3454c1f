/** Elements as plain values: the build writes them as HTML, the page's script makes elements of them. Text stays text. */

/** @typedef {import("../tree.ts").Tree} Tree */
/** @typedef {import("../tree.ts").Content} Content */

/**
 * An element.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} attributes
 * @param {...Content} content
 * @returns {Tree}
 */
export const tree = (name, attributes, ...content) => ({ name, attributes, content });

/** A number for people: 12,345. Made once: `toLocaleString` makes its rules at every call. */
export const formatted = new Intl.NumberFormat("en-US").format;
