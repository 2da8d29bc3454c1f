/** Elements as plain values: the build writes them as HTML, the browser renders them. Text stays text. */

/** An element. */
export interface VirtualElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Content[];
}

/** What an element may hold: a string is text; false, as undefined, is nothing. */
export type Content = VirtualElement | string | false | undefined | readonly Content[];

/** The words of a page. */
export interface I18n {
  /** The translation of the page's own words. */
  readonly t: (english: string) => string;
  /** Attributes of what users wrote: its direction, and its language where it is known. */
  readonly userText: Readonly<Record<string, string>>;
}

/** Makes an element. */
export const h = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Content[]
): VirtualElement => ({ name, attributes, children });

/** A number for people: 12,345. Made once: `toLocaleString` makes its rules at every call. */
export const formatNumber = new Intl.NumberFormat("en-US").format;
