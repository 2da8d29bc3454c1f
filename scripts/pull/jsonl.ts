/** JSON Lines as a source: a post a line, in the API's own names, as the API's own file for bulk download has them. */
import { isUtf8 } from "node:buffer";
import { Failure } from "../cli/command.ts";
import { formatNumber, escapeControlChars } from "../lib/text.ts";
import { collectGarbageInLoop } from "../lib/collect-garbage.ts";
import { assertKind, InputReader, type Input } from "./input.ts";
import { LineBreaks } from "./line-breaks.ts";
import { bodyText, fieldOf, RecordRows, type Fields } from "./records.ts";
import type { PullTools, Source } from "./source.ts";

/** Bytes of a line at most. No post is as long, and a line must fit into memory. */
const maxLineBytes = 64_000_000;

/**
 * The lines of a text in UTF-8 with their numbers, without blank ones.
 *
 * @throws Failure where one is too long, or not UTF-8
 */
async function* readLines({
  name,
  bytes,
}: Input): AsyncGenerator<readonly [number: number, text: string]> {
  let number = 0;
  let parts: Buffer[] = [];
  let size = 0;
  const textOf = (last: Buffer): string => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    size = 0;
    number++;
    if (!isUtf8(line))
      throw new Failure(
        `${name} line ${formatNumber(number)} is not UTF-8. Characters would be lost: write the file as UTF-8.`,
      );
    // White space includes the byte order mark.
    return line.toString().trim();
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      const text = textOf(chunk.subarray(from, to));
      if (text !== "") yield [number, text];
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxLineBytes)
      throw new Failure(
        `${name} line ${formatNumber(number + 1)} is longer than ${formatNumber(maxLineBytes)} bytes. Each post must be on a line of its own.`,
      );
  }
  const text = textOf(Buffer.alloc(0));
  if (text !== "") yield [number, text];
}

/** Whether a value is a list of objects, such as posts. */
const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === "object" && value[0] !== null;

/** The object on a line. The message shows nothing of the line: it may hold more than what is published. */
function parsePost(text: string, place: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure(
      `${place} is not JSON, or is cut off. Each line must hold one post as a JSON object, such as {"postId":1,"postTitle":"…","postContentHtml":"<p>…</p>","postDateGmt":"2024-05-31T09:00:00Z"}.`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Failure(`${place} is JSON, but no object. Each line must hold one post, {…}.`);
  const post = value as Fields;
  // A post has texts beside its lists, whatever they are called.
  const hasText = Object.values(post).some((one) => typeof one === "string");
  const list = Object.keys(post).find((name) => isListOfObjects(post[name]));
  if (list !== undefined && !hasText)
    throw new Failure(
      `${place} is no post, but holds a list, ${escapeControlChars(list)}. Write each of its items on a line of its own: docs/your-data.md has a recipe for a JSON array.`,
    );
  return post;
}

/** Notes the line breaks of a post and its comments. */
function noteBreaks(post: Fields, breaks: LineBreaks): void {
  for (const field of ["postTitle", "postContentHtml", bodyText]) breaks.add(post[field]);
  const { comments } = post;
  if (Array.isArray(comments))
    for (const comment of comments as (Fields | null)[]) breaks.add(comment?.["commentContent"]);
}

/**
 * The source.
 *
 * @param places files, URLs, or "-" for standard input, plain or compressed by gzip
 */
export function jsonlSource(places: readonly string[], tools: PullTools): Source {
  return {
    name: "JSON Lines",
    async collect(file) {
      const reader = new InputReader(tools);
      const rows = new RecordRows(file, tools.say);
      const step = tools.progress.step("posts", "posts", undefined);
      let posts = 0;
      for (const place of places)
        await reader.read(place, async (input) => {
          assertKind(input, ["JSON Lines"]);
          const breaks = new LineBreaks();
          for await (const [number, text] of readLines(input)) {
            const place = {
              name: input.name,
              key: `line ${formatNumber(number)}`,
              nameOf: fieldOf,
            };
            const record = parsePost(text, `${place.name} ${place.key}`);
            noteBreaks(record, breaks);
            rows.addPost(record, place);
            step.update(++posts);
            collectGarbageInLoop(posts);
            if (rows.isHopeless) return;
          }
          const warning = breaks.warning(input.name);
          if (warning !== undefined) tools.say(warning);
        });
      step.done();
      return [...rows.finish(), ...reader.traffic()];
    },
  };
}
