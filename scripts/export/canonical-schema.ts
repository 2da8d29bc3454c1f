/** The canonical shape of an export, and what an adapter from another shape must give. */

/** What a column may hold. */
type ColumnType =
  | "id" // a whole number from 1 to 2^53 - 1
  | "parentId" // an id, or 0
  | "count" // a whole number from 0 to 2^53 - 1
  | "text"
  | "date" // ISO 8601, in the years 0000 to 9999 (UTC)
  | "url" // an absolute http or https URL
  | "flag"; // 0 or 1

/** A column of the canonical shape. */
export interface ColumnRule {
  readonly type: ColumnType;
  readonly nullable?: true;
  /** The value for every row if an export lacks this column: an SQL literal. Without it, the column is required. */
  readonly ifMissing?: "NULL" | "0" | "'open'";
  /** Whether NULL means that value, too: most databases have NULL where a comment answers none. */
  readonly nullIsMissing?: true;
}

/**
 * The canonical shape: every column that is ever read from an export, with what it may hold.
 * Nothing that is not named here can reach the output.
 */
export const canonicalTables = {
  posts: {
    post_id: { type: "id" },
    post_title: { type: "text" },
    post_content_html: { type: "text" },
    post_date_gmt: { type: "date" },
    comment_status: { type: "text", ifMissing: "'open'" },
    count_likes: { type: "count", ifMissing: "0" },
    count_dislikes: { type: "count", ifMissing: "0" },
    count_bookmarks: { type: "count", ifMissing: "0" },
    ogp_image_url: { type: "url", nullable: true, ifMissing: "NULL" },
    is_welcomed: { type: "flag", nullable: true, ifMissing: "NULL" },
    is_welcomed_explanation: { type: "text", nullable: true, ifMissing: "NULL" },
  },
  tags: {
    tag_id: { type: "id" },
    tag_name: { type: "text" },
  },
  post_tags: {
    post_id: { type: "id" },
    tag_id: { type: "id" },
  },
  comments: {
    comment_id: { type: "id" },
    post_id: { type: "id" },
    comment_date_gmt: { type: "date" },
    comment_author: { type: "text" },
    comment_content: { type: "text" },
    likes_count: { type: "count", ifMissing: "0" },
    dislikes_count: { type: "count", ifMissing: "0" },
    comment_parent: { type: "parentId", ifMissing: "0", nullIsMissing: true },
  },
  similar_posts: {
    post_id: { type: "id" },
    similar_post_id: { type: "id" },
    rank: { type: "count" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnRule>>>>;

/** Name of a canonical table. */
export type CanonicalTable = keyof typeof canonicalTables;

/** What identifies a row of each table, in the order by which rows are read. */
export const keyColumns = {
  posts: ["post_id"],
  tags: ["tag_id"],
  post_tags: ["post_id", "tag_id"],
  comments: ["comment_id"],
  similar_posts: ["post_id", "rank", "similar_post_id"],
} as const satisfies Readonly<Record<CanonicalTable, readonly [string, ...string[]]>>;

/** Values for columns that an export may lack, by column name. Adapters use the canonical names of such columns. */
export const valuesIfMissing: ReadonlyMap<string, string> = new Map(
  Object.values<Readonly<Record<string, ColumnRule>>>(canonicalTables).flatMap((columns) =>
    Object.entries(columns).flatMap(([name, { ifMissing }]) =>
      ifMissing === undefined ? [] : [[name, ifMissing] as const],
    ),
  ),
);

/** The columns of a canonical table, in their order. */
export const columnNames = (table: CanonicalTable): string[] => Object.keys(canonicalTables[table]);

/** The value of a column that passed its rule. */
type ColumnValue<R extends ColumnRule> =
  | (R["type"] extends "text" | "date" | "url" ? string : number)
  | (R extends { readonly nullable: true } ? null : never);

/** A row of a canonical table that passed all its rules. */
export type Row<T extends CanonicalTable> = {
  readonly [
    C in keyof (typeof canonicalTables)[T]
  ]: (typeof canonicalTables)[T][C] extends ColumnRule
    ? ColumnValue<(typeof canonicalTables)[T][C]>
    : never;
};

/** Tables by name, each with its columns. */
type Tables = Readonly<Record<string, readonly string[]>>;

/** Knows one shape of export: how to recognise it and how to see it as the canonical one. */
export interface Adapter {
  readonly name: string;
  /**
   * What an export of this shape has. It must be there for the shape to be recognised, except the tables of `mayLack`
   * and the columns with `ifMissing`.
   */
  readonly requires: Tables;
  /**
   * Tables of `requires` that a database may lack. They are empty then, and similar posts are computed. A dump may lack
   * similar posts alone: it may be cut off.
   */
  readonly mayLack?: readonly CanonicalTable[];
  /** A SELECT for each canonical table that gives exactly its columns; reads no other table than those named above. */
  readonly select: Readonly<
    Record<Exclude<CanonicalTable, "similar_posts">, string> & { similar_posts?: string }
  >;
  /** Rows of counted tables that add to no count: an SQL condition for them, the reason, and the column at fault. */
  readonly uncounted?: readonly {
    readonly table: string;
    readonly column: string;
    readonly where: string;
    readonly reason: string;
  }[];
}

/** A table whose rows become rows of a canonical table. */
export interface SourceTable {
  readonly table: string;
  /** What identifies a row, in the order by which rows are read. */
  readonly key: readonly string[];
  /** Columns that have another name than in the canonical table: canonical name → own name. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
}

/** The name of a canonical column in its own table. */
export const sourceColumn = ({ renamed = {} }: SourceTable, column: string): string =>
  renamed[column] ?? column;

/** Every table that an adapter may read. All others in an export are ignored. */
export const tablesRead = ({ requires }: Adapter): string[] => Object.keys(requires);
