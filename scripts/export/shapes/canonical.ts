/** The canonical shape itself: every table as it is. */
import {
  columnsOf,
  type Adapter,
  type CanonicalTable,
  type SourceTable,
} from "../canonical-schema.ts";

const required = ["posts", "tags", "post_tags", "comments"] as const;

const select = (table: CanonicalTable): string =>
  `SELECT ${columnsOf(table).join(", ")} FROM main.${table}`;

/** A table that has its own name and columns. */
const asItIs = (table: CanonicalTable, ...key: readonly string[]): SourceTable => ({
  table,
  key,
  columns: columnsOf(table),
});

/** The tables, as they are read row by row. */
export const canonicalSources: Readonly<Record<CanonicalTable, SourceTable>> = {
  posts: asItIs("posts", "post_id"),
  tags: asItIs("tags", "tag_id"),
  post_tags: asItIs("post_tags", "post_id", "tag_id"),
  comments: asItIs("comments", "comment_id"),
  similar_posts: asItIs("similar_posts", "post_id", "rank", "similar_post_id"),
};

export const canonical: Adapter = {
  name: "canonical",
  requires: Object.fromEntries(required.map((table) => [table, columnsOf(table)])),
  mayLack: ["tags", "post_tags", "comments"],
  optional: { similar_posts: columnsOf("similar_posts") },
  select: {
    posts: select("posts"),
    tags: select("tags"),
    post_tags: select("post_tags"),
    comments: select("comments"),
    similar_posts: select("similar_posts"),
  },
};
