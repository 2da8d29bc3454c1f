/** Posts as JSON Lines: the published file is one, and what is wrong is said with its line and field. */
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsIn, runPull } from "../../tests/support/pull.ts";
import { exportWith, builtCopy, filesIn, temporaryFolder } from "../../tests/support/support.ts";

const post = {
  postId: 1,
  postTitle: "One",
  postContentHtml: "<p>1</p>",
  postDateGmt: "2024-05-31T09:00:00Z",
};
const text = (...posts: readonly unknown[]): string =>
  posts.map((one) => `${JSON.stringify(one)}\n`).join("");

/**
 * Pulls what is given as a file.
 *
 * @returns how it ended, and where the export is
 */
async function pullText(content: string | Uint8Array, name = "posts.jsonl") {
  const folder = temporaryFolder();
  const out = join(folder, "export.sqlite");
  writeFileSync(join(folder, name), content);
  return { ...(await runPull(["--jsonl", join(folder, name), "--out", out])), out };
}

test("pull --jsonl of the bulk download gives the same documents and index", async () => {
  const folder = temporaryFolder();
  const out = join(folder, "export.sqlite");
  const unnamed = exportWith("DROP TABLE export_settings");
  const bySimilar = await builtCopy(unnamed, "--post-url", "https://cases.example/p/{postId}");
  const { code, stderr } = await runPull([
    "--jsonl",
    join(bySimilar, "bulk/posts.jsonl.gz"),
    "--out",
    out,
  ]);
  expect([code, stderr]).toEqual([0, "posts: 40 posts\n"]);
  const copied = filesIn(await builtCopy(out));
  // These hold the digest of the export itself.
  const ofExport = /(?:^|[/\\])(?:snapshot\.json|sync\.json|\.search-index[/\\]manifest\.json)$/;
  const compared = [...filesIn(bySimilar)].filter(([path]) => !ofExport.test(path));
  expect(compared.length).toBeGreaterThan(50);
  for (const [path, bytes] of compared) expect(copied.get(path)?.equals(bytes), path).toBe(true);
});

test("pull --jsonl reads several files, gzip, standard input and many programs' output", async () => {
  const folder = temporaryFolder();
  const [plain, packed, out] = ["a.jsonl", "b.jsonl.gz", "export.sqlite"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(plain, `\uFEFF${text(post)}\r\n\r\n`);
  const half = text({ ...post, postId: 2, isWelcomed: true, tags: ["a b", "c"], countLikes: null });
  writeFileSync(packed, Buffer.concat([gzipSync(half.slice(0, 20)), gzipSync(half.slice(20))]));
  const third = { ...post, postId: 3, postDateGmt: "2024-05-31 09:00:00+00", tags: ["c"] };
  const { code, stdout } = await runPull(["--jsonl", plain, packed, "-", "--out", out], {}, [
    Buffer.from(
      text(
        { ...third, postTitel: "CANARY", category: "CANARY", "\u202E": 1 },
        { ...post, postId: 4, postTitel: 1 },
      ),
    ),
  ]);
  expect(code).toBe(0);
  expect(stdout).toBe(
    "standard input line 1: postTitel is not read. Is postTitle meant?\n" +
      `not read: category, \\u{202e}\n${out}: 4 posts, 0 comments, 2 tags from JSON Lines\n`,
  );
  expect(rowsIn(out, "SELECT post_id, is_welcomed, count_likes, post_date_gmt FROM posts")).toEqual(
    [
      [1, null, 0, "2024-05-31T09:00:00Z"],
      [2, 1, 0, "2024-05-31T09:00:00Z"],
      [3, null, 0, "2024-05-31T09:00:00+00:00"],
      [4, null, 0, "2024-05-31T09:00:00Z"],
    ],
  );
  const names = "SELECT post_id, tag_name FROM post_tags JOIN tags USING (tag_id) ORDER BY 1, 2";
  expect(rowsIn(out, names)).toEqual([
    [2, "a b"],
    [2, "c"],
    [3, "c"],
  ]);
});

test("pull --jsonl takes text in the place of missing or blank HTML", async () => {
  const { postContentHtml: html, ...bare } = post;
  const plain = { ...bare, postContentText: "a < b\nc\n\nd & e" };
  const { code, stdout, out } = await pullText(
    text(
      plain,
      { ...plain, postId: 2, postContentHtml: html },
      { ...plain, postId: 3, postContentHtml: " " },
      { ...plain, postId: 4, postContentHtml: null },
    ),
  );
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("not read")]);
  const made = "<p>a &lt; b<br>c</p><p>d &amp; e</p>";
  expect(rowsIn(out, "SELECT post_content_html FROM posts")).toEqual([
    [made],
    [html],
    [made],
    [made],
  ]);
  const wrong = await pullText(text({ ...bare, postContentText: ["a"] }));
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining("postContentHtml is missing"),
  ]);
});

test("pull --jsonl names what cannot be read, not the file that is written", async () => {
  const folder = temporaryFolder();
  const [loop, out] = [join(folder, "loop.jsonl"), join(folder, "export.sqlite")];
  symlinkSync("loop.jsonl", loop);
  const refused = await runPull(["--jsonl", loop, "--out", out]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`${loop} cannot be read (ELOOP`),
  ]);
  // As the shell gives it: npm run pull -- --jsonl - < folder
  const given = await runPull(["--jsonl", "-", "--out", out], {}, createReadStream(folder));
  expect([given.code, given.stderr]).toEqual([
    1,
    expect.stringContaining("standard input cannot be read (EISDIR"),
  ]);
  expect(refused.stderr + given.stderr).not.toContain("export.sqlite");
});

test.each([
  ["with \\n as two characters alone", [String.raw`<p>a</p>\n<p>b</p>`, "<p>c</p>"], true],
  ["and a line break", [String.raw`<code>printf("a\n")</code>`, "<p>a</p>\n"], false],
  ["and neither", ["<p>a</p>"], false],
])("pull --jsonl warns of COPY's escapes, or does not, for bodies %s", async (_, bodies, warns) => {
  const posts = bodies.map((postContentHtml, i) => ({ ...post, postId: i + 1, postContentHtml }));
  const { code, stdout } = await pullText(text(...posts));
  expect([code, /^warning: posts\.jsonl: 1 text with \\n as two characters/m.test(stdout)]).toEqual(
    [0, warns],
  );
});

test("pull --jsonl takes null among tags or comments as none", async () => {
  const { code, out } = await pullText(text({ ...post, tags: [null], comments: [null] }));
  expect([code, rowsIn(out, "SELECT * FROM tags"), rowsIn(out, "SELECT * FROM comments")]).toEqual([
    0,
    [],
    [],
  ]);
});

test("pull --jsonl warns of COPY's escapes in comments, too", async () => {
  const comment = { commentId: 1, commentDateGmt: "2024-05-31T09:00:00Z", commentAuthor: "A" };
  const withComment = (commentContent: string) =>
    pullText(text({ ...post, comments: [{ ...comment, commentContent }, null] }));
  expect((await withComment(String.raw`a\nb`)).stdout).toContain(
    "warning: posts.jsonl: 1 text with",
  );
  expect((await withComment(String.raw`a\nb` + "\n")).stdout).not.toContain("warning");
});

test("pull --jsonl gives a tag without an id the same id each time", async () => {
  const one = await pullText(text({ ...post, tags: ["x", "y"] }));
  const two = await pullText(text({ ...post, tags: ["y", "z", "x"] }));
  const ids = (file: string) => rowsIn(file, "SELECT tag_name, tag_id FROM tags");
  expect(ids(two.out)).toEqual(expect.arrayContaining(ids(one.out)));
});

test("pull --jsonl gives a tag its object's id, unless text names it first", async () => {
  const named = { ...post, tags: ["a", "b"] };
  const numbered = { ...post, postId: 2, tags: [{ tagId: 5, tagName: "a" }, "a"] };
  const { out } = await pullText(text(numbered, named));
  expect(rowsIn(out, "SELECT tag_id FROM tags WHERE tag_name = 'a'")).toEqual([[5]]);
  expect(rowsIn(out, "SELECT post_id FROM post_tags WHERE tag_id = 5 ORDER BY 1")).toEqual([
    [1],
    [2],
  ]);
  const { code, stderr } = await pullText(text(named, numbered));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/line 2: tags\[0\]\.tagName "a" /)]);
});

/**
 * Pulls two posts with these URLs.
 *
 * @returns the template that builds use, if any, and what is said
 */
async function templateOf(...urls: readonly (string | undefined)[]) {
  const posts = urls.map((postUrl, i) => ({ ...post, postId: i + 1, postUrl }));
  const { code, stdout, out } = await pullText(text(...posts));
  expect(code).toBe(0);
  const hasTemplate = rowsIn(out, "SELECT 1 FROM sqlite_schema WHERE name = 'export_settings'");
  const [template] = hasTemplate.length > 0 ? rowsIn(out, "SELECT value FROM export_settings") : [];
  return { template: (template as string[] | undefined)?.[0], stdout };
}

test("pull --jsonl links posts to their pages when all URLs have one form", async () => {
  const { template } = await templateOf("https://a.example/1", "https://a.example/2");
  expect(template).toBe("https://a.example/{postId}");
  const page = "https://a.example/";
  const twice = await templateOf(`${page}1?lang=2`, `${page}2?lang=2`, `${page}3?lang=2`);
  expect(twice.template).toBe(`${page}{postId}?lang=2`);
  for (const urls of [
    [`${page}1`, undefined],
    [undefined, `${page}2`],
    [`${page}1`, "", `${page}3`],
    [`${page}1`, `${page}special/2`, `${page}3`],
  ]) {
    const of = await templateOf(...urls);
    expect(of.template).toBeUndefined();
    expect(of.stdout).toMatch(
      /line 2: postUrl is not one text for all posts.*builds use their own/,
    );
  }
  const slug = await templateOf(`${page}a-slug`);
  expect(slug.template).toBeUndefined();
  expect(slug.stdout).toMatch(/line 1: postUrl is not one text/);
  expect((await templateOf(undefined, "")).stdout).not.toContain("postUrl");
});

test.each([
  "http://localhost:8888",
  ..."nas wp.lan blog.internal wp.home.arpa wordpress:8080 [fd12:3456::1] [fe80::1] 169.254.10.2 100.64.0.1"
    .split(" ")
    .map((host) => `http://${host}`),
  "https://127.1",
  "http://[::1]:80",
  "http://0.0.0.0:3000",
  "http://mysite.local",
  "https://mysite.test",
  "http://192.168.1.20:8080",
  "http://10.0.0.1",
  "http://172.31.0.1",
])("pull --jsonl does not link posts to the machine of the pull, %s", async (origin) => {
  const { template, stdout } = await templateOf(`${origin}/?post=1`, `${origin}/?post=2`);
  expect(template).toBeUndefined();
  expect(stdout).toContain(
    `postUrl leads to this machine or its network (${new URL(origin).origin}), so it is not kept`,
  );
});

test.each(["203.0.113.5", "8.8.8.8", "172.32.0.1", "[2001:db8::1]", "wp.example"])(
  "pull --jsonl links posts to a page elsewhere, on %s",
  async (host) => {
    const urls = [1, 2].map((id) => `http://${host}/?p=${id}`) as [string, string];
    expect((await templateOf(...urls)).template).toBe(`http://${host}/?p={postId}`);
  },
);

test.each([
  ["/posts/", ""],
  ["javascript:alert(", ")"],
  ["ftp://a.example/", ""],
  ["https://a.example:", "/"],
  ["https://user:hidden@a.example/", ""],
])("pull --jsonl does not link posts to %s%s, which no page can have", async (before, after) => {
  const urls = [1, 2].map((id) => before + String(id) + after);
  const { template, stdout } = await templateOf(...urls);
  expect(template).toBeUndefined();
  expect(stdout).toContain("postUrl is not an http or https URL without a password");
  expect(stdout).not.toContain("hidden");
});

test("pull --jsonl takes no template from a URL with the mark of one", async () => {
  expect((await templateOf("https://a.example/{site}/1")).template).toBeUndefined();
});

test("pull --jsonl leaves out missing similar posts, and pages of several sites", async () => {
  const { out, stdout } = await pullText(
    text(
      { ...post, similarPosts: [{ postId: 9 }, { postId: 2 }], postUrl: "https://a.example/1" },
      { ...post, postId: 2, similarPosts: [1], postUrl: "https://b.example/2" },
    ),
  );
  expect(stdout).toMatch(/left out, because the post is missing: 1 similar post\n/);
  expect(rowsIn(out, "SELECT * FROM similar_posts")).toEqual([
    [1, 2, 2],
    [2, 1, 1],
  ]);
  expect(rowsIn(out, "SELECT count(*) FROM sqlite_schema WHERE name = 'export_settings'")).toEqual([
    [0],
  ]);
});

test("pull --jsonl does not show the password of a URL that it cannot pull", async () => {
  const { code, stdout, stderr } = await runPull([
    "--jsonl",
    "postgres://user:hidden@db.example/posts",
    "--out",
    join(temporaryFolder(), "export.sqlite"),
  ]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("db.example/posts: there is no such"),
  ]);
  expect(stdout + stderr).not.toMatch(/hidden|user/);
});

const secret = "CANARY_PRIVATE";
/** A line with a fault, beside a value that is not published. */
const withFault = (fault: Readonly<Record<string, unknown>>): string =>
  text({ ...post, email: secret, ...fault });

const badDates = [
  "31.05.2024",
  "5/31/2024",
  "31/5/2024 9:00",
  "2024-13-01",
  "2024-02-30",
  "2024-5",
  "2024",
  "yesterday",
  "2024-05-31T25:00:00",
  "2024-05-31T09:61:00",
  "2024/05-31",
  "20240531",
  "1717146000",
  "May 31, 2024",
  "令和6年5月31日",
  "",
  1_717_146_000,
  true,
  {},
];

type Refused = readonly [fault: Readonly<Record<string, unknown>>, message: RegExp];

test.each<Refused>([
  ...badDates.map((date): Refused => [
    { postDateGmt: date },
    /posts\.jsonl line 1: postDateGmt \S.* is not /,
  ]),
  [{ postDateGmt: null }, /posts\.jsonl line 1: postDateGmt is missing/],
  [{ postTitle: undefined }, /posts\.jsonl line 1: postTitle is missing/],
  [{ postTitle: 5 }, /line 1: postTitle 5 is not text/],
  [{ postDateGmt: 1717146000 }, /line 1: postDateGmt 1717146000 is not text .*'unixepoch'/],
  [{ postTitle: "\ud800" }, /line 1: postTitle "\\ud800" holds half a character/],
  [{ postId: "1" }, /line 1: postId "1" is not a number/],
  [{ postId: 2 ** 60 }, /line 1: postId \S+ is not a whole number/],
  [{ postId: 0 }, /line 1: postId \S+ is not a whole number/],
  [{ postId: 1.5 }, /line 1: postId \S+ is not a whole number/],
  [{ postId: [1] }, /line 1: postId \[1\] is not a number/],
  [{ isWelcomed: "yes" }, /line 1: isWelcomed "yes" is neither 0, 1 nor NULL/],
  [{ countLikes: -1 }, /line 1: countLikes -1 is not a whole number/],
  [{ ogpImageUrl: "javascript:1" }, /line 1: ogpImageUrl "javascript:1" is not an absolute/],
  [{ tags: "a,b" }, /line 1: tags "a,b" is no list/],
  [{ tags: [{ tagId: 1 }] }, /line 1: tags\[0\]\.tagName is missing/],
  [{ tags: ["a", 5] }, /line 1: tags\[1\]\.tagName 5 is not text/],
  [
    { tags: [{ tagName: { toString: 1, valueOf: 1 } }] },
    /line 1: tags\[0\]\.tagName \S+ is not text/,
  ],
  [{ tags: ["a", { tagId: "5", tagName: "a" }] }, /line 1: tags\[1\]\.tagId "5" is not a number/],
  [
    { tags: ["b", { tagId: 5, tagName: "a" }, { tagId: 5, tagName: "b" }] },
    /tags\[2\]\.tagId 5 is also in posts\.jsonl line 1/,
  ],
  [
    {
      tags: [
        { tagId: 1, tagName: "a" },
        { tagId: 1, tagName: "b" },
      ],
    },
    /tags\[1\]\.tagId 1 is also in posts\.jsonl line 1/,
  ],
  [{ comments: [5] }, /line 1: comments\[0\] 5 is no object/],
  [{ comments: [{ commentId: 1 }] }, /line 1: comments\[0\]\.commentDateGmt is missing/],
  [{ similarPosts: [{}] }, /line 1: similarPosts\[0\]\.postId is missing/],
])("pull --jsonl refuses %j with its line and field", async (fault, message) => {
  const { code, stdout, stderr, out } = await pullText(withFault(fault));
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/pull stopped: \d+ errors?; .*export\.sqlite is unchanged\.\n$/);
  expect(stdout + stderr).not.toMatch(secret);
  expect(existsSync(out)).toBe(false);
});

test.each([
  ["nothing", "", /posts\.jsonl is empty/],
  ["blank lines", "\n\n", /what was read has no posts/],
  ["HTML", "<!doctype html><p>", /seems to be a page of HTML or XML/],
  [
    "WordPress' export",
    '<?xml version="1.0" encoding="UTF-8" ?>\n<!-- generator="WordPress/7.1" created="2026-01-01" -->\n<!-- This is a WordPress eXtended RSS file -->',
    /seems to be WordPress' own export\. .*npm run pull -- --wordpress URL/,
  ],
  ["a JSON array", text([post]), /seems to be a JSON array\. .*jq -c/],
  ["a JSON document", JSON.stringify({ posts: [post] }, null, 2), /JSON document of several lines/],
  [
    "a list in one line",
    JSON.stringify({ records: [post] }),
    /line 1 is no post, but holds a list, records\./,
  ],
  [
    "own names, with tags",
    text({ id: 1, title: "T", tags: ["train"], categories: [{ id: 1 }] }),
    /line 1: postId is missing/,
  ],
  ["CSV", "post_id,post_title\n1,x\n", /seems to be CSV\. Read it: npm run pull -- --csv/],
  ["text", "hello", /line 1 is not JSON/],
  ["a number", `${text(post)}5\n`, /line 2 is JSON, but no object/],
  [
    "half a line",
    `${text(post)}${withFault({}).slice(0, -9)}`,
    /line 2 is not JSON, or is cut off/,
  ],
  ["a NUL", `${text(post)}{"postId":\0}`, /line 2 is not JSON/],
  ["not UTF-8", Buffer.from(text({ ...post, postTitle: "é" }), "latin1"), /line 1 is not UTF-8/],
  ["UTF-16", Buffer.from(`\uFEFF${text(post)}`, "utf16le"), /seems to be text in UTF-16/],
  ["half a gzip", gzipSync(text(post)).subarray(0, 60), /damaged or cut off/],
  [
    "a repeated id",
    text(post, post),
    /posts\.jsonl line 2: postId \d+ is also in posts\.jsonl line 1 /,
  ],
  ["a gzip bomb", gzipSync(Buffer.alloc(100_000_000)), /line 1 is longer than 64,000,000 bytes/],
  ["a long line", Buffer.alloc(70_000_000, "{"), /line 1 is longer than 64,000,000 bytes/],
])(
  "pull --jsonl explains its refusal of %s, and keeps the export before",
  async (_, content, message) => {
    const folder = temporaryFolder();
    const out = join(folder, "export.sqlite");
    const file = join(folder, "posts.jsonl");
    writeFileSync(file, text(post));
    expect((await runPull(["--jsonl", file, "--out", out])).code).toBe(0);
    const before = readFileSync(out);
    writeFileSync(file, content);
    const { code, stderr } = await runPull(["--jsonl", file, "--out", out]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).not.toMatch(secret);
    expect(readFileSync(out).equals(before)).toBe(true);
  },
);

test("pull --jsonl reads a cut or altered file, or refuses it in a sentence", async () => {
  const whole = Buffer.from(text({ ...post, tags: ["é"], email: secret }, { ...post, postId: 2 }));
  const damaged = fc.oneof(
    fc.integer({ min: 0, max: whole.length }).map((at) => whole.subarray(0, at)),
    fc
      .tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }))
      .map(([at, byte]) => whole.with(at, byte)),
  );
  await fc.assert(
    fc.asyncProperty(damaged, fc.boolean(), async (bytes, packed) => {
      const { code, stderr } = await pullText(packed ? gzipSync(bytes) : bytes);
      if (code === 0) return;
      expect(code).toBe(1);
      expect(stderr).toMatch(/[.?]\n$/);
      expect(stderr).not.toMatch(/\n +at /);
      expect(stderr).not.toMatch(secret);
    }),
    { numRuns: 40 },
  );
});

test("pull --jsonl asks a server for bytes that are not compressed", async () => {
  const asked: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers["accept-encoding"]);
    response.end(text(post));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const out = join(temporaryFolder(), "export.sqlite");
  const url = `http://127.0.0.1:${port}/posts.jsonl`;
  expect((await runPull(["--jsonl", url, "--out", out])).code).toBe(0);
  server.close();
  expect(asked).toEqual(["identity"]);
});

test("pull --jsonl reads answers to their end when the connection closes with them", async () => {
  const uncaught: Error[] = [];
  const keep = (error: Error) => uncaught.push(error);
  process.on("uncaughtException", keep);
  const postContentHtml = "word ".repeat(200);
  const posts = Array.from({ length: 300 }, (_, id) => ({
    ...post,
    postId: id + 1,
    postContentHtml,
  }));
  const server = createServer((_, response) => {
    response.setHeader("Connection", "close").end(text(...posts));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/posts.jsonl`;
  for (let time = 0; time < 5; time++) {
    const out = join(temporaryFolder(), "export.sqlite");
    const { code, stderr } = await runPull(["--jsonl", url, "--out", out]);
    expect([code, stderr]).toEqual([0, "posts: 300 posts\n"]);
  }
  server.close();
  process.off("uncaughtException", keep);
  expect(uncaught).toEqual([]);
});

test("pull --jsonl explains a URL that dies midway, without the key in its query", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write(text(post));
    setTimeout(() => response.destroy(), 5);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const out = join(temporaryFolder(), "export.sqlite");
  const url = `http://127.0.0.1:${port}/posts.jsonl?key=${secret}`;
  const { code, stdout, stderr } = await runPull(["--jsonl", url, "--out", out]);
  server.close();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/posts\.jsonl failed 9 times; .*Try again later\.\n$/),
  ]);
  expect(stdout + stderr).not.toMatch(secret);
  expect(existsSync(out)).toBe(false);
});
