/** Looks whether line breaks of a source's texts became \n as two characters, or got a backslash, as databases print them. */
import { pluralize } from "../lib/text.ts";

/** What the texts of a source have. */
export class LineBreaks {
  /** Whether a text has a line break as it is. */
  #hasPlain = false;
  /** Texts with others. */
  #escaped = 0;

  /**
   * @param text of a post or a comment; what is no text counts for nothing
   */
  add(text: unknown): void {
    if (typeof text !== "string") return;
    if (/(?<!\\\r?)\n/.test(text)) this.#hasPlain = true;
    else if (/\\(?:n|\r?\n)/.test(text)) this.#escaped++;
  }

  /**
   * What a publisher should know, in sentences; undefined for nothing.
   *
   * @param name of the file
   */
  warning(name: string): string | undefined {
    return this.#hasPlain || this.#escaped === 0
      ? undefined
      : `warning: ${name}: ${pluralize(this.#escaped, "texts")} with \\n as two characters, or a backslash before a line break, and none with a line break alone: PostgreSQL's \\copy, mysql without --raw, and INTO OUTFILE write line breaks in this way. They are taken as they stand; docs/your-data.md has recipes.`;
  }
}
