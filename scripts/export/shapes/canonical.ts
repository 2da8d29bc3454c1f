/** The canonical shape itself: every table as it is. */
import { columnsOf, type Adapter, type CanonicalTable } from "../canonical-schema.ts";

const required = ["posts", "tags", "post_tags", "comments"] as const;

const select = (table: CanonicalTable): string =>
  `SELECT ${columnsOf(table).join(", ")} FROM main.${table}`;

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
