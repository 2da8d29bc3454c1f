/** The canonical shape itself: every table as it is. */
import { columnsOf, type Adapter, type CanonicalTable } from "../canonical-schema.ts";

const select = (table: CanonicalTable): string =>
  `SELECT ${columnsOf(table).join(", ")} FROM main.${table}`;

export const canonical: Adapter = {
  name: "canonical",
  requires: {
    posts: columnsOf("posts"),
    tags: columnsOf("tags"),
    post_tags: columnsOf("post_tags"),
    comments: columnsOf("comments"),
  },
  optional: { similar_posts: columnsOf("similar_posts") },
  select: {
    posts: select("posts"),
    tags: select("tags"),
    post_tags: select("post_tags"),
    comments: select("comments"),
    similar_posts: select("similar_posts"),
  },
};
