/** JSON Lines as a source: a post a line, in the API's own names, as the API's own file for bulk download has them. */
import { Failure } from "../cli/command.ts";
import { formatted } from "../lib/format-number.ts";
import { collectInLoop } from "../lib/collect-garbage.ts";
import { assertKind, InputReader } from "./input.ts";
import { linesOf } from "./lines.ts";
import { RecordRows, type Fields } from "./records.ts";
import type { PullTools, Source } from "./source.ts";

/** The object on a line. The message shows nothing of the line: it may hold more than what is published. */
function objectOn(text: string, place: string): Fields {
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
  return value as Fields;
}

/**
 * The source.
 *
 * @param places files, URLs, or "-" for standard input, plain or compressed by gzip
 */
export function jsonlSource(places: readonly string[], tools: PullTools): Source {
  return {
    name: "JSON Lines",
    async gather(file) {
      const reader = new InputReader(tools);
      const rows = new RecordRows(file, tools.say);
      const step = tools.progress.step("posts", "posts", undefined);
      let posts = 0;
      for (const place of places)
        await reader.read(place, async (input) => {
          assertKind(input, ["JSON Lines"]);
          for await (const { number, text } of linesOf(input)) {
            const line = `line ${formatted(number)}`;
            rows.addPost(objectOn(text, `${input.name} ${line}`), input.name, line);
            step.update(++posts);
            collectInLoop(posts);
            if (rows.isHopeless) return;
          }
        });
      step.done();
      return [...rows.finish(), ...reader.traffic()];
    },
  };
}
