/** Posts come with all that belongs to them, in order, and with nothing of other posts. */
import { expect, onTestFinished, test } from "vitest";
import { exportWith } from "../../tests/support/support.ts";
import { openExport, type Export } from "./open.ts";
import { givenSimilarPosts, postRows, readRows } from "./rows.ts";

function sampleWith(sql: string): Export {
  const source = openExport(exportWith(sql));
  onTestFinished(() => void source.close());
  return source;
}

test("postRows gives posts by id, tags by name, comments newest first", () => {
  const posts = [
    ...postRows(
      sampleWith(`
        DELETE FROM comments WHERE post_id = 1;
        INSERT INTO comments VALUES
          (901, 1, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0), (902, 1, '2024-01-02T00:00:00+09:00', 'a', 'b', 0, 0, 901),
          (903, 1, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 900), (904, 4, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 0);
        DELETE FROM post_tags WHERE post_id = 1;
        INSERT INTO tags VALUES (901, '\u{1F600}'), (902, '\uFF5E'), (903, 'b');
        INSERT INTO post_tags VALUES (1, 901), (1, 902), (1, 903), (1, 999), (4, 903);`),
    ),
  ];
  const ids = posts.map(({ post }) => post.post_id);
  expect(ids).toHaveLength(40);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(
    posts[0]?.comments.map(({ commentId, commentParent }) => [commentId, commentParent]),
  ).toEqual([
    [902, 901],
    [903, 0],
    [901, 0],
  ]);
  // By code points: in UTF-16 units the face would come before the wave dash.
  expect(posts[0]?.tags.map(({ tagId }) => tagId)).toEqual([903, 902, 901]);
});

test("postRows leads circular replies, and replies across posts, up to the post", () => {
  const rows = [
    [901, 903],
    [902, 901],
    [903, 902],
    [904, 903],
    [905, 905],
    [906, 907],
  ].map(([id, parent]) => `(${id}, 1, '2024-01-01 00:00:00', 'a', 'b', 0, 0, ${parent})`);
  const [first] = postRows(
    sampleWith(`DELETE FROM comments; INSERT INTO comments VALUES ${rows.join()},
      (907, 4, '2024-01-01 00:00:00', 'a', 'b', 0, 0, 906);`),
  );
  expect(first?.comments.map(({ commentId, commentParent }) => [commentId, commentParent])).toEqual(
    [
      [906, 0],
      [905, 0],
      [904, 903],
      [903, 902],
      [902, 901],
      [901, 0],
    ],
  );
});

test("givenSimilarPosts gives the similar posts of a post by rank", () => {
  const similarOf = givenSimilarPosts(
    sampleWith(`
      CREATE TABLE similar_posts (post_id INTEGER, similar_post_id INTEGER, rank INTEGER);
      INSERT INTO similar_posts VALUES (3, 1, 2), (3, 2, 1), (2, 9, 1), (1, 5, 7), (1, 6, 6), (1, 4, 6);`),
  );
  expect([1, 3, 5].map(similarOf)).toEqual([[4, 6, 5], [2, 1], []]);
});

test("readRows gives some columns of a table", () => {
  const [post] = readRows(sampleWith(""), "posts", { columns: ["post_id"], orderBy: ["post_id"] });
  expect(post).toEqual({ post_id: 1 });
});
