/** The recorded answers of a real WordPress site: what a pull and a build make of them is what its pages show. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { recordsIn, runPull } from "../support/pull.ts";
import { filesIn, root, runBuild, searchOn, temporaryFolder } from "../support/support.ts";
import {
  serveWordPress,
  type WordPressContent,
  type WordPressItem,
} from "../support/wordpress-api.ts";

/** The body of a recorded post. */
const rendered = (item: WordPressItem | undefined): string | undefined =>
  (item?.["content"] as { readonly rendered?: string } | undefined)?.rendered;

const datasets = resolve(root, "../shared/datasets");
const recorded = join(datasets, "wordpress-rest.json");
test.skipIf(!existsSync(recorded))(
  "npm run pull --wordpress exports a real site as its pages show it",
  async () => {
    const real = JSON.parse(readFileSync(recorded, "utf8")) as Record<
      keyof WordPressContent,
      { items: WordPressItem[] }
    >;
    const content = Object.fromEntries(
      (["posts", "comments", "tags", "categories", "media"] as const).map((name) => [
        name,
        real[name].items,
      ]),
    ) as WordPressContent;
    const site = await serveWordPress(content);
    const target = join(temporaryFolder(), "export.sqlite");
    expect(await runPull(["--wordpress", site.url, "--out", target])).toMatchObject({ code: 0 });
    await site.close();
    const expected = readFileSync(join(datasets, "wordpress-expected.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            id: number;
            title: string;
            date_gmt: string | null;
            tags: string[];
            comments: { id: number; type: string; date_gmt: string }[];
          },
      )
      .filter(
        ({ id }) =>
          String(content.posts.find((one) => one.id === id)?.["date_gmt"]).startsWith("-") ===
          false,
      );
    const posts = recordsIn(
      target,
      "SELECT post_id AS id, post_content_html AS body, post_title AS title FROM posts ORDER BY 1",
    );
    expect(posts.map(({ id }) => id)).toEqual(expected.map(({ id }) => id).sort((a, b) => a - b));
    for (const { id, body } of posts)
      expect(body).toBe(rendered(content.posts.find((one) => one.id === id)));
    const tagsOf = Map.groupBy(
      recordsIn(target, "SELECT post_id, tag_name FROM post_tags JOIN tags USING (tag_id)"),
      (row) => row["post_id"],
    );
    const commentsOf = Map.groupBy(
      recordsIn(target, "SELECT post_id, comment_id FROM comments"),
      (row) => row["post_id"],
    );
    for (const one of expected) {
      expect(
        (tagsOf.get(one.id) ?? []).map((row) => row["tag_name"]).sort(),
        `tags of ${one.id}`,
      ).toEqual(one.tags.toSorted());
      expect((commentsOf.get(one.id) ?? []).map((row) => row["comment_id"]).sort()).toEqual(
        one.comments
          .filter(
            ({ type, date_gmt: date }) =>
              ["comment", ""].includes(type) && !date.startsWith("0000"),
          )
          .map(({ id }) => id)
          .sort(),
      );
    }
    const out = join(temporaryFolder(), "dist");
    expect(await runBuild("--export", target, "--out", out)).toMatchObject({ code: 0 });
    for (const [name, bytes] of [["export", readFileSync(target)] as const, ...filesIn(out)])
      expect(bytes.toString("latin1"), basename(name)).not.toContain("CANARY_PRIVATE");
    const { search } = searchOn(out);
    for (const name of new Set(expected.flatMap(({ tags }) => tags)))
      expect(await search({ tags: name.replaceAll(" ", "_") }), name).toMatchObject({
        metadata: { count: expected.filter(({ tags }) => tags.includes(name)).length },
      });
    // One public body shows guests a list of the latest posts, with titles of protected ones in it.
    const others =
      "SELECT post_title AS text FROM posts UNION ALL SELECT tag_name FROM tags UNION ALL SELECT comment_content || comment_author FROM comments";
    expect(
      recordsIn(target, others).filter(({ text }) => /PROTECTED_TITLE/.test(String(text))),
    ).toEqual([]);
    expect(
      posts.filter(({ body }) => /PROTECTED_TITLE/.test(String(body))).map(({ id }) => id),
    ).toEqual([374]);
  },
);
