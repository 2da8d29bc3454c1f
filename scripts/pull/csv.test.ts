/** Posts as CSV, as spreadsheets and databases write it; what is wrong is said with its line and column. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsIn, runPull } from "../../tests/support/pull.ts";
import { serveStandIn } from "../../tests/support/stand-in.ts";
import { temporaryFolder } from "../../tests/support/support.ts";

/**
 * Pulls what is given as files.
 *
 * @returns how it ended, and where the export is
 */
async function pullCsv(
  posts: string | Uint8Array,
  comments?: string | Uint8Array,
  ...options: readonly string[]
) {
  const folder = temporaryFolder();
  const [file, second, out] = ["posts.csv", "comments.csv", "export.sqlite"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(file, posts);
  if (comments !== undefined) writeFileSync(second, comments);
  const more = comments === undefined ? [] : ["--comments", second];
  const ended = await runPull(["--csv", file, ...more, ...options, "--out", out]);
  return { ...ended, file, out };
}

const header = "post_id,post_title,post_content_html,post_date_gmt";
const columns = "SELECT post_id, post_title, post_content_html, post_date_gmt FROM posts";

const asWritten = [
  ["commas", `${header}\n1,"a, ""b""","<p>1\n2</p>",2024-05-31T09:00:00Z\n`],
  ["semicolons", `${header.replaceAll(",", ";")}\r\n1;"a, ""b""";"<p>1\n2</p>";2024/5/31 9:00\r\n`],
  ["tabs", `${header.replaceAll(",", "\t")}\r\n1\ta, "b"\t"<p>1\n2</p>"\t2024-05-31 09:00\r\n`],
] as const;

test.each(asWritten.filter(([name]) => name !== "tabs"))(
  "pull --csv reads %s with quotes and line breaks, in each encoding",
  async (_, text) => {
    const encodings = [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      gzipSync(text),
      Buffer.from(`\uFEFF${text}`, "utf16le"),
    ];
    for (const bytes of encodings) {
      const { code, stderr, out } = await pullCsv(bytes);
      expect([code, stderr]).toEqual([0, "rows: 1 row\n"]);
      const [[, , , date] = []] = rowsIn(out, columns) as string[][];
      expect(rowsIn(out, columns)).toEqual([[1, 'a, "b"', "<p>1\n2</p>", date]]);
      expect(Date.parse(String(date).replace(/Z?$/, "Z"))).toBe(Date.UTC(2024, 4, 31, 9));
    }
  },
);

/** The tags of each post, for `rows`. */
const tagsOfPosts =
  "SELECT post_id, tag_name FROM post_tags JOIN tags USING (tag_id) ORDER BY 1, 2";

test("pull --csv leaves out blank rows, and keeps the lines of others right", async () => {
  const text = `\n${header}\r\n\r\n1,T,B,2024-05-31\r\n,,,\r\n , ,,\r\n2,T,B,2024-05-31\r\n${",,,\r\n".repeat(1100)}`;
  const { code, out } = await pullCsv(text);
  expect(code).toBe(0);
  expect(rowsIn(out, "SELECT post_id FROM posts")).toEqual([[1], [2]]);
  expect((await pullCsv(`${text},T,B,2024-05-31\r\n`)).stderr).toContain(
    "posts.csv line 1,108: post_id is missing",
  );
});

test.each(["\n", "\r\n", "\r"])(
  "pull --csv counts lines alike within quotes: %j",
  async (newLine) => {
    const row = `1,"a${newLine}b${newLine}${newLine}c",B,2024-05-31`;
    const lines = ["postId,postTitle,postContentHtml,postDateGmt", row, ",T,B,2024-05-31"];
    const { code, stderr } = await pullCsv(lines.join(newLine));
    expect([code, stderr]).toEqual([1, expect.stringContaining("line 6: postId is missing")]);
  },
);

test("pull --csv makes paragraphs at blank lines, even with a long run of spaces", async () => {
  const text = `　\na  \r\n \r\nb\nc${" ".repeat(300_000)}d \n\n\n 　e\n　f　`;
  const { out } = await pullCsv(
    `post_id,post_title,post_date_gmt,post_content_text\n1,T,2024-05-31,"${text}"\n`,
  );
  expect(rowsIn(out, "SELECT replace(post_content_html, '  ', '') FROM posts")).toEqual([
    ["<p>a</p><p>b<br>cd</p><p>　e<br>　f</p>"],
  ]);
});

test("pull --csv reads line breaks of any program in a text", async () => {
  const { out } = await pullCsv(
    'post_id,post_title,post_date_gmt,post_content_text\n1,T,2024-05-31,"a\vb\rc\u2028d\r\r\u2029\ve"\n',
  );
  expect(rowsIn(out, "SELECT post_content_html FROM posts")).toEqual([
    ["<p>a<br>b<br>c<br>d</p><p>e</p>"],
  ]);
});

test("pull --csv takes the text as the body where the HTML is blank", async () => {
  const { out } = await pullCsv(
    'post_id,post_title,post_date_gmt,post_content_html,post_content_text\n1,T,2024-05-31," ",a < b\n',
  );
  expect(rowsIn(out, "SELECT post_content_html FROM posts")).toEqual([["<p>a &lt; b</p>"]]);
});

test("pull --csv ends a row at a line break of any kind, even mixed", async () => {
  const titleLast = "post_id,post_content_html,post_date_gmt,post_title";
  const cells = "B,2024-05-31,";
  const { code, out } = await pullCsv(
    `${titleLast}\n1,${cells}T\r\n2,${cells}"T"\r\n3,${cells}T\r4,${cells}"a\r\nb"\n`,
  );
  expect(code).toBe(0);
  expect(rowsIn(out, "SELECT post_id, post_title FROM posts")).toEqual([
    [1, "T"],
    [2, "T"],
    [3, "T"],
    [4, "a\r\nb"],
  ]);
});

test("pull --csv reads tabs, and columns in any order and case, by both names", async () => {
  const { code, out } = await pullCsv(
    "Tags\tPostDateGmt\tCOUNT_LIKES\tpostId\tPost Title\tpost_content_text\tis_welcomed\tog\r\n" +
      'machine learning | b\t2024/5/31\t7\t1\tT\t"a < b\n2\n\nc"\tTRUE\tx\r\n' +
      "x, y\t2024.5.1 23:59:01\t\t2\tT\t\t\t\r\n",
  );
  expect(code).toBe(0);
  expect(rowsIn(out, `${columns.replace(" FROM", ", count_likes, is_welcomed FROM")}`)).toEqual([
    [1, "T", "<p>a &lt; b<br>2</p><p>c</p>", "2024-05-31T00:00:00", 7, 1],
    [2, "T", "", "2024-05-01T23:59:01", 0, null],
  ]);
  expect(rowsIn(out, tagsOfPosts)).toEqual([
    [1, "b"],
    [1, "machine learning"],
    [2, "x"],
    [2, "y"],
  ]);
});

test("pull --csv reads a quoted tag with a comma, as Airtable writes lists", async () => {
  const cells = ['"Tokyo, Japan",Osaka', 'b, "x ""y"", z"', '"open, c', '"a" b, c', '5" disk, d'];
  const { out } = await pullCsv(
    `${header},tags\n${cells.map((cell, i) => `${i + 1},T,B,2024-05-31,"${cell.replaceAll('"', '""')}"\n`).join("")}`,
  );
  expect(rowsIn(out, tagsOfPosts)).toEqual([
    [1, "Osaka"],
    [1, "Tokyo, Japan"],
    [2, "b"],
    [2, 'x "y", z'],
    [3, '"open'],
    [3, "c"],
    [4, '"a" b'],
    [4, "c"],
    [5, '5" disk'],
    [5, "d"],
  ]);
});

test("pull --csv accepts rows without their empty cells at the end", async () => {
  const { code, out } = await pullCsv(
    `${header},tags,is_welcomed\n1,T,B,2024-05-31,a\n2,T,B,2024-05-31\n3,T,B,2024-05-31,b,1\n`,
  );
  expect(code).toBe(0);
  expect(rowsIn(out, "SELECT post_id, is_welcomed FROM posts")).toEqual([
    [1, null],
    [2, null],
    [3, 1],
  ]);
  expect(rowsIn(out, "SELECT post_id FROM post_tags ORDER BY 1")).toEqual([[1], [3]]);
});

test("pull --csv names columns that are not read, once", async () => {
  const { code, stdout, out } = await pullCsv(
    `${header},tag,Category,"e\u202Email"," "\n1,T,B,2024-05-31,a,b,c,\n`,
  );
  expect(code).toBe(0);
  expect(stdout.replaceAll(/^.*\/(?=posts\.csv)/gm, "").split("\n")).toEqual([
    "posts.csv: tag is not read. Is tags meant?",
    "posts.csv: not read: Category, e\\u{202e}mail",
    `${out}: 1 post, 0 comments, 0 tags from CSV`,
    "",
  ]);
});

test("pull --csv reads tags as a JSON array, and refuses other forms of lists", async () => {
  const withTags = (cell: string) =>
    pullCsv(`${header},tags\n1,T,B,2024-05-31,"${cell.replaceAll('"', '""')}"\n`);
  const { out } = await withTags('["train","a, b"]');
  expect(rowsIn(out, "SELECT tag_name FROM tags ORDER BY 1")).toEqual([["a, b"], ["train"]]);
  for (const cell of ["[]", "[null]"])
    expect(rowsIn((await withTags(cell)).out, "SELECT * FROM tags")).toEqual([]);
  const objects = await withTags('[{"tagId":3,"tagName":"train"}]');
  expect(rowsIn(objects.out, "SELECT * FROM tags")).toEqual([[3, "train"]]);
  expect((await withTags("[2023,2024]")).code).toBe(1);
  expect((await withTags("#N/A,train")).stderr).toContain("tags has what a spreadsheet writes");
  for (const cell of ["{train,manners}", "['train', 'manners']", '{"a":1}', "[train, manners]"]) {
    const { code, stderr } = await withTags(cell);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/posts\.csv line 2: tags .*is no list.*write it as \[…\]/),
    ]);
  }
  for (const cell of ["[a], {b}", "[重要],[2024]", "[PR]|x"])
    expect(rowsIn((await withTags(cell)).out, "SELECT count(*) FROM tags")).toEqual([[2]]);
  expect(rowsIn((await withTags("[重要]")).out, "SELECT tag_name FROM tags")).toEqual([["[重要]"]]);
});

test("pull --csv warns when some cells of tags have bars and others commas", async () => {
  const withTags = (...cells: readonly string[]) =>
    pullCsv(
      `${header},tags\n${cells.map((cell, i) => `${i + 1},T,B,2024-05-31,"${cell}"\n`).join("")}`,
    );
  const mixed = /^warning: .*separated by \| in line 2, and by commas in line 4\. .*JSON/m;
  const both = await withTags("a|b", "c", "Tokyo, Japan");
  expect([both.code, both.stdout]).toEqual([0, expect.stringMatching(mixed)]);
  const right = await withTags("a|b", "c", "Tokyo, Japan|", '[""d, e""]');
  expect(right.stdout).not.toContain("warning");
  expect(rowsIn(right.out, "SELECT tag_name FROM tags ORDER BY 1").flat()).toEqual([
    "Tokyo, Japan",
    "a",
    "b",
    "c",
    "d, e",
  ]);
});

test("pull --csv warns of database escapes, and takes them as they stand", async () => {
  const body = String.raw`one\ntwo C:\\temp`;
  const table = `${header.replaceAll(",", "\t")}\n1\tT\t${body}\t2024-05-31\n`;
  const { code, stdout, out } = await pullCsv(table);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^warning: .*1 cell with \\n, \\t or/m),
  ]);
  expect(rowsIn(out, "SELECT post_content_html FROM posts")).toEqual([[body]]);
  for (const escaped of [body, '"one\\\ntwo"', '"one\\\r\ntwo"']) {
    const withTitle = (title: string) => pullCsv(`${header}\n1,"${title}",${escaped},2024-05-31\n`);
    expect((await withTitle("T")).stdout).toMatch(/^warning: .*1 text with \\n as two characters/m);
    expect((await withTitle("T\nt")).stdout).not.toContain("warning");
  }
});

test("pull --csv warns of a text as long as Excel's limit", async () => {
  const long = (characters: number) =>
    pullCsv(`${header}\n1,T,B,2024-05-31\n2,T,${"あ".repeat(characters)},2024-05-31\n`);
  expect((await long(32_767)).stdout).toMatch(/^warning: .*line 3: .*32,767 .*Excel/m);
  for (const characters of [32_766, 32_768])
    expect((await long(characters)).stdout).not.toContain("warning");
});

test("pull --csv reads a whole number as pandas writes a column with gaps", async () => {
  const { out } = await pullCsv(
    `${header},count_likes,count_dislikes\n1,T,B,2024-05-31,3.0,\n2.0,T,B,2024-05-31,,1\n`,
  );
  const counts = "SELECT post_id, count_likes, count_dislikes FROM posts ORDER BY post_id";
  expect(rowsIn(out, counts)).toEqual([
    [1, 3, 0],
    [2, 0, 1],
  ]);
  const wrong = await pullCsv(`${header},count_likes\n1,T,B,2024-05-31,3.5\n`);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/count_likes \S+ is not an? /);
});

test("pull --csv takes NULL without quotes as no value", async () => {
  const { code, out } = await pullCsv(
    `${header},tags,is_welcomed,is_welcomed_explanation\n1,"NULL",B,2024-05-31,NULL,NULL,\\N\n2,T,B,2024-05-31,"NULL",1,x\n`,
  );
  expect(code).toBe(0);
  expect(
    rowsIn(
      out,
      "SELECT post_title, is_welcomed, is_welcomed_explanation FROM posts ORDER BY post_id",
    ),
  ).toEqual([
    ["NULL", null, null],
    ["T", 1, "x"],
  ]);
  expect(rowsIn(out, "SELECT tag_name FROM tags")).toEqual([["NULL"]]);
});

test("pull --csv takes a template from a column of URLs of one form", async () => {
  const csv = (...urls: readonly string[]): string =>
    [
      `${header},post_url`,
      ...urls.map((url, i) => `${i + 1},T,x,2024-05-31T09:00:00Z,${url}`),
    ].join("\n");
  const { out } = await pullCsv(csv("https://a.example/?p=1", "https://a.example/?p=2"));
  expect(rowsIn(out, "SELECT value FROM export_settings WHERE name = 'post_url'")).toEqual([
    ["https://a.example/?p={postId}"],
  ]);
  const { code, stdout } = await pullCsv(csv("https://a.example/?p=1", "https://a.example/b"));
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/posts\.csv line 3: postUrl is not one text/),
  ]);
});

test("pull --csv --comments reads comments, and leaves out those of no post", async () => {
  const { code, stdout, out } = await pullCsv(
    `${header}\n1,T,B,2024-05-31\n`,
    "comment_id,post_id,comment_date_gmt,comment_author,comment_content\n" +
      '5,1,2024-06-01 10:00,Zoë,"a\nb"\n6,9,2024-06-01 10:00,Zoë,lost\n',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/left out, because the post is missing: 1 comment\n/);
  expect(rowsIn(out, "SELECT comment_id, comment_author, comment_content FROM comments")).toEqual([
    [5, "Zoë", "a\nb"],
  ]);
});

// 日本 in Shift_JIS.
const japanese = Buffer.concat([
  Buffer.from(`${header}\n1,`),
  Buffer.from("93fa967b82cc", "hex"),
  Buffer.from(",B,2024-05-31\n"),
]);

test("pull --csv refuses UTF-8 under another --encoding, but reads that charset", async () => {
  const pull = (title: string, charset: string, encoding: BufferEncoding) =>
    pullCsv(
      Buffer.from(`${header}\n1,${title},B,2024-05-31\n`, encoding),
      undefined,
      "--encoding",
      charset,
    );
  for (const charset of ["windows-1252", "iso-8859-15"]) {
    const { code, stderr } = await pull("Café", charset, "utf8");
    expect([code, stderr]).toEqual([
      1,
      `posts.csv is UTF-8, not ${charset}: pull it without --encoding.\n`,
    ]);
  }
  expect((await pull("Cafe", "windows-1252", "utf8")).code).toBe(0);
  expect((await pull("Café", "UTF8", "utf8")).code).toBe(0);
  const { out } = await pull("Café", "windows-1252", "latin1");
  expect(rowsIn(out, "SELECT post_title FROM posts")).toEqual([["Café"]]);
  const last = Buffer.from(
    "post_id,post_date_gmt,post_content_html,post_title\n1,2024-05-31,B,Café",
    "latin1",
  );
  expect((await pullCsv(last, undefined, "--encoding", "windows-1252")).code).toBe(0);
});

test("pull --csv names Shift_JIS, and reads it with --encoding", async () => {
  const { code, stderr } = await pullCsv(japanese);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /posts\.csv is not utf-8 .*seems to be shift_jis: add --encoding shift_jis\.\n$/,
    ),
  ]);
  const { out } = await pullCsv(japanese, undefined, "--encoding", "shift_jis");
  expect(rowsIn(out, "SELECT post_title FROM posts")).toEqual([["日本の"]]);
  expect((await pullCsv(japanese, undefined, "--encoding", "x")).code).toBe(2);
  const site = await serveStandIn(({ response }) =>
    response.writeHead(200, { "Content-Type": "text/csv; charset=Shift_JIS" }).end(japanese),
  );
  const args = ["--csv", `${site.url}/posts.csv`, "--out", out];
  expect((await runPull(args)).stderr).toMatch(
    /not UTF-8 \(charset: Shift_JIS\)\. .*add --encoding Shift_JIS\. /,
  );
  expect((await runPull([...args, "--encoding", "shift_jis"])).code).toBe(0);
  await site.close();
});

/** Text in bytes of another charset, between a header and the rest of a row. */
const inBytes = (hex: string): Buffer =>
  Buffer.concat([
    Buffer.from(`${header}\n1,`),
    Buffer.from(hex, "hex"),
    Buffer.from(",B,2024-05-31\n"),
  ]);

test.each([
  // "ありがとう" in EUC-JP, "日本" alone in the same, "Что делать" in KOI8-R.
  ["a4a2a4eaa4aca4c8a4a6", /It seems to be euc-jp: add --encoding euc-jp\./],
  ["c6fccbdc", /Save it as CSV UTF-8, or name its charset with --encoding\./],
  ["feD4CF20c4c5ccc1d4d8", /Save it as CSV UTF-8, or name its charset with --encoding\./],
])(
  "pull --csv guesses the charset of the bytes %s only where it is plausible",
  async (hex, advice) => {
    expect((await pullCsv(inBytes(hex))).stderr).toMatch(advice);
  },
);

test("pull --csv names ISO-2022-JP, and reads it with --encoding", async () => {
  const text = inBytes("1b2442467c4b5c1b2842");
  expect(await pullCsv(text)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/line 2: .*ISO-2022-JP\. Add --encoding iso-2022-jp/),
  });
  const { out } = await pullCsv(text, undefined, "--encoding", "iso-2022-jp");
  expect(rowsIn(out, "SELECT post_title FROM posts")).toEqual([["日本"]]);
});

test.each(["sep=;\r\n", '"sep=;"\n', "\uFEFFsep=;\n"])(
  "pull --csv takes the separator from Excel's line %j",
  async (line) => {
    const { code, stdout, out } = await pullCsv(
      `${line}${header.replaceAll(",", ";")};count_likes\n1;a, b;B;2024-05-31;7\n`,
    );
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("not read")]);
    expect(rowsIn(out, "SELECT post_title, count_likes FROM posts")).toEqual([["a, b", 7]]);
  },
);

test("pull --csv warns of a last row that is cut off, not of a short one", async () => {
  const whole = `${header},count_likes\n1,T,B,2024-05-31\n`;
  expect((await pullCsv(`${whole}2,T,B,2024-06-01\n`)).stdout).not.toContain("warning");
  expect(await pullCsv(`${whole}2,T,B,2024-06-01`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^warning: posts\.csv line 3: the last row is shorter .*cut off/m,
    ),
  });
});

const secret = "CANARY_PRIVATE";
const withRow = (row: string): string => `${header},email\n${row},${secret}\n`;

test.each([
  [
    "no title",
    "post_id,post_content_html,post_date_gmt\n1,B,2024\n",
    /no column postTitle\. .*The header found: post_id, post_content_html, post_date_gmt\./,
  ],
  ["no body", "id,post_id,post_title,post_date_gmt\n", /no column postContentHtml/],
  [
    "no header",
    `${secret},T,B,2024-05-31\n`,
    /No name in its first row is known\. Is the header missing/,
  ],
  ["a column twice", `${header},postId\n`, /two columns for postId/],
  ["only a header", `${header}\n`, /what was read has no posts/],
  ["nothing", "", /is empty/],
  ["JSON Lines", '{"postId":1}\n', /seems to be JSON Lines\. Read it: npm run pull -- --jsonl/],
  ["a spreadsheet", "PK\x03\x04....[Content_Types].xml", /a spreadsheet\. Save it as CSV/],
  [
    "a spreadsheet of LibreOffice",
    "PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
    /a spreadsheet\. Save it as CSV/,
  ],
  ["HTML", "<html>", /HTML or XML/],
  ["a dump", "-- MySQL dump 10.13\n", /dump of MySQL/],
  ["no id", withRow(",T,B,2024-05-31"), /posts\.csv line 2: post_id is missing/],
  [
    "text as an id",
    withRow("x,T,B,2024-05-31"),
    /posts\.csv line 2: post_id "x" is not a number .*docs\/your-data\.md/,
  ],
  [
    "a huge id",
    withRow(`${2n ** 60n},T,B,2024-05-31`),
    /line 2: post_id 1152921504606847000 is not a whole/,
  ],
  [
    "a wrong date",
    withRow("1,T,B,31.05.2024"),
    /line 2: post_date_gmt "31\.05\.2024" is not a date/,
  ],
  ["no day", withRow("1,T,B,2024-02-30"), /line 2: post_date_gmt "2024-02-30\S+" is not a date/],
  ["no date", withRow("1,T,B,"), /line 2: post_date_gmt is missing/],
  [
    "an id twice",
    withRow(`1,T,B,2024-05-31,${secret}\n1,T,B,2024-05-31`),
    /line 3: post_id 1 is also in posts\.csv line 2 /,
  ],
  ["a cell too few", `${header}\n1,T,B\n`, /line 2 has 3 cells, and the header has 4/],
  [
    "no body",
    "post_id,post_date_gmt,post_title,post_content_text\n1,2024-05-31,T\n",
    /line 2 has 3 cells, and the header has 4/,
  ],
  ["a cell too many", withRow("1,T,x,B,2024-05-31"), /line 2 has 6 cells, and the header has 5/],
  ["an open quote", withRow('1,"T,B,2024-05-31'), /line 2: a quote is not closed/],
  [
    "an open quote after rows that are right",
    withRow('1,"T\r\n",B,2024-05-31\r\n2,"T,B,2024-05-31\r\n'),
    /line 4: a quote is not closed/,
  ],
  ["an error of a spreadsheet", withRow("1,#NAME?,B,2024-05-31"), /line 2: postTitle has what/],
  ["an error of LibreOffice", withRow("1,Err:509 ,B,2024-05-31"), /line 2: postTitle has what/],
  ["a NUL", withRow("1,T\0,B,2024-05-31"), /line 2: there is a NUL character.*UTF-8 again\.\n$/],
  ["a quote inside", withRow('1,"T"x,B,2024-05-31'), /line 2: a quote is not closed, or/],
  ["half a gzip", gzipSync(withRow("1,T,B,2024-05-31")).subarray(0, 40), /damaged or cut off/],
])(
  "pull --csv explains its refusal of %s, and keeps the export before",
  async (_, content, message) => {
    const { file, out } = await pullCsv(`${header}\n1,T,B,2024-05-31\n`);
    const before = readFileSync(out);
    writeFileSync(file, content);
    const { code, stdout, stderr } = await runPull(["--csv", file, "--out", out]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stdout + stderr).not.toMatch(secret);
    expect(readFileSync(out).equals(before)).toBe(true);
  },
);

test("pull --csv reads a cut or altered file, or refuses it in a sentence", async () => {
  const whole = Buffer.from(`${withRow('1,"é ""a""",B,2024-05-31')}2,T,B,2024-05-31,${secret}\n`);
  const damaged = fc.oneof(
    fc.integer({ min: 0, max: whole.length }).map((at) => whole.subarray(0, at)),
    fc
      .tuple(fc.integer({ min: 61, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }))
      .map(([at, byte]) => whole.with(at, byte)),
  );
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const { code, stderr, out } = await pullCsv(bytes);
      if (code === 0) return;
      expect([code, existsSync(out)]).toEqual([1, false]);
      expect(stderr).toMatch(/[.?]\n$/);
      expect(stderr).not.toMatch(/\n +at /);
      expect(stderr).not.toMatch(secret);
    }),
    { numRuns: 40 },
  );
});
