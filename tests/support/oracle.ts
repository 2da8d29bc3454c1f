/**
 * A search by the letter of the decisions, slow and plain, written without any of the project's code:
 * what the function answers must equal what this computes from the published posts.
 */
import { parse, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;

export interface OraclePost {
  readonly postId: number;
  readonly postTitle: string;
  readonly postUrl: string;
  readonly postDateGmt: string;
  readonly postContentHtml: string;
  readonly countLikes: number;
  readonly countDislikes: number;
  readonly countComments: number;
  readonly tags: readonly { readonly tagName: string }[];
}

const separating = new Set(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption
  figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol
  optgroup option p plaintext pre search section summary ul xmp table caption colgroup col thead
  tbody tfoot tr td th br frameset frame`.split(/\s+/),
);

/**
 * The visible text of a body: its base text, then the joined readings of each ruby. A text belongs to
 * the innermost <rt> around it, and that to the innermost <ruby>.
 */
export function textOf(html: string): string {
  const readings: string[][] = [];
  const addReadings = (): string[] => {
    const added: string[] = [];
    readings.push(added);
    return added;
  };
  const collect = (node: Node, into: string[], ruby: string[] | undefined): void => {
    const name = node.nodeName;
    if (name === "#text") into.push((node as DefaultTreeAdapterTypes.TextNode).value);
    if (["#comment", "script", "style", "template", "rp"].includes(name)) return;
    const target = name === "rt" ? (ruby ?? addReadings()) : into;
    const inner = name === "ruby" ? addReadings() : ruby;
    if (separating.has(name)) into.push(" ");
    if ("childNodes" in node) for (const child of node.childNodes) collect(child, target, inner);
    if (separating.has(name)) into.push(" ");
  };
  const base: string[] = [];
  // As a part of a page that declares its type, and read by someone without scripts.
  collect(parse(`<!doctype html>${html}`, { scriptingEnabled: false }), base, undefined);
  return [base, ...readings.filter((reading) => reading.join("") !== "")]
    .map((pieces) => pieces.join(""))
    .join(" ");
}

const withoutIgnorable = (text: string): string =>
  [...text]
    .filter((one) => one !== "\0" && !/\p{Default_Ignorable_Code_Point}/u.test(one))
    .join("");

/** NFKC; but each mark by itself where more than 30 follow each other, as UAX #15 counts them. */
const compatible = (text: string): string => {
  const runs = text.match(/[\p{M}ﾞﾟ]+|[^\p{M}ﾞﾟ]+/gu) ?? [];
  const pieces = [""];
  for (const run of runs)
    if (/^[\p{M}ﾞﾟ]/u.test(run) && [...run].length > 30)
      pieces.push(...[...run].map((mark) => mark.normalize("NFKC")), "");
    else pieces.push((pieces.pop() ?? "") + run);
  // Only the pieces between long runs are not yet in their form; normalising a mark twice changes nothing.
  return pieces.map((piece) => piece.normalize("NFKC")).join("");
};

/** The normalised form of a text. */
export const fold = (text: string): string =>
  withoutIgnorable(compatible(withoutIgnorable(text)))
    .toLowerCase()
    .split("ς")
    .join("σ")
    .replace(/\s+/g, " ");

const byCodePoints = (a: string, b: string): number => {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

export type Parameters = Readonly<Record<string, string>>;

/**
 * @returns a function from query parameters to the expected SearchResult
 */
export function createOracle(posts: readonly OraclePost[]): (parameters: Parameters) => unknown {
  const searchable = posts.map((post) => ({
    post,
    title: fold(post.postTitle),
    text: fold(textOf(post.postContentHtml)),
    // A name as `tags` gives it.
    names: new Set(post.tags.map(({ tagName }) => tagName.normalize("NFC").split(/\s+/).join("_"))),
  }));
  type Entry = (typeof searchable)[number];
  const time = ({ post }: Entry): number => Date.parse(post.postDateGmt);
  const orders: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
    timeDesc: (a, b) => time(b) - time(a) || b.post.postId - a.post.postId,
    timeAsc: (a, b) => time(a) - time(b) || a.post.postId - b.post.postId,
    like: (a, b) =>
      b.post.countLikes - a.post.countLikes || time(b) - time(a) || b.post.postId - a.post.postId,
  };
  const sorted = new Map(
    Object.entries(orders).map(([order, compare]) => [order, searchable.toSorted(compare)]),
  );
  const positive = (text: string | undefined, fallback: number): number =>
    text !== undefined && /^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : fallback;

  return (parameters) => {
    const query = parameters["q"] ?? "";
    const keyword = fold(query).trim();
    const tags = (parameters["tags"] ?? "")
      .split(/\s/)
      .filter((name) => name !== "")
      .map((name) => name.normalize("NFC"));
    const wanted = parameters["orderby"] ?? "";
    const orderby = sorted.has(wanted) ? wanted : "timeDesc";
    const page = positive(parameters["page"], 1);
    const pageSize = Math.min(positive(parameters["pageSize"], 10), 50);

    const hits = (sorted.get(orderby) ?? []).filter(
      ({ title, text }) => title.includes(keyword) || text.includes(keyword),
    );
    const counts = new Map<string, number>();
    for (const { post } of hits)
      for (const name of new Set(post.tags.map((tag) => tag.tagName)))
        counts.set(name, (counts.get(name) ?? 0) + 1);
    const found = hits.filter(({ names }) => tags.every((name) => names.has(name)));
    const totalPages = Math.ceil(found.length / pageSize);
    return {
      metadata: {
        query,
        count: found.length,
        page,
        totalPages,
        orderby,
        hasMore: page < totalPages,
      },
      tagCounts: [...counts]
        .sort((a, b) => b[1] - a[1] || byCodePoints(a[0], b[0]))
        .map(([tagName, count]) => ({ tagName, count })),
      results: found.slice((page - 1) * pageSize, page * pageSize).map(({ post }) => ({
        postId: post.postId,
        postTitle: post.postTitle,
        postUrl: post.postUrl,
        postDateGmt: post.postDateGmt,
        countLikes: post.countLikes,
        countDislikes: post.countDislikes,
        countComments: post.countComments,
        tagNames: post.tags.map((tag) => tag.tagName),
      })),
    };
  };
}
