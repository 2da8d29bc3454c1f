/** What every source of a pull gives: the interface for another kind of site. */
import type { Readable } from "node:stream";
import type { Progress } from "../cli/progress.ts";
import type { Collect } from "./canonical-file.ts";
import type { ClientEdges } from "./rate-limited-client.ts";

/** What a source works with. */
export interface PullTools extends ClientEdges {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly progress: Progress;
  /** Opens standard input. */
  readonly stdin: () => Readable;
}

/** A site to read. */
export interface Source {
  /** Its name, for messages. */
  readonly name: string;
  /**
   * Adds every post with what belongs to it: posts first, then rows that refer to posts that were added.
   *
   * @throws Failure with a sentence that says what to do
   */
  readonly collect: Collect;
}
