/** The one form in which titles, texts and keywords are compared. */

/**
 * Folds a text so that forms that read alike compare alike: NUL characters removed, Unicode NFKC
 * (full-width and half-width forms unified), lower case, every run of white space one space.
 *
 * Both sides of a comparison must go through here: the build normalises posts, the function keywords.
 */
export const normalise = (text: string): string =>
  text.replaceAll("\0", "").normalize("NFKC").toLowerCase().replace(/\s+/gu, " ");

/** The needle that a keyword stands for: normalised, without white space around it. Empty matches every post. */
export const needleOf = (keyword: string): string => normalise(keyword).trim();

/** The form in which tag names are compared: Unicode NFC, nothing else. */
export const tagKey = (tagName: string): string => tagName.normalize("NFC");
