/** What a publisher says, in every document: it is there as text, and changes no structure. */
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, test } from "vitest";
import { completeCollection, type CollectionFile } from "../../functions/contract/collection.ts";
import { apiCatalog } from "./api-catalog.ts";
import type { ExampleCalls } from "./example-calls.ts";
import { llmsText } from "./llms.ts";
import { datasetJson } from "./page/downloads.ts";
import { document, footer, frameOf, header, openGraph } from "./page/layout.ts";
import { html } from "./page/html.ts";
import { presentCollection, type Presentation } from "./presentation.ts";

const siteUrl = "https://api.example";
const call = { path: "/api/search?q=a", status: 200, body: {} };
const calls: ExampleCalls = {
  newest: call,
  search: call,
  post: call,
  invalidPostId: call,
  postNotFound: call,
};
const facts = {
  posts: 2,
  firstDate: "2023-01-02T00:00:00.000Z",
  lastDate: "2024-05-06T00:00:00.000Z",
};
const presented = (file: CollectionFile): Presentation =>
  presentCollection(completeCollection(file), facts);

/** What presents a collection on the page. */
function pageOf(presentation: Presentation): string {
  const frame = frameOf("en", presentation);
  const feed = { path: "feed.atom", bytes: 1, digest: "0".repeat(64) };
  const content = { siteUrl, bulk: [], feed, presentation };
  return document(frame, {
    title: presentation.title.en,
    head: html`${openGraph(frame)} ${datasetJson("en", content)}`,
    body: html`${header(frame, "posts")} ${footer(frame)}`,
  });
}

type Node = DefaultTreeAdapterTypes.Node;

/** The names of all elements, in their order. */
function elementsOf(node: Node): readonly string[] {
  const inside = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return [node.nodeName, ...inside].filter((name) => name !== "#text");
}

const structureOf = (presentation: Presentation): object => ({
  page: elementsOf(parse(pageOf(presentation))),
  llms: llmsText(siteUrl, calls, presentation)
    .split("\n")
    .map((line) => /^(?:#+|>|- \[?|)/.exec(line)?.[0]),
  catalog: apiCatalog(siteUrl, presentation).replace(/"title":"(?:\\.|[^"\\])*"/g, ""),
});

const fileWith = (text: string): CollectionFile => ({
  title: text,
  description: text,
  publisher: { name: text, url: "https://p.example" },
  contact: { name: text, email: "a@b.example" },
  license: { name: text, url: "https://l.example" },
});

test.each([
  ["markup", `</title></script><script>alert(1)</script><!--`],
  ["quotes", `"'\`" onload="x" '`],
  ["character references", "&lt;b&gt; &#0; &amp"],
  ["Markdown", "# a\n- [b](javascript:c) ![d](e) **f** `g`\n> h\n\n## i"],
  ["separators of lines", "a\u2028b\u2029c\u0085d"],
  ["marks of direction", "\u200Fa\u200E\u061C"],
  ["many characters", "あ".repeat(200)],
  ["ends of XML and JSON", `]]> --> "}]} {{x}} \${y}`],
  ["characters of two units", "😀\u{10FFFF}"],
])("the documents keep their structure with %s in the collection's texts", (_, text) => {
  expect(structureOf(presented(fileWith(text)))).toEqual(
    structureOf(presented(fileWith("A text."))),
  );
});

describe("a collection's contact", () => {
  const contact = { name: "Parks_", url: "https://c.example/a_b", email: "p_q@c.example" };
  const { name, url, email } = contact;
  test.each([
    [{ name }, "\n- Contact: Parks\\_\n", "<dd>Parks_</dd>"],
    [{ email }, `\n- Contact: <${email}>\n`, `<a href="mailto:${email}">${email}</a>`],
    [{ url }, `\n- Contact: <${url}>\n`, `<a href="${url}">${url}</a>`],
    [contact, `\n- Contact: Parks\\_, <${url}>, <${email}>\n`, `<a href="${url}">Parks_</a>`],
  ])("appears in llms.txt and on the page: %j", (given, line, link) => {
    const presentation = presented({ contact: given });
    expect(llmsText(siteUrl, calls, presentation)).toContain(line);
    expect(pageOf(presentation)).toContain(link);
  });
  test("appears nowhere without any member", () => {
    const presentation = presented({ contact: {} });
    expect(llmsText(siteUrl, calls, presentation)).not.toContain("Contact:");
    expect(pageOf(presentation)).not.toContain("<footer>");
  });
});
