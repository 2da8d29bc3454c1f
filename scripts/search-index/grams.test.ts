import { Index } from "flexsearch";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  frequentFrom,
  indexOptions,
  layout,
  separator,
} from "../../functions/search/index-format.ts";
import { gramPostings, type Texts } from "./grams.ts";

function textsOf(posts: readonly string[]): Texts {
  const offsets = new Uint32Array(posts.length + 1);
  for (const [i, post] of posts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + post.length;
  const joined = posts.join("");
  const units = Uint16Array.from({ length: joined.length }, (_, i) => joined.charCodeAt(i));
  return { units, offsets };
}

/** Every substring of `width` units that does not cross a separator. */
const grams = (post: string, width: number): string[] =>
  post
    .split(separator)
    .flatMap((part) =>
      Array.from({ length: Math.max(0, part.length - width + 1) }, (_, i) =>
        part.slice(i, i + width),
      ),
    );

const post = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(..."あいう𠮷a "), maxLength: 4 }),
    fc.string({ unit: fc.constantFrom(..."あいう😀ab "), maxLength: 12 }),
  )
  .map(([title, text]) => title + separator + text + separator);

test("grams of one and two units are what FlexSearch's own add() makes of the same texts", () => {
  fc.assert(
    fc.property(fc.array(post, { minLength: 1, maxLength: 30 }), (posts) => {
      const index = new Index({
        ...indexOptions,
        encode: (text: string) => [...new Set([...grams(text, 1), ...grams(text, 2)])],
      });
      for (const [id, text] of posts.entries()) index.add(id, text);
      let exported: [string, [number[]]][] = [];
      index.export((key, json) => {
        if (key.endsWith("map")) exported = JSON.parse(json) as typeof exported;
      });
      const short = [...gramPostings(textsOf(posts))]
        .filter(([gram]) => gram.length <= 2)
        .map(([gram, ids]) => [gram, [Array.from(ids)]]);
      expect(new Map(short as never)).toEqual(new Map(exported));
    }),
  );
});

test("a longer gram is there exactly when both of its parts are frequent", () => {
  // Long runs of few characters, in more posts than the least number that counts as frequent.
  const long = fc.string({ unit: fc.constantFrom(..."あいうえ"), minLength: 4, maxLength: 10 });
  fc.assert(
    fc.property(fc.array(long, { minLength: 80, maxLength: 160 }), (posts) => {
      const frequent = frequentFrom(posts.length);
      const having = (gram: string): number[] =>
        [...posts.keys()].filter((i) => posts[i]?.includes(gram));
      const expected = new Map<string, number[]>();
      for (let width = 1; width <= layout.longestGram; width++)
        for (const gram of new Set(posts.flatMap((text) => grams(text, width))))
          if (
            width <= 2 ||
            (expected.has(gram.slice(1)) &&
              having(gram.slice(1)).length >= frequent &&
              expected.has(gram.slice(0, -1)) &&
              having(gram.slice(0, -1)).length >= frequent)
          )
            expected.set(gram, having(gram));
      const found = [...gramPostings(textsOf(posts.map((text) => text + separator)))];
      expect(new Map(found.map(([gram, ids]) => [gram, Array.from(ids)]))).toEqual(expected);
      expect(found.map(([gram]) => gram)).toEqual(
        [...expected.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
      );
    }),
    { numRuns: 20 },
  );
});
