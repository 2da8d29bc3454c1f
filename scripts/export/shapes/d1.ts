/**
 * The database of the original site (Cloudflare D1). It also holds addresses, password hashes,
 * prompts and deleted posts: only the columns of the canonical shape are read, from a file as over the network.
 */
import {
  columnNames,
  sourceColumn,
  type Adapter,
  type CanonicalTable,
  type SourceTable,
} from "../canonical-schema.ts";

/** A table that is only counted: how many of its rows belong to a row of a canonical table. */
export interface CountedTable {
  readonly table: string;
  /** The column that names what is counted; in the canonical table it is the key. */
  readonly by: string;
  readonly into: CanonicalTable;
  /** Canonical column → SQL that counts a group. */
  readonly counts: Readonly<Record<string, string>>;
  /** Columns that `counts` reads. */
  readonly reads: readonly string[];
}

/** Tables with rows that are only counted. */
export const d1Counts: readonly CountedTable[] = [
  {
    table: "fct_user_bookmark_activity",
    by: "post_id",
    into: "posts",
    counts: { count_bookmarks: "count(*)" },
    reads: [],
  },
  {
    table: "fct_comment_vote_history",
    by: "comment_id",
    into: "comments",
    counts: { likes_count: "sum(vote_type = 1)", dislikes_count: "sum(vote_type = -1)" },
    reads: ["vote_type"],
  },
];

/** A table whose rows are published: all columns of the canonical one that are not counted. */
const published = (
  into: CanonicalTable,
  table: string,
  ...key: readonly string[]
): SourceTable => ({
  table,
  key,
  columns: columnNames(into).filter((column) => !d1Counts.some(({ counts }) => column in counts)),
});

/** Tables with rows that are published. */
export const d1Tables = {
  posts: {
    ...published("posts", "dim_posts", "post_id"),
    renamed: { post_content_html: "post_content" },
  },
  tags: published("tags", "dim_tags", "tag_id"),
  post_tags: published("post_tags", "rel_post_tags", "post_id", "tag_id"),
  comments: published("comments", "dim_comments", "comment_id"),
} as const satisfies Readonly<Partial<Record<CanonicalTable, SourceTable>>>;

/** Columns of every table that is read, by their own names. */
const requires: Record<string, readonly string[]> = Object.fromEntries([
  ...Object.values<SourceTable>(d1Tables).map((source) => [
    source.table,
    source.columns.map((column) => sourceColumn(source, column)),
  ]),
  ...d1Counts.map(({ table, by, reads }) => [table, [by, ...reads]]),
]);

/** A SELECT that gives the rows of a canonical table. */
function select(into: keyof typeof d1Tables): string {
  const source: SourceTable = d1Tables[into];
  const columns = source.columns.map((column) => {
    const own = sourceColumn(source, column);
    return own === column ? column : `${own} AS ${column}`;
  });
  const counted = d1Counts.filter((one) => one.into === into);
  const joins = counted.map(({ table, by, counts }) => {
    const sums = Object.entries(counts).map(([column, sql]) => `${sql} AS total_${column}`);
    return ` LEFT JOIN (SELECT ${by} AS counted_${table}, ${sums.join(", ")} FROM main.${table} GROUP BY ${by}) ON counted_${table} = ${source.table}.${by}`;
  });
  const totals = counted.flatMap(({ counts }) =>
    Object.keys(counts).map((column) => `coalesce(total_${column}, 0) AS ${column}`),
  );
  return `SELECT ${[...columns, ...totals].join(", ")} FROM main.${source.table}${joins.join("")}`;
}

export const d1: Adapter = {
  name: "D1",
  requires,
  select: {
    posts: select("posts"),
    tags: select("tags"),
    post_tags: select("post_tags"),
    comments: select("comments"),
  },
  uncounted: [
    {
      table: "fct_user_bookmark_activity",
      column: "post_id",
      where: "post_id IS NULL OR post_id NOT IN (SELECT post_id FROM main.dim_posts)",
      reason: "names a post that does not exist",
    },
    {
      table: "fct_comment_vote_history",
      column: "comment_id",
      where: "comment_id IS NULL OR comment_id NOT IN (SELECT comment_id FROM main.dim_comments)",
      reason: "names a comment that does not exist",
    },
    {
      table: "fct_comment_vote_history",
      column: "vote_type",
      where: "vote_type IS NULL OR vote_type NOT IN (1, -1)",
      reason: "is neither 1 nor -1",
    },
  ],
};
