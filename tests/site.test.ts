/** The pages, llms.txt, the API catalog and robots.txt, read as their users read them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap } from "parse5";
import { describe, expect, test } from "vitest";
import { apiDescription, apiTitle } from "../functions/contract/api.ts";
import { japanese } from "../scripts/documents/page/japanese.ts";
import {
  built,
  publishedPosts,
  sample,
  searchOn,
  siteOn,
  temporaryFolder,
} from "./support/support.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

function* elementsOf(node: Node): Generator<Element> {
  if (defaultTreeAdapter.isElementNode(node)) yield node;
  if ("childNodes" in node) for (const child of node.childNodes) yield* elementsOf(child);
}
const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value;
function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

const site = "https://api.cases.test";
const folder = await built(sample, "--site-url", site);
const file = (path: string): string => readFileSync(join(folder, path), "utf8");

interface Description {
  readonly paths: Record<
    string,
    {
      get: {
        operationId: string;
        description: string;
        parameters: {
          name: string;
          in: string;
          description: string;
          example: unknown;
          schema: { default?: unknown; maximum?: number };
        }[];
        responses: Record<string, { content: { "application/json": { example?: unknown } } }>;
      };
    }
  >;
  readonly servers: { url: string }[];
  readonly components: { schemas: Record<string, { properties: Record<string, object> }> };
}
const openapi = JSON.parse(file("api/openapi.json")) as Description;
const operations = Object.entries(openapi.paths).map(([path, { get: operation }]) => ({
  path,
  ...operation,
  // A header is HTTP's, and belongs to every call.
  parameters: operation.parameters.filter((parameter) => parameter.in !== "header"),
}));

const answerAt = siteOn(folder);
/** What the site answers at a URL, which must be its own. */
function answer(url: string): ReturnType<typeof answerAt> {
  expect(new URL(url, site).origin).toBe(site);
  return answerAt(url);
}

/** The elements of a page. */
const elementsIn = (path: string): readonly Element[] => [...elementsOf(parse(file(path)))];

describe.each([
  ["ja", "index.html"],
  ["en", "en/index.html"],
  ["ja", "docs/index.html"],
  ["en", "en/docs/index.html"],
])("the page in %s, %s", async (language, path) => {
  const elements = elementsIn(path);

  test("says its language, and links to the other", () => {
    const html = elements.find(({ tagName }) => tagName === "html");
    expect(html && attribute(html, "lang")).toBe(language);
    const other = language === "ja" ? "en" : "ja";
    expect(
      elements
        .filter((element) => attribute(element, "hreflang") === other)
        .map(({ tagName }) => tagName),
    ).toEqual(["link", "a"]);
  });

  test("has no canonical URL and no og:url", () => {
    const ownUrls = elements.filter(
      (one) => attribute(one, "property") === "og:url" || attribute(one, "rel") === "canonical",
    );
    expect(ownUrls).toEqual([]);
  });

  test("has no inline script, style or handler, and references no other site", () => {
    for (const element of elements) {
      // Data, which no browser runs.
      const isData = attribute(element, "type") === "application/ld+json";
      if (element.tagName === "script" && !isData)
        expect(attribute(element, "src")).toMatch(/^\/site\/\w+\.js$/);
      expect(element.tagName).not.toBe("style");
      for (const { name, value } of element.attrs) {
        expect(name).not.toMatch(/^on|^style$/);
        if (["src", "href", "action"].includes(name)) expect(value).toMatch(/^[/#?](?!\/)/);
      }
    }
  });

  test("has unique ids, and links and labels with existing targets", async () => {
    const ids = elements.flatMap((element) => attribute(element, "id") ?? []);
    expect(ids.length).toBe(new Set(ids).size);
    for (const element of elements) {
      const targets = attribute(element, "for") ?? attribute(element, "aria-labelledby");
      for (const target of targets?.split(" ") ?? []) expect(ids).toContain(target);
      const url = attribute(element, "href") ?? attribute(element, "src");
      if (url?.startsWith("#") === true) expect(ids).toContain(url.slice(1));
      else if (url !== undefined) expect((await answer(url)).status, url).toBe(200);
    }
  });
});

describe.each([
  ["ja", ""],
  ["en", "en/"],
])("the documentation in %s", (language, folder) => {
  const elements = elementsIn(`${folder}docs/index.html`);

  test("documents every call, parameter, bound, field and error", () => {
    const names = new Set(
      elements.filter(({ tagName }) => tagName === "code").map((one) => textOf(one)),
    );
    for (const { path: call, parameters, responses } of operations) {
      expect(names).toContain(call);
      for (const { name, schema } of parameters) {
        expect(names).toContain(name);
        for (const bound of [schema.default, schema.maximum])
          if (bound !== undefined && bound !== "") expect(names).toContain(String(bound));
      }
      for (const status of ["400", "404"]) {
        const { error } = (responses[status]?.content["application/json"].example ?? {}) as {
          error?: string;
        };
        if (error !== undefined) expect(names, status).toContain(error);
      }
    }
    for (const [name, { properties }] of Object.entries(openapi.components.schemas)) {
      const heading = elements.find((element) => attribute(element, "id") === name);
      expect(heading?.tagName, name).toBe("h3");
      for (const field of Object.keys(properties)) expect(names).toContain(field);
    }
  });

  test("shows examples with the answers that they get", async () => {
    const figures = elements.filter(
      (element) => element.tagName === "figure" && attribute(element, "class") === "example",
    );
    expect(figures.length).toBe(4);
    for (const figure of figures) {
      const [, command = ""] = /curl '([^']*)'/.exec(textOf(figure)) ?? [];
      const pre = [...elementsOf(figure)].find(({ tagName }) => tagName === "pre");
      const status = [...elementsOf(figure)].find((element) =>
        attribute(element, "class")?.startsWith("status "),
      );
      const { status: found, body } = await answer(command);
      expect(status && textOf(status)).toBe(String(found));
      // Long arrays and texts are cut; what precedes the first cut is the answer as it is.
      const [shown = ""] = textOf(pre as Element).split(/…/);
      const laidOut = JSON.stringify(JSON.parse(body), null, 2);
      expect(laidOut.startsWith(shown.trimEnd().replace(/"$/, "")), command).toBe(true);
      expect(shown.length).toBeGreaterThan(10);
    }
  });

  test("is written in one language", () => {
    const all = [...elements, ...elementsIn(`${folder}index.html`)];
    const text = all
      .filter(({ tagName }) => tagName === "html")
      .map(textOf)
      .join("");
    if (language === "ja") {
      // Programs, data, and what users wrote.
      const others = all
        .filter((one) => /^(pre|script)$/.test(one.tagName) || attribute(one, "id") === "hits")
        .map(textOf);
      const words = others.reduce((rest, program) => rest.replace(program, ""), text);
      expect(words).not.toMatch(/\b(the|of|and|is)\b [a-z]/);
      // The sample has a name of its own, so the two texts for a collection without one are not on its page.
      expect(Object.values(japanese).filter((words) => !usedOn(text, all, words))).toEqual(
        [apiTitle, apiDescription].map((english) => japanese[english]),
      );
    } else
      for (const operation of operations)
        expect(text).toContain(operation.description.slice(0, 40));
  });
});

test.each(["index.html", "en/index.html"])(
  "%s describes the collection as a Dataset with its downloads",
  async (path) => {
    const data = elementsIn(path).find((one) => attribute(one, "type") === "application/ld+json");
    const dataset = JSON.parse(data === undefined ? "" : textOf(data)) as {
      "@type": string;
      description: string;
      distribution: { contentUrl: string; encodingFormat: string }[];
    };
    expect(dataset["@type"]).toBe("Dataset");
    // What search engines for data sets take.
    expect(dataset.description.length).toBeGreaterThanOrEqual(50);
    expect(dataset.distribution.map(({ encodingFormat }) => encodingFormat)).toEqual([
      "application/gzip",
      "application/atom+xml",
    ]);
    for (const { contentUrl } of dataset.distribution)
      expect((await answer(contentUrl)).status, contentUrl).toBe(200);
  },
);

/** Whether a translation is on a page, in its text or among the words for its script. */
function usedOn(text: string, elements: readonly Element[], words: string): boolean {
  const plain = words.replaceAll("`", "");
  const squeezed = (all: string): string => all.replace(/\s+/g, "");
  return (
    squeezed(text).includes(squeezed(plain)) ||
    elements.some(({ attrs }) => attrs.some(({ value }) => value.includes(plain))) ||
    file("404.html").includes(plain)
  );
}

test("the pages show markup in posts and tags as text", async () => {
  const database = join(temporaryFolder(), "hostile.sqlite");
  const hostile = `</code></pre><script>alert(1)</script><img src=x onerror=alert(1)>"'\u202e`;
  const connection = new Database(database);
  connection.exec(readFileSync(sample, "utf8"));
  connection
    .prepare("UPDATE posts SET post_title = ? || post_title, post_content_html = ?")
    .run(hostile, hostile);
  connection.prepare("UPDATE tags SET tag_name = ? || tag_id").run(hostile.replaceAll(" ", ""));
  connection.close();
  const snapshot = await built(database);
  for (const [path, scripts] of [
    ["index.html", 3],
    ["en/docs/index.html", 2],
  ] as const) {
    const page = readFileSync(join(snapshot, path), "utf8");
    expect(page).toContain("&lt;script&gt;alert(1)");
    const elements = [...elementsOf(parse(page))];
    expect(elements.filter(({ tagName }) => tagName === "script").length).toBe(scripts);
    expect(elements.filter(({ tagName }) => tagName === "img").length).toBe(1);
  }
  // Neither page may give a word of a post as if it were documentation.
  for (const path of ["llms.txt", "api/openapi.json"])
    expect(readFileSync(join(snapshot, path), "utf8")).not.toContain("onerror=alert(1)>");
});

test("npm run build writes docs/index.html for an export without posts", async () => {
  const database = join(temporaryFolder(), "empty.sqlite");
  const connection = new Database(database);
  connection.exec(readFileSync(sample, "utf8"));
  for (const table of ["comments", "post_tags", "tags", "posts"])
    connection.exec(`DELETE FROM ${table}`);
  connection.close();
  const page = readFileSync(
    join(await built(database, "--allow-empty"), "docs/index.html"),
    "utf8",
  );
  expect(page).toContain("Post not found");
});

test.each([
  ["half-width katakana", "ﾃｽｶﾞある"],
  ["marks apart", "テカ\u3099ミの話"],
  ["letters and marks apart", "Cafe\u0301 story"],
  ["Hangul in parts", "한국어로쓴긴제목입니다".normalize("NFD")],
  ["a sigma where the word is cut", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΤΥΣΑΒΓ"],
  ["letters that nobody sees", "\u3164\u3164\u3164"],
  ["characters of two units", "😀".repeat(500)],
])("api/openapi.json has search examples that find posts with %s", async (_, title) => {
  const database = join(temporaryFolder(), "titles.sqlite");
  const connection = new Database(database);
  connection.exec(readFileSync(sample, "utf8"));
  connection.prepare("UPDATE posts SET post_title = ?, post_content_html = ?").run(title, title);
  connection.exec("UPDATE posts SET post_id = 999999 WHERE post_id = 1");
  connection.close();
  const snapshot = await built(database);
  const { paths } = JSON.parse(
    readFileSync(join(snapshot, "api/openapi.json"), "utf8"),
  ) as Description;
  const examples = (paths["/api/search"]?.get.parameters ?? []).map(
    ({ name, example }) => [name, String(example)] as const,
  );
  const found = (await searchOn(snapshot).search(Object.fromEntries(examples))) as {
    metadata: { count: number };
  };
  expect(found.metadata.count).toBeGreaterThan(0);
  const page = readFileSync(join(snapshot, "docs/index.html"), "utf8");
  expect(page).not.toMatch(/\\u[dD][89a-fA-F]/);
  // The example of a missing post is one that is missing.
  expect(page).toContain("/api/posts/1000000'</code>");
});

describe("llms.txt", () => {
  const text = file("llms.txt");
  test("follows its format, and names every call and parameter", () => {
    expect(text).toMatch(/^# .+\n\n> .+\n\n/);
    for (const { path, operationId, parameters } of operations) {
      expect(text).toContain(`\`GET ${path}\` (${operationId})`);
      for (const { name } of parameters) expect(text).toContain(`\`${name}\``);
    }
  });
  const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, url = ""]) => url);
  test("has eight links", () => expect(links.length).toBe(8));
  test.each(links)("has the link %s, which answers 200", async (url) => {
    expect((await answer(url)).status).toBe(200);
  });
  test("quotes no text of a post", () => {
    for (const { postContentHtml } of publishedPosts(folder))
      if (postContentHtml.length > 20) expect(text).not.toContain(postContentHtml.slice(0, 20));
  });
});

test("the API catalog is a link set whose links all answer 200", async () => {
  interface Link {
    readonly href: string;
    readonly type?: string;
  }
  const { linkset } = JSON.parse(file(".well-known/api-catalog")) as {
    linkset: ({ anchor: string } & Record<string, Link[]>)[];
  };
  const links = linkset.flatMap(({ anchor, ...relations }) => [
    anchor,
    ...Object.values(relations).flatMap((all) => all.map(({ href }) => href)),
  ]);
  expect(linkset.flatMap((context) => Object.keys(context))).toEqual(
    expect.arrayContaining(["item", "service-desc", "service-doc"]),
  );
  expect(links.length).toBe(9);
  for (const link of links) expect((await answer(link)).status, link).toBe(200);
});

test("robots.txt allows every user agent, and has a URL that answers", async () => {
  const text = file("robots.txt");
  expect(text).toMatch(/^User-agent: \*\nAllow: \/$/m);
  const [url = ""] = /https:\S+/.exec(text) ?? [];
  expect((await answer(url)).status).toBe(200);
});

describe("api/openapi.json", () => {
  test("has short descriptions, and operation ids that can name tools", () => {
    for (const { operationId, description, parameters } of operations) {
      expect(description.length).toBeLessThanOrEqual(300);
      expect(operationId).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
      for (const parameter of parameters)
        expect(parameter.description.length).toBeLessThanOrEqual(700);
    }
  });
  test("names its server by an absolute URL", () =>
    expect(openapi.servers).toEqual([{ url: site }]));
  test.each(operations)(
    "has examples for $operationId that are answered 200",
    async ({ path, parameters }) => {
      const query = new URLSearchParams();
      let target = path;
      for (const { name, in: where, example } of parameters)
        if (where === "path") target = target.replace(`{${name}}`, String(example));
        else query.set(name, String(example));
      const { status, body } = await answer(`${target}?${query}`);
      expect(status).toBe(200);
      // Together they find something, the post that they were taken from.
      if (path.endsWith("search"))
        expect((JSON.parse(body) as { results: unknown[] }).results.length).toBeGreaterThan(0);
    },
  );
});

test("npm run build publishes only the API, page, discovery and downloads", () =>
  expect(readdirSync(folder).sort()).toEqual(
    "404.html,.search-index,.well-known,_headers,api,bulk,docs,en,feed.atom,index.html,llms.txt,robots.txt,site,snapshot.json,sync.js,sync.json,sync.py"
      .split(",")
      .sort(),
  ));
