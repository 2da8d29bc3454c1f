/** Elements as plain values, which the build writes as HTML and the page's script shows: what `client/tree.js` makes. */

/** An element. */
export interface Tree {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly Content[];
}

/** What an element may hold; a string is text. */
export type Content = Tree | string | undefined | readonly Content[];

/** In whose words a part of the page is. */
export interface Words {
  /** The translation of the page's own words. */
  readonly t: (english: string) => string;
  /** Attributes of what users wrote: its language, where it is known. */
  readonly lang: Readonly<Record<string, string>>;
}
