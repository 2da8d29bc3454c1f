/** A WordPress site, pulled from a stand-in for its REST API. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  serveWordPress,
  type WordPressContent,
  type WordPressItem,
  type WordPressSite,
} from "../../tests/support/wordpress-api.ts";
import { newTarget, recordsIn, runPull } from "../../tests/support/pull.ts";
import { runBuild, runInProcess, temporaryFolder } from "../../tests/support/support.ts";
import { pull } from "../pull.ts";

const pullFrom = (url: string, out: string, ...args: string[]) =>
  runPull(["--wordpress", url, "--out", out, ...args]);

let site: WordPressSite | undefined;
afterEach(() => site?.close());

const post = (id: number, more: object = {}): WordPressItem => ({
  id,
  date_gmt: "2024-05-06T07:08:09",
  link: `https://blog.example/${id}/`,
  title: { rendered: `Title &amp; <em>more</em> ${id}` },
  content: { rendered: `<p>body ${id}</p>\n`, protected: false },
  comment_status: "open",
  tags: [10],
  categories: [20],
  featured_media: 0,
  ...more,
});
const comment = (id: number, post: number, parent = 0, type = "comment"): WordPressItem => ({
  id,
  post,
  parent,
  type,
  author_name: "O&#8217;Hara",
  date_gmt: "2024-06-01T00:00:00",
  content: { rendered: "<p>one<br />\ntwo</p>\n<p>three</p>\n" },
});
const small = (): WordPressContent => ({
  posts: [
    post(1, { featured_media: 30 }),
    // As a theme gives them that hides one.
    post(2, { tags: { 1: 10, 2: 11 } }),
    post(3, {
      title: { rendered: "PROTECTED_TITLE" },
      content: { rendered: "", protected: true },
      tags: [12],
    }),
    post(4, { date_gmt: "-0001-11-29T14:41:01" }),
    post(5, { date_gmt: "1921-01-01T00:00:00", title: { rendered: "" }, tags: [] }),
  ],
  comments: [
    comment(1, 1),
    comment(2, 1, 1),
    comment(3, 1, 99),
    comment(4, 2, 0, "pingback"),
    comment(5, 3),
    comment(6, 777),
  ],
  tags: [
    { id: 10, name: "R&amp;D" },
    { id: 11, name: "Q&amp;A" },
    { id: 12, name: "CANARY_PRIVATE" },
  ],
  categories: [{ id: 20, name: "Q&amp;A" }],
  media: [{ id: 30, source_url: "https://blog.example/x.jpg" }],
});

test("pull --wordpress marks quotations in comments, and gives titles as plain text", async () => {
  const rendered = "<blockquote><p>Never.</p></blockquote><p>100 <b>litres</b></p>\n";
  const given = small();
  site = await serveWordPress({
    ...given,
    comments: given.comments.map((one) => ({ ...one, content: { rendered } })),
    posts: given.posts.map((one) => ({ ...one, title: { rendered: "<i>9</i> litres" } })),
  });
  const target = newTarget();
  expect((await pullFrom(site.url, target)).code).toBe(0);
  expect(recordsIn(target, "SELECT DISTINCT comment_content FROM comments")).toEqual([
    { comment_content: "> Never.\n\n100 litres" },
  ]);
  expect(recordsIn(target, "SELECT DISTINCT post_title FROM posts WHERE post_title <> ''")).toEqual(
    [{ post_title: "9 litres" }],
  );
});

test("pull --wordpress publishes what a guest sees, as text where the contract has text", async () => {
  site = await serveWordPress(small(), { plugins: ["bogo/v1"] });
  const target = newTarget();
  const { code, stdout, stderr } = await pullFrom(site.url, target);
  expect(code, stderr).toBe(0);
  expect(
    recordsIn(target, "SELECT post_id, post_title, post_content_html, ogp_image_url FROM posts"),
  ).toEqual([
    {
      post_id: 1,
      post_title: "Title & more 1",
      post_content_html: "<p>body 1</p>\n",
      ogp_image_url: "https://blog.example/x.jpg",
    },
    {
      post_id: 2,
      post_title: "Title & more 2",
      post_content_html: "<p>body 2</p>\n",
      ogp_image_url: null,
    },
    { post_id: 5, post_title: "", post_content_html: "<p>body 5</p>\n", ogp_image_url: null },
  ]);
  expect(
    recordsIn(
      target,
      "SELECT comment_id, comment_parent, comment_author, comment_content FROM comments",
    ),
  ).toEqual([
    {
      comment_id: 1,
      comment_parent: 0,
      comment_author: "O’Hara",
      comment_content: "one\ntwo\n\nthree",
    },
    {
      comment_id: 2,
      comment_parent: 1,
      comment_author: "O’Hara",
      comment_content: "one\ntwo\n\nthree",
    },
    {
      comment_id: 3,
      comment_parent: 0,
      comment_author: "O’Hara",
      comment_content: "one\ntwo\n\nthree",
    },
  ]);
  expect(
    recordsIn(target, "SELECT tag_name FROM tags ORDER BY tag_id").map(
      ({ tag_name: name }) => name,
    ),
  ).toEqual(["R&D", "Q&A"]);
  expect(stderr).toMatch(
    /^warning: posts 4 \(https:\/\/blog\.example\/4\/\): post_date_gmt "-0001-11-29T14:41:01" is not .*the row is left out/m,
  );
  expect(stdout).toMatch(/no likes, bookmarks or welcome flags: they are 0 and null\.\n/);
  expect(stdout).toMatch(/protected by a password: 1 post$/m);
  expect(stdout).toMatch(/their post or page is not read: 2 comments$/m);
  expect(stdout).toMatch(
    /^not read: posts in other languages\. With bogo\/v1, lists have one alone$/m,
  );
  expect(readFileSync(target).toString("latin1")).not.toMatch(/CANARY_PRIVATE|PROTECTED_TITLE/);
  expect(site.asked.join()).not.toMatch(/include=[^&]*12/);
});

test("pull --wordpress makes circular replies comments on the post, with a warning", async () => {
  const content = small();
  content.comments = [
    comment(1, 1, 1),
    comment(2, 1, 4),
    comment(3, 1, 2),
    comment(4, 1, 3),
    comment(5, 1, 4),
    comment(6, 2, 5),
    comment(7, 2, 8),
    { ...comment(8, 2), date_gmt: "soon" },
  ];
  site = await serveWordPress(content);
  const target = newTarget();
  const { code, stderr } = await pullFrom(site.url, target);
  expect(code, stderr).toBe(0);
  expect(
    recordsIn(target, "SELECT comment_id AS id, comment_parent AS parent FROM comments ORDER BY 1"),
  ).toEqual([
    { id: 1, parent: 0 },
    { id: 2, parent: 0 },
    { id: 3, parent: 2 },
    { id: 4, parent: 3 },
    { id: 5, parent: 4 },
    { id: 6, parent: 0 },
    { id: 7, parent: 0 },
  ]);
  expect(
    stderr.match(/^warning: comments \d: comment_parent \d \(?.*(?:it becomes|rule parent)/gm),
  ).toHaveLength(4);
  expect(
    await runBuild("--export", target, "--out", join(temporaryFolder(), "dist")),
  ).toMatchObject({ code: 0 });
});

test("pull --wordpress names --categories when no post carries a tag", async () => {
  const content = small();
  const said = async (posts: typeof content.posts, ...args: string[]): Promise<boolean> => {
    site = await serveWordPress({ ...content, posts });
    const { code, stdout } = await pullFrom(site.url, newTarget(), ...args);
    await site.close();
    expect(code).toBe(0);
    return stdout.includes("No post carries a tag. ");
  };
  const untagged = content.posts.map((post) => ({ ...post, tags: [] }));
  expect(await said(content.posts)).toBe(false);
  expect(await said(untagged)).toBe(true);
  expect(await said(untagged, "--categories")).toBe(false);
});

test("pull --wordpress --categories makes one tag of a tag and a category of one name", async () => {
  site = await serveWordPress(small());
  const target = newTarget();
  expect((await pullFrom(site.url, target, "--categories")).code).toBe(0);
  expect(recordsIn(target, "SELECT tag_id, tag_name FROM tags ORDER BY tag_id")).toEqual([
    { tag_id: 10, tag_name: "R&D" },
    { tag_id: 11, tag_name: "Q&A" },
  ]);
  expect(recordsIn(target, "SELECT post_id, tag_id FROM post_tags ORDER BY 1, 2")).toEqual([
    { post_id: 1, tag_id: 10 },
    { post_id: 1, tag_id: 11 },
    { post_id: 2, tag_id: 10 },
    { post_id: 2, tag_id: 11 },
    { post_id: 5, tag_id: 11 },
  ]);
});

test("pull --wordpress reports a field of unknown form, and leaves out its row", async () => {
  const odd = { toString: 1, valueOf: 1 };
  const all = small();
  site = await serveWordPress({
    ...all,
    posts: [
      ...all.posts,
      post(6, { title: { rendered: odd } }),
      post(7, { date_gmt: odd, link: odd }),
      post(8, { title: undefined }),
      post(9, { date_gmt: null }),
      post(10, { content: odd, featured_media: odd }),
      post(11, { featured_media: odd, tags: "R&amp;D" }),
    ],
    comments: [...all.comments, { ...comment(7, 1), parent: odd }],
    media: [{ id: 30, source_url: odd }],
  });
  const target = newTarget();
  const { code, stdout, stderr } = await pullFrom(site.url, target);
  expect(code, stderr).toBe(0);
  for (const [row, field] of [
    ["posts 6 .*", "post_title"],
    ["posts 7", "post_date_gmt"],
    ["posts 8 .*", "post_title"],
    ["posts 9 .*", "post_date_gmt"],
    ["posts 10 .*", "post_content_html"],
    ["comments 7", "comment_parent"],
  ] as const)
    expect(stderr).toMatch(new RegExp(`^warning: ${row}: ${field} `, "m"));
  expect(stdout).toMatch(/^warning: tags of 1 post are in no form .* "R&amp;D" of post 11\./m);
  expect(stdout).toMatch(/^Of 1 picture of posts, the site gives guests 0\.$/m);
  expect(recordsIn(target, "SELECT post_id FROM posts").map(({ post_id: id }) => id)).toEqual([
    1, 2, 5, 11,
  ]);
});

test("pull --wordpress reads fields in the forms in which plugins write them", async () => {
  const all = small();
  site = await serveWordPress({
    ...all,
    posts: [
      post(1, {
        title: "A &amp; B",
        content: "<p>c</p>",
        tags: ["10", "11"],
        comment_status: null,
      }),
      post(2, { tags: [{ term_id: 10, name: "R&amp;D" }, "Q&amp;A"], comment_status: undefined }),
      // As text.
      { ...post(3, { featured_media: "30" }), id: "3" } as unknown as WordPressItem,
    ],
    comments: [{ ...comment(1, 1), post: "3", parent: null, type: undefined }],
  });
  const target = newTarget();
  const { code, stderr } = await pullFrom(site.url, target);
  expect(code, stderr).toBe(0);
  expect(
    recordsIn(target, "SELECT post_title, post_content_html, comment_status FROM posts LIMIT 1"),
  ).toEqual([{ post_title: "A & B", post_content_html: "<p>c</p>", comment_status: "open" }]);
  expect(
    recordsIn(
      target,
      "SELECT post_id, tag_name FROM post_tags JOIN tags USING (tag_id) ORDER BY 1, 2",
    ),
  ).toEqual([
    { post_id: 1, tag_name: "Q&A" },
    { post_id: 1, tag_name: "R&D" },
    { post_id: 2, tag_name: "Q&A" },
    { post_id: 2, tag_name: "R&D" },
    { post_id: 3, tag_name: "R&D" },
  ]);
  expect(recordsIn(target, "SELECT post_id, comment_parent FROM comments")).toEqual([
    { post_id: 3, comment_parent: 0 },
  ]);
  expect(recordsIn(target, "SELECT ogp_image_url FROM posts WHERE post_id = 3")).toEqual([
    { ogp_image_url: "https://blog.example/x.jpg" },
  ]);
});

test("pull --wordpress explains an item without an id", async () => {
  const all = small();
  site = await serveWordPress({
    ...all,
    comments: [{ ...comment(1, 1), id: "c1" } as unknown as WordPressItem],
  });
  const { code, stderr } = await pullFrom(site.url, newTarget());
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/gives comments without a numeric id\./),
  ]);
});

test("pull --wordpress links posts to their pages, unless --post-url says otherwise", async () => {
  site = await serveWordPress(small(), { home: "https://x.example/blog/" });
  const target = newTarget();
  await pullFrom(site.url, target);
  const urlOf = async (...args: string[]): Promise<string> => {
    const out = join(temporaryFolder(), "dist");
    expect(await runBuild("--export", target, "--out", out, ...args)).toMatchObject({ code: 0 });
    return (JSON.parse(readFileSync(join(out, "api/posts/1.json"), "utf8")) as { postUrl: string })
      .postUrl;
  };
  expect(await urlOf()).toBe("https://x.example/blog/?p=1");
  expect(await urlOf("--post-url", "{site}/x/{postId}")).toBe("http://localhost:8888/x/1");
});

test.each([
  ["the header of the home page", { root: "/secret-api/" }],
  ["/wp-json/", { linked: false }],
  ["plain permalinks", { root: "/?rest_route=/", linked: false }],
])("pull --wordpress finds the API by %s", async (_, options) => {
  site = await serveWordPress(small(), options);
  expect(await pullFrom(`${site.url}/`, newTarget())).toMatchObject({ code: 0 });
});

describe("pull --wordpress of a list of many pages", () => {
  const many = (length = 250): WordPressContent => ({
    ...small(),
    posts: Array.from({ length }, (_, i) => post(i + 1)),
    comments: Array.from({ length }, (_, i) => comment(i + 1, i + 1)),
  });
  const idsIn = (target: string) =>
    recordsIn(target, "SELECT post_id AS id FROM posts ORDER BY 1").map(({ id }) => id);

  test.each([
    ["without headers that count", () => ({})],
    ["with a header twice", (total: number) => ({ "X-WP-Total": `${total}, ${total}` })],
  ])("reads it to its end %s", async (_, totals) => {
    site = await serveWordPress(many(), { totals: totals as never });
    const target = newTarget();
    expect((await pullFrom(site.url, target)).code).toBe(0);
    expect(recordsIn(target, "SELECT count(*) AS n FROM posts")).toEqual([{ n: 250 }]);
    expect(recordsIn(target, "SELECT count(*) AS n FROM comments")).toEqual([{ n: 250 }]);
  });

  test.each([
    ["pages of 10 items", 250, { mostPerPage: 10 }],
    ["pages of one item", 30, { mostPerPage: 1 }],
    ["a count that is too small", 250, { totals: () => ({ "X-WP-Total": "100" }) }],
    ["a count that is too large", 250, { totals: () => ({ "X-WP-Total": "5000" }) }],
  ])("reads it whole from a site with %s", async (_, length, options) => {
    site = await serveWordPress(many(length), options as never);
    const target = newTarget();
    expect((await pullFrom(site.url, target)).code).toBe(0);
    expect(recordsIn(target, "SELECT count(*) AS n FROM posts")).toEqual([{ n: length }]);
    expect(recordsIn(target, "SELECT count(*) AS n FROM comments")).toEqual([{ n: length }]);
  });

  const range = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, i) => from + i);

  test.each([
    ["the oldest", 400, range(1, 61), {}],
    ["half a page of the oldest", 400, range(1, 51), {}],
    ["some of the oldest, on pages that are not full", 101, range(1, 28), {}],
    ["three pages of the oldest", 400, range(1, 301), {}],
    ["three pages in the middle", 400, range(51, 349), {}],
    ["every second", 400, range(1, 201).map((i) => 2 * i), {}],
    ["all but the newest", 400, range(1, 400), {}],
    ["of a site with short pages, a page", 400, range(31, 61), { mostPerPage: 20 }],
    [
      "nine of ten, and nobody counts them",
      400,
      range(1, 401).filter((i) => i % 10 > 0),
      { totals: () => ({}) },
    ],
  ])(
    "reads it whole when guests are not given some comments: %s",
    async (_, length, ids, options) => {
      const content = many(length);
      const hidden = new Set(ids);
      content.comments = content.comments.map((one) => ({ ...one, isHidden: hidden.has(one.id) }));
      site = await serveWordPress(content, { hidden: {}, ...(options as object) });
      const target = newTarget();
      const { code, stderr } = await pullFrom(site.url, target);
      expect(code, stderr).toBe(0);
      expect(recordsIn(target, "SELECT comment_id AS id FROM comments ORDER BY 1")).toEqual(
        range(1, length + 1).flatMap((id) => (hidden.has(id) ? [] : [{ id }])),
      );
    },
  );

  test("gives posts the pictures that guests are given, even after an outage", async () => {
    const content = {
      ...small(),
      posts: range(1, 101).map((id) => post(id, { featured_media: id })),
    };
    const media = range(1, 101).map((id) => ({
      id,
      isHidden: id <= 30,
      source_url: `https://blog.example/${id}.png`,
    }));
    site = await serveWordPress({ ...content, media });
    let failures = 0;
    site.instead = (_, path, response) => {
      if (!path.includes("/wp/v2/media") || ++failures > 3) return false;
      response.writeHead(503).end();
      return true;
    };
    const target = newTarget();
    expect((await pullFrom(site.url, target)).code).toBe(0);
    expect(recordsIn(target, "SELECT count(ogp_image_url) AS pictures FROM posts")).toEqual([
      { pictures: 70 },
    ]);
  });

  test("gives posts tags and pictures when pages are shorter than asked for", async () => {
    const ids = Array.from({ length: 30 }, (_, i) => i + 1);
    const content = {
      ...small(),
      posts: ids.map((id) => post(id, { tags: [id, 99], featured_media: id })),
      tags: ids.map((id) => ({ id, name: `tag ${id}` })),
      media: ids.map((id) => ({ id, source_url: `https://blog.example/${id}.png` })),
    };
    site = await serveWordPress(content, { mostPerPage: 10 });
    const target = newTarget();
    expect(await pullFrom(site.url, target)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("of 31 tags that posts carry, the site names 30."),
    });
    expect(
      recordsIn(
        target,
        "SELECT count(*) AS links, (SELECT count(ogp_image_url) FROM posts) AS pictures FROM post_tags",
      ),
    ).toEqual([{ links: 30, pictures: 30 }]);
  });

  test("says so when guests are not given some items", async () => {
    site = await serveWordPress(many(), { hidden: { comments: 11 } });
    const { stdout } = await pullFrom(site.url, newTarget());
    expect(stdout).toContain("The site counts 261 comments, and gives guests 250.");
  });

  const ignoring = {
    "the whole query": ["offset", "order", "orderby", "include", "per_page"],
    "the offset": ["offset"],
    "the order": ["order", "orderby"],
    "ids to include": ["include"],
  };
  const without = (path: string, names: readonly string[]): string => {
    const url = new URL(path, "http://site");
    for (const name of names) url.searchParams.delete(name);
    return url.pathname + url.search;
  };
  describe.each(["posts", "comments"] as const)("of %s", (list) => {
    test.each(Object.entries(ignoring))("refuses it when the site ignores %s", async (_, names) => {
      for (const length of [3, 11, 25, 99, 250])
        for (const totals of [undefined, () => ({})]) {
          const content = many(length);
          // In the usual order of a site: the newest first.
          for (const items of [content.posts, content.comments]) items.reverse();
          const own = await serveWordPress(content, totals && { totals });
          own.rewrite = (path) => (path.includes(`/v2/${list}`) ? without(path, names) : path);
          const target = newTarget();
          const { code, stderr } = await pullFrom(own.url, target);
          await own.close();
          // A list of one page is whole without an offset, and one that is asked for by its ids without `include`.
          const isWhole = length < 100 && ["offset", "include"].includes(names.join());
          expect([code, stderr]).toEqual(
            isWhole
              ? [0, expect.anything()]
              : [1, expect.stringMatching(/(?:than|that) its query asks for/)],
          );
          if (isWhole)
            expect(recordsIn(target, `SELECT count(*) AS n FROM ${list}`)).toEqual([{ n: length }]);
          else expect(existsSync(target)).toBe(false);
        }
    });
  });

  test("gives each post once when one goes and another comes between pages", async () => {
    const content = many();
    content.posts = content.posts.filter(({ id }) => id !== 220);
    site = await serveWordPress(content);
    let pages = 0;
    site.before = () => {
      if (!/v2\/posts\?.*offset=/.test(site?.asked.at(-1) ?? "") || ++pages !== 2) return;
      // An old draft is published as post 3 goes, between two pages.
      content.posts = content.posts.filter(({ id }) => id !== 3).concat(post(220));
    };
    const target = newTarget();
    expect((await pullFrom(site.url, target)).code).toBe(0);
    expect(idsIn(target)).toEqual(content.posts.map(({ id }) => id).sort((a, b) => a - b));
  });
});

test("pull --wordpress reports terms that the site does not name", async () => {
  site = await serveWordPress({ ...small(), tags: [] });
  const { code, stdout } = await pullFrom(site.url, newTarget());
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("warning: of 2 tags that posts carry, the site names 0."),
  ]);
});

test("pull --wordpress gives every lasting post of a list that changes meanwhile", async () => {
  for (let round = 1; round <= 4; round++) {
    const content = small();
    content.posts = Array.from({ length: 450 }, (_, i) => post(i + 1));
    content.comments = Array.from({ length: 450 }, (_, i) => comment(i + 1, i + 1));
    const own = await serveWordPress(content);
    let changes = 0;
    own.before = (request) => {
      if ((request * 7919) % 5 !== round % 5 || changes++ > 6) return;
      const gone = content.posts.splice((request * 97) % 300, 1)[0];
      content.posts.push(post(1000 + request));
      content.comments = content.comments.filter((one) => one["post"] !== gone?.id);
    };
    const target = newTarget();
    const { code, stderr } = await pullFrom(own.url, target);
    await own.close();
    expect(code, stderr).toBe(0);
    expect(changes).toBeGreaterThan(0);
    const pulled = new Set(
      recordsIn(target, "SELECT post_id FROM posts").map(({ post_id: id }) => id),
    );
    expect(content.posts.filter(({ id }) => id <= 450 && !pulled.has(id))).toEqual([]);
    expect(
      recordsIn(target, "SELECT 1 FROM comments WHERE post_id NOT IN (SELECT post_id FROM posts)"),
    ).toEqual([]);
  }
});
test("pull --wordpress reads a list that grows all the time as at first", async () => {
  const content = small();
  content.comments = Array.from({ length: 450 }, (_, i) => comment(i + 1, 1));
  site = await serveWordPress(content);
  site.before = (request) => {
    if (request % 3 > 0 || !/v2\/comments/.test(site?.asked.at(-1) ?? "")) return;
    content.comments = [...content.comments, comment(content.comments.length + 1, 1)];
  };
  const target = newTarget();
  const { code, stderr } = await pullFrom(site.url, target);
  expect(code, stderr).toBe(0);
  expect(recordsIn(target, "SELECT count(*) AS n FROM comments WHERE comment_id <= 450")).toEqual([
    { n: 450 },
  ]);
  expect(content.comments.length).toBeGreaterThan(452);
});

test.each(["https://front.example/", "/wp-login.php"])(
  "pull --wordpress reads the API when the home page leads to %s",
  async (location) => {
    site = await serveWordPress(small());
    site.instead = (_, path, response) => {
      if (path !== "/") return false;
      response.writeHead(302, { Location: location }).end();
      return true;
    };
    const out = newTarget();
    const { code, stderr } = await pullFrom(site.url, out);
    expect(code, stderr).toBe(0);
    expect(recordsIn(out, "SELECT count(*) AS n FROM posts")).toEqual([{ n: 3 }]);
  },
);

describe("pull --wordpress", () => {
  const html =
    (status: number, text: string, headers = {}) =>
    (_: number, __: string, response: import("node:http").ServerResponse) => {
      response.writeHead(status, { "Content-Type": "text/html", ...headers }).end(text);
      return true;
    };
  const onApi =
    (answer: WordPressSite["instead"]): WordPressSite["instead"] =>
    (request, path, response) =>
      /wp-json/.test(path) && answer(request, path, response);
  const sentences: [string, WordPressSite["instead"], RegExp][] = [
    [
      "a closed API",
      onApi(html(401, '{"code":"rest_login_required"}')),
      /gives a guest no WordPress REST API; .* answers 401 .*The site closes it, or its host .*allow guests/,
    ],
    [
      "a site that is no WordPress",
      (_, path, response) => path !== "/" && html(404, "Not found")(0, path, response),
      /Is it a WordPress site/,
    ],
    [
      "a login page",
      html(302, "", { Location: "/wp-login.php" }),
      /leads to \S+wp-login\.php, .*--wordpress/,
    ],
    [
      "another host",
      html(301, "", { Location: "https://other.example/" }),
      /leads to https:\/\/other\.example\/, /,
    ],
    [
      "another port",
      html(302, "", { Location: "http://127.0.0.1:9/" }),
      /leads to http:\/\/127\.0\.0\.1:9\/, /,
    ],
    [
      "a redirect to no page",
      html(302, "", { Location: "mailto:a@b.example" }),
      /leads to b\.example, /,
    ],
    [
      "a redirect with a password",
      html(302, "", { Location: "https://user:hidden_word@127.0.0.1/" }),
      /leads to (?!.*hidden_word)/,
    ],
    [
      "an API on a port that fetch blocks",
      (_, path, response) =>
        path === "/" &&
        html(200, "home", { Link: '<http://127.0.0.1:9/>; rel="https://api.w.org/"' })(
          0,
          path,
          response,
        ),
      /^http:\/\/127\.0\.0\.1:9 does not answer \(bad port\)/,
    ],
    ["redirects without end", html(302, "", { Location: "/" }), /redirects more than 5 times/],
    [
      "a captcha page with status 200",
      onApi(html(200, "<h1>Are you human?</h1>")),
      /answers 200 text\/html: <h1>Are you human\?.*Is it a WordPress site/,
    ],
    [
      "a type that is a command of GitHub's log",
      onApi((_, __, response) => {
        response.writeHead(200, { "Content-Type": "text/x ##[error]now" }).end("no");
        return true;
      }),
      /answers 200 text\/x (?!##\[error\])\S+error\]now: no/,
    ],
    [
      "a body that is not JSON, later",
      (_, path, response) =>
        /wp\/v2/.test(path) && html(200, "<h1>Are you human?</h1>")(0, path, response),
      /Reading posts \(.*\) failed 9 times; the last time the server answered 200 text\/html: <h1>Are you/,
    ],
    [
      "posts that guests may not read",
      (_, path, response) => /wp\/v2\/posts/.test(path) && html(403, "no")(0, path, response),
      /failed 9 times; the last time the server answered 403 text\/html: no\./,
    ],
    [
      "posts that guests may not read, by the API's own words",
      (_, path, response) =>
        /wp\/v2\/posts/.test(path) && html(401, '{"code":"rest_forbidden"}')(0, path, response),
      /answers 401 .*\. Guests must be allowed to read posts/,
    ],
    [
      "a challenge in the place of pictures",
      (_, path, response) =>
        /wp\/v2\/media/.test(path) && html(403, "<h1>Are you human?</h1>")(0, path, response),
      /Reading media .* the last time the server answered 403 text\/html: <h1>Are you/,
    ],
  ];
  test.each(sentences)("explains %s in a sentence", async (_, instead, message) => {
    site = await serveWordPress(small(), { linked: false });
    site.instead = instead;
    const target = newTarget();
    const { code, stderr } = await pullFrom(site.url, target);
    expect([code, stderr.trim().split("\n").at(-1)]).toEqual([1, expect.stringMatching(message)]);
    expect(existsSync(target)).toBe(false);
  });

  test.each([
    "ftp://x",
    "https://user:hidden_word@x",
    "https:hidden_word@x",
    "blog",
    "http://",
    "https://[x",
    "http://x:99999",
  ])("refuses the URL %s at once", async (url) => {
    const { code, stderr, waited } = await pullFrom(url, newTarget());
    expect([code, waited]).toEqual([2, []]);
    expect(stderr).toMatch(/^--wordpress must be a URL/);
    expect(stderr).not.toContain("hidden_word");
  });

  test("says where posts lead when their host is not the API's", async () => {
    site = await serveWordPress(small(), { home: "https://www.front.example" });
    const { code, stdout } = await pullFrom(site.url, newTarget());
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^URLs of posts are https:\/\/www\.front\.example\/\?p=\{postId\}, on another host .*--post-url\.$/m,
      ),
    ]);
  });

  test("reads a URL in capital letters", async () => {
    site = await serveWordPress(small());
    expect(await pullFrom(site.url.toUpperCase(), newTarget())).toMatchObject({ code: 0 });
  });

  test("stops at a list that always goes on", async () => {
    let requests = 0;
    const json = (body: unknown): Response =>
      Response.json(body, { headers: { "X-WP-Total": "5" } });
    const { code, stderr } = await runInProcess(
      (args, io) =>
        pull(args, io, {
          fetch: async (url) =>
            json(url.includes("wp/v2") ? [post(++requests)] : { namespaces: ["wp/v2"] }),
          wait: async () => {},
          now: () => 0,
        }),
      ["--wordpress", "https://blog.example", "--out", newTarget()],
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The list of posts goes on after 10,000 pages, with 10,000 posts, and no more are read\./,
      ),
    ]);
    expect(requests).toBe(10_001);
  });
});

test("pull --wordpress does without closed comments and pictures, and says so", async () => {
  site = await serveWordPress(small());
  site.instead = (_, path, response) => {
    const isComments = /wp\/v2\/comments/.test(path);
    if (!isComments && !/wp\/v2\/media/.test(path)) return false;
    response
      .writeHead(isComments ? 404 : 401, { "Content-Type": "application/json" })
      .end(JSON.stringify({ code: isComments ? "rest_no_route" : "rest_forbidden" }));
    return true;
  };
  const out = newTarget();
  const { code, stdout } = await pullFrom(site.url, out);
  expect(code).toBe(0);
  expect(stdout).toMatch(/The site gives guests no list of comments: there are none\./);
  expect(stdout).toMatch(/Of 1 picture of posts, the site gives guests 0\./);
  expect(recordsIn(out, "SELECT count(*) AS n FROM comments")).toEqual([{ n: 0 }]);
  expect(recordsIn(out, "SELECT count(*) AS n FROM posts WHERE ogp_image_url IS NULL")).not.toEqual(
    [{ n: 0 }],
  );
});

test.each(["/wp-json", "/wp-json/?lang=ja", "/?rest_route=/&lang=ja"])(
  "pull --wordpress finds the lists of an API below %s",
  async (root) => {
    site = await serveWordPress(small(), { root: "/wp-json/" });
    const { url } = site;
    site.instead = (_, path, response) => {
      const asked = new URL(path, url);
      const found = asked.searchParams.get("rest_route") ?? asked.pathname;
      if (asked.pathname === "/" && !asked.searchParams.has("rest_route"))
        response.writeHead(200, { Link: `<${root}>; rel="https://api.w.org/"` }).end("<html>");
      else if (/^(?:\/wp-json\/?|\/)$/.test(found))
        response.writeHead(200).end(JSON.stringify({ namespaces: ["wp/v2"] }));
      else if (/^(?:\/wp-json)?\/wp\/v2\/posts$/.test(found))
        response.writeHead(200, { "X-WP-Total": "1" }).end(JSON.stringify([post(1)]));
      else if (/^(?:\/wp-json)?\/wp\/v2\/\w+$/.test(found)) response.writeHead(200).end("[]");
      else response.writeHead(404).end("{}");
      return true;
    };
    const out = newTarget();
    expect((await pullFrom(url, out)).code).toBe(0);
    expect(recordsIn(out, "SELECT post_id FROM posts")).toEqual([{ post_id: 1 }]);
  },
);

test("pull --wordpress follows a list to another URL of the site", async () => {
  site = await serveWordPress(small());
  const out = newTarget();
  site.instead = (_, path, response) => {
    if (!/wp\/v2\/\w+\?(?!.*moved)/.test(path)) return false;
    response.writeHead(301, { Location: `${path}&moved=1` }).end();
    return true;
  };
  expect((await pullFrom(site.url, out)).code).toBe(0);
  expect(recordsIn(out, "SELECT post_id FROM posts")).toEqual(
    [1, 2, 5].map((id) => ({ post_id: id })),
  );
});

const tooMany = JSON.stringify({
  code: "rest_invalid_param",
  message: "Invalid parameter(s): per_page",
  data: { params: { per_page: "per_page must be between 1 (inclusive) and 30 (inclusive)" } },
});

test.each([
  ["fails over", 500, "There has been a critical error on this website."],
  ["does not allow", 400, tooMany],
])("pull --wordpress asks a site that %s many posts for fewer", async (_, status, body) => {
  const posts = Array.from({ length: 120 }, (__, i) => post(i + 1));
  site = await serveWordPress({ ...small(), posts });
  site.instead = (__, path, response) => {
    if (Number(/wp\/v2\/posts\?.*per_page=(\d+)/.exec(path)?.[1] ?? 0) <= 30) return false;
    response.writeHead(status).end(body);
    return true;
  };
  const out = newTarget();
  expect((await pullFrom(site.url, out)).code).toBe(0);
  expect(recordsIn(out, "SELECT count(*) AS n FROM posts")).toEqual([{ n: 120 }]);
});

test("pull --wordpress asks for as many items after a 429 without Retry-After", async () => {
  const posts = Array.from({ length: 250 }, (_, i) => post(i + 1));
  site = await serveWordPress({ ...small(), posts });
  let left = 5;
  site.instead = (_, path, response) => {
    if (!/wp\/v2\/posts\?.*offset=99/.test(path) || left-- <= 0) return false;
    response.writeHead(429).end();
    return true;
  };
  const out = newTarget();
  expect((await pullFrom(site.url, out)).code).toBe(0);
  expect(recordsIn(out, "SELECT count(*) AS n FROM posts")).toEqual([{ n: 250 }]);
  const sizes = site.asked.flatMap((path) => /v2\/posts\?.*per_page=(\d+)/.exec(path)?.[1] ?? []);
  expect(new Set(sizes)).toEqual(new Set(["100"]));
});

test.each([
  ["media", 403],
  ["comments", 404],
  ["posts", 408],
])(
  "pull --wordpress asks again for a list of %s that is refused with %i midway",
  async (list, status) => {
    const ids = Array.from({ length: 150 }, (_, i) => i + 1000);
    site = await serveWordPress({
      ...small(),
      posts: [post(1), ...ids.map((id) => post(id, { featured_media: id }))],
      media: ids.map((id) => ({ id, source_url: `https://blog.example/${id}.jpg` })),
    });
    const out = newTarget();
    expect((await pullFrom(site.url, out)).code).toBe(0);
    const tables = ["SELECT * FROM posts", "SELECT * FROM comments"];
    const whole = tables.map((select) => recordsIn(out, select));
    let asked = 0;
    site.instead = (_, path, response) => {
      if (!path.includes(`/wp/v2/${list}`) || ++asked !== 2) return false;
      response.writeHead(status).end(JSON.stringify({ code: "rest_no_route" }));
      return true;
    };
    expect((await pullFrom(site.url, out)).code).toBe(0);
    expect(asked).toBeGreaterThan(2);
    expect(tables.map((select) => recordsIn(out, select))).toEqual(whole);
  },
);

test("pull --wordpress asks again for a list that is refused at first", async () => {
  site = await serveWordPress(small());
  let asked = 0;
  site.instead = (_, path, response) => {
    if (!path.includes("/wp/v2/comments") || ++asked !== 1) return false;
    response.writeHead(404).end(JSON.stringify({ code: "rest_no_route" }));
    return true;
  };
  const out = newTarget();
  expect((await pullFrom(site.url, out)).code).toBe(0);
  expect(recordsIn(out, "SELECT count(*) AS n FROM comments")).toEqual([{ n: 3 }]);
});

test.each([
  ["https://x.example/blog/?lang=ja#top", "https://x.example/blog/?p={postId}"],
  // The site is asked where it was found, which is this machine.
  ["https://me:secret@x.example/", undefined],
])(
  "pull --wordpress does not take the home page %s unchanged into URLs of posts",
  async (home, expected) => {
    site = await serveWordPress(small(), { home });
    const out = newTarget();
    const { code, stdout } = await pullFrom(site.url, out);
    expect(code).toBe(0);
    const [row] = recordsIn(out, "SELECT value FROM export_settings WHERE name = 'post_url'");
    expect(row?.["value"]).toBe(expected);
    const notKept = `postUrl leads to this machine or its network (${site.url}), so it is not kept`;
    expect(stdout.includes(notKept)).toBe(expected === undefined);
  },
);

test("pull --wordpress takes the site's name, language and home page", async () => {
  site = await serveWordPress(small(), { home: "https://x.example" });
  const out = newTarget();
  const { code, stdout } = await pullFrom(site.url, out);
  expect(code).toBe(0);
  expect(stdout).not.toContain("language");
  const [row] = recordsIn(out, "SELECT value FROM export_settings WHERE name = 'collection'");
  expect(JSON.parse(String(row?.["value"]))).toEqual({
    title: "R&D cases",
    language: "en-GB",
    publisher: { name: "R&D cases", url: "https://x.example" },
  });
});

test.each(["a country that a theme gives as its language", "the language of an error page"])(
  "pull --wordpress leaves out %s, and says that no language is known",
  async (what) => {
    const isError = what.endsWith("page");
    site = await serveWordPress(small(), { language: "jp" });
    if (isError)
      site.instead = (_, path, response) => {
        if (path !== "/") return false;
        response.writeHead(403, { "Content-Type": "text/html" }).end('<html lang="fr">');
        return true;
      };
    const out = newTarget();
    const { code, stdout } = await pullFrom(site.url, out);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^The home page does not say .*"language" in data\/collection\.json\.$/m,
    );
    const [row] = recordsIn(out, "SELECT value FROM export_settings WHERE name = 'collection'");
    const collection = JSON.parse(String(row?.["value"])) as object;
    expect(collection).toHaveProperty("title");
    expect(collection).not.toHaveProperty("language");
  },
);

test("pull --wordpress leaves out comments whose text the site hides, and says so", async () => {
  const content = small();
  site = await serveWordPress({
    ...content,
    comments: content.comments.map((one) => ({ ...one, content: undefined })),
  });
  const out = newTarget();
  const { code, stderr } = await pullFrom(site.url, out);
  expect(code, stderr).toBe(0);
  expect(recordsIn(out, "SELECT * FROM comments")).toEqual([]);
  expect(stderr).toMatch(/^warning: comments 1\b.*: comment_content missing is not .*left out/m);
});
