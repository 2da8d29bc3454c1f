/** How the parameter `tags` gives a tag: as functions/search/normalise.ts compares names. */

/** More marks in a row than any language has: to sort them takes quadratic time. */
const longRunOfMarks = /[\p{M}\uFF9E\uFF9F]{31}/u;

/** Whether a text holds a run of marks that is not normalised. @param {string} text */
export const hasLongRun = (text) => longRunOfMarks.test(text);

/** Names are separated by white space, so white space within one is `_`. Only the empty name cannot be given. @param {string} tagName */
export const tagParameter = (tagName) =>
  (hasLongRun(tagName) ? tagName : tagName.normalize("NFC")).replace(/\s+/gu, "_");
