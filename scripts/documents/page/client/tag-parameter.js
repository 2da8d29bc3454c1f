/** How the parameter `tags` gives a tag. */

/** Names are separated by white space, so white space within one is `_`. Only the empty name cannot be given. @param {string} tagName */
export const tagParameter = (tagName) => tagName.replace(/\s+/gu, "_");
