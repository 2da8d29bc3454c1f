/** Random queries that mean something to a set of posts. */
import fc from "fast-check";
import type { OraclePost, Parameters } from "./oracle.ts";

/**
 * Texts of any code points. fast-check's own unit of this kind keeps a table of all of them, with which each collection
 * of garbage in the process takes ten times as long.
 */
export const codePoints = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength })
    .map((all) => String.fromCodePoint(...all).toWellFormed());

const phrases = [
  "",
  " ",
  "の",
  "している",
  "ということ",
  "、",
  "。「",
  "%",
  "_",
  "*",
  "\\",
  "'",
  '"',
  "<",
  "&amp;",
  "\0",
  "zzqx",
  "ﾊﾟｰﾃｨｰ",
  "ＡＢＣ",
  "か\u3099",
  "😀",
  "𠮷",
  "　",
  "a\tb",
];

/** Pieces of the posts' own titles and markup, of 1 to 20 units, and phrases that are hard. */
function keywords(posts: readonly OraclePost[]): fc.Arbitrary<string> {
  const piece = fc
    .tuple(
      fc.nat(posts.length - 1),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(1, 2, 3, 4, 8, 20),
    )
    .map(([i, fromTitle, at, length]) => {
      const post = posts[i] as OraclePost;
      const text = fromTitle ? post.postTitle : post.postContentHtml.replace(/<[^>]*>/g, "");
      const start = Math.floor(at * Math.max(0, text.length - length));
      // A lone surrogate cannot come from a URL.
      return Buffer.from(text.slice(start, start + length)).toString();
    });
  return fc.oneof(
    { weight: 8, arbitrary: piece },
    { weight: 1, arbitrary: piece.map((text) => text.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom(...phrases) },
    { weight: 1, arbitrary: codePoints(6) },
  );
}

/** Query parameters: a keyword, often a tag or two, every order, pages within and beyond the end. */
export function searches(posts: readonly OraclePost[]): fc.Arbitrary<Parameters> {
  const names = [
    ...new Set(posts.flatMap((post) => post.tags.map((tag) => tag.tagName.split(/\s+/).join("_")))),
  ];
  const tags = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.constantFrom(...names, "no-such-tag"), { maxLength: 2 })
        .map((chosen) => chosen.join(" ")),
    },
  );
  return fc
    .record({
      q: keywords(posts),
      tags,
      orderby: fc.constantFrom(undefined, "timeDesc", "timeAsc", "like", "LIKE", ""),
      page: fc.constantFrom(
        undefined,
        "1",
        "2",
        "3",
        "40",
        "0",
        "-1",
        "1.5",
        "x",
        "007",
        "999999999999",
      ),
      pageSize: fc.constantFrom(undefined, "1", "7", "50", "51", "0", "ten", "1e1"),
    })
    .map(
      (parameters) =>
        Object.fromEntries(
          Object.entries(parameters).filter(([, value]) => value !== undefined),
        ) as Parameters,
    );
}
