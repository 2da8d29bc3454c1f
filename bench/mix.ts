/** The mix of searches that the bench asks. */
import { normalizeTagName } from "../functions/engine/normalize.ts";
import { randomFrom, type CorpusPost } from "./corpus.ts";

/** Query parameters of a search. */
export type Parameters = Readonly<Record<string, string>>;

const phrases = [
  "",
  ..."の している ということ である。 、 。「 、その 「あ 人間 時間 自分 % _ * \\ ' ＜ zzqx".split(
    " ",
  ),
  ..."龘龘 xyz存在しない a the テーブル ー".split(" "),
];

/** Draws the searches: the same ones for the same corpus. */
export function mixOf(posts: readonly CorpusPost[], count: number): Parameters[] {
  const random = randomFrom(42);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const substring = (length: number, pattern = /./su): string => {
    for (let tries = 0; tries < 200; tries++) {
      const text = pick(posts).searched[1];
      const start = Math.floor(random() * Math.max(1, text.length - length));
      const piece = text.slice(start, start + length);
      if (pattern.test(piece) && Buffer.from(piece).toString() === piece && piece === piece.trim())
        return piece;
    }
    return "の";
  };
  const kinds: (() => string)[] = [
    ...[1, 2, 3, 4, 8, 20].map((length) => () => substring(length)),
    () => substring(2, /^\p{Script=Han}{2}$/u),
    () => substring(4, /^[\p{Script=Katakana}ー]{4}$/u),
    () => substring(3, /^[a-z]{3}$/),
    () => substring(4, /^[、。「]/u),
    () => `${substring(3)}${substring(3)}`,
    () => pick(phrases),
  ];
  const named = posts.slice(0, 2000).flatMap(({ post }) => post.tags);
  const tags = [...new Set(named.map(({ tagName }) => normalizeTagName(tagName)))];
  return Array.from({ length: count }, (_, i) => {
    const q = (kinds[i % kinds.length] as () => string)();
    const page = pick(["first", "first", "middle", "last"]);
    return {
      q,
      ...(random() < 1 / 4 && tags.length > 0 ? { tags: pick(tags) } : {}),
      orderby: pick(["timeDesc", "timeAsc", "like"]),
      pageSize: pick(["10", "50"]),
      // Resolved once the number of pages is known.
      page,
    };
  });
}
