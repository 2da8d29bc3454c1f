/** The canonical shape itself: every table as it is. */
import {
  canonicalTableNames,
  canonicalTables,
  optionalTables,
  type Adapter,
  type CanonicalTable,
} from "./schema.ts";

const columnsOf = (table: CanonicalTable): string[] => Object.keys(canonicalTables[table]);
const select = (table: CanonicalTable): string =>
  `SELECT ${columnsOf(table).join(", ")} FROM main.${table}`;

export const canonical: Adapter = {
  name: "canonical",
  requires: Object.fromEntries(
    canonicalTableNames
      .filter((table) => !optionalTables.includes(table))
      .map((table) => [table, columnsOf(table)]),
  ),
  select: {
    posts: select("posts"),
    tags: select("tags"),
    post_tags: select("post_tags"),
    comments: select("comments"),
    similar_posts: select("similar_posts"),
  },
  optional: { similar_posts: "similar_posts" },
};
