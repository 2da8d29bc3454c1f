/** Bytes → lines of text, in constant memory. */
import { isUtf8 } from "node:buffer";
import { Failure } from "../cli/command.ts";
import { formatted } from "../lib/format-number.ts";
import type { Input } from "./input.ts";

/** Bytes of a line at most. No post is as long, and a line must fit into memory. */
const mostBytes = 64_000_000;

/** A line that is not blank. */
interface Line {
  /** The first line is 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a text in UTF-8, without blank ones.
 *
 * @throws Failure where a line is too long, or not UTF-8
 */
export async function* linesOf({ name, bytes }: Input): AsyncGenerator<Line> {
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
        `${name} line ${formatted(number)} is not UTF-8. Characters would be lost: write the file as UTF-8.`,
      );
    // White space includes the byte order mark.
    return line.toString().trim();
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      const text = textOf(chunk.subarray(from, to));
      if (text !== "") yield { number, text };
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > mostBytes)
      throw new Failure(
        `${name} line ${formatted(number + 1)} is longer than ${formatted(mostBytes)} bytes. Each post must be on a line of its own.`,
      );
  }
  const text = textOf(Buffer.alloc(0));
  if (text !== "") yield { number, text };
}
