/** Looks whether line breaks of a source's texts became \n as two characters, as some programs of databases print them. */
import { counted } from "../lib/format-number.ts";

/** What the texts of a source have. */
export class LineBreaks {
  /** Whether a text has a line break. */
  #hasAny = false;
  /** Texts with \n as two characters. */
  #escaped = 0;

  /** @param text of a post or a comment; what is no text counts for nothing */
  add(text: unknown): void {
    if (typeof text !== "string") return;
    if (text.includes("\n")) this.#hasAny = true;
    else if (text.includes(String.raw`\n`)) this.#escaped++;
  }

  /** What a publisher should know, in sentences; undefined for nothing. @param name of the file */
  warning(name: string): string | undefined {
    return this.#hasAny || this.#escaped === 0
      ? undefined
      : `warning: ${name}: ${counted(this.#escaped, "texts")} with \\n as two characters, and none with a line break: PostgreSQL's \\copy, and mysql without --raw, print line breaks in this way. They are taken as they stand; docs/your-data.md has recipes.`;
  }
}
