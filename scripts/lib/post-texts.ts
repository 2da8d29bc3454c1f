/** Titles and texts of all posts, as they are searched and compared, in memory that threads share. */
import { separator } from "../../functions/engine/grams.ts";
import { normalize } from "../../functions/engine/normalize.ts";

/** A post, for search and comparison. */
export interface PostText {
  readonly postId: number;
  readonly title: string;
  /** Visible text of the body. */
  readonly text: string;
  readonly tags: readonly string[];
}

/** What a thread needs to read texts. */
export interface SharedTexts {
  /** UTF-16 units of normalised titles and texts, a separator after each. */
  readonly pieces: readonly Uint16Array[];
  /** Four numbers a post: its piece, and where its title and its text begin there and its text ends. */
  readonly spans: Uint32Array;
}

/**
 * Units of the first piece. Each further one has room for as much as all before it, up to the greatest
 * piece; a post that is longer has one of its own.
 */
const firstPiece = 2 ** 16;
/** From 32 MiB on, the system's allocator gives memory back as soon as it is free. */
const greatestPiece = 2 ** 24;

/** All posts, in the order in which they were added. */
export class PostTexts {
  readonly postIds: number[] = [];
  /** Tag names of each post. */
  readonly tags: (readonly string[])[] = [];
  /** UTF-16 units of all titles and texts. */
  units = 0;
  readonly #pieces: Uint16Array<SharedArrayBuffer>[] = [];
  readonly #spans: number[] = [];
  /** Units that are used of the last piece. */
  #used = 0;

  /** All posts of a list. */
  static of(posts: Iterable<PostText>): PostTexts {
    const texts = new PostTexts();
    for (const post of posts) texts.add(post);
    return texts;
  }

  /** Number of posts. */
  get count(): number {
    return this.postIds.length;
  }

  /** Adds a post. Its title and text are normalised here, once for the search and for similar posts. */
  add({ postId, title, text, tags }: PostText): void {
    const searchedTitle = normalize(title) + separator;
    const searchedText = normalize(text) + separator;
    const length = searchedTitle.length + searchedText.length;
    if (this.#used + length > (this.#pieces.at(-1)?.length ?? 0)) {
      const size = Math.max(length, Math.min(greatestPiece, Math.max(firstPiece, this.units)));
      this.#pieces.push(new Uint16Array(new SharedArrayBuffer(size * 2)));
      this.#used = 0;
    }
    const start = this.#used;
    this.#spans.push(this.#pieces.length - 1, start, start + searchedTitle.length, start + length);
    const piece = Buffer.from(this.#pieces.at(-1)!.buffer);
    // The machine's own byte order is the encoding's, as everywhere in the index.
    piece.write(searchedTitle, start * 2, "utf16le");
    piece.write(searchedText, (start + searchedTitle.length) * 2, "utf16le");
    this.postIds.push(postId);
    this.tags.push(tags);
    this.#used += length;
    this.units += length;
  }

  /** Forgets all titles and texts, which take most of the memory of a build. */
  clear(): void {
    this.#pieces.length = 0;
  }

  /** Forgets the texts of posts that were added before one: those in pieces of memory that hold none of the others. */
  clearBefore(post: number): void {
    const first = this.#spans[4 * post] ?? this.#pieces.length;
    this.#pieces.fill(new Uint16Array(new SharedArrayBuffer(0)), 0, first);
  }

  /** What was added so far. */
  shared(): SharedTexts {
    return { pieces: [...this.#pieces], spans: Uint32Array.from(this.#spans) };
  }
}

/** Where a post's title and text are, with a separator after each. */
export interface TextSpan {
  readonly units: Uint16Array;
  readonly title: number;
  readonly text: number;
  readonly end: number;
}

/**
 * The span of a post.
 *
 * @param post its position among all
 */
export const spanAt = ({ pieces, spans }: SharedTexts, post: number): TextSpan => ({
  units: pieces[spans[4 * post]!]!,
  title: spans[4 * post + 1]!,
  text: spans[4 * post + 2]!,
  end: spans[4 * post + 3]!,
});
