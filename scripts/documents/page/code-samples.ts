/** Programs that make each call, for curl, JavaScript and Python. A test runs every one of them as the page shows it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { downloads, paths } from "../../../functions/contract/http.ts";
import type { ExampleParameters } from "../example-calls.ts";
import { html, type Markup } from "./html.ts";
import type { Translate } from "./languages.ts";

/** What a call looks like, by the language of the program. */
export interface CodeSamples {
  readonly curl: string;
  /** Undefined where it would need a package. */
  readonly JavaScript?: string;
  readonly Python: string;
}

/** Programs for Node, Deno, Bun and browsers print what they read. */
const readJson = (url: string, print: string): Omit<CodeSamples, "curl"> => ({
  JavaScript: `const response = await fetch(${url});
if (!response.ok) throw new Error(await response.text());
const body = await response.json();
console.log(${print});`,
  Python: `import json, urllib.request

with urllib.request.urlopen(${url}) as response:
    body = json.load(response)
print(${print})`,
});

/** A text as both JavaScript and Python write it. */
const quoted = (text: string): string => JSON.stringify(text);
/** A URL, percent-encoded as a shell's single quotes need it. */
export const encoded = (url: string): string => new URL(url).href.replaceAll("'", "%27");
const forShell = (url: string): string => `'${encoded(url)}'`;

const search = (siteUrl: string, { q }: ExampleParameters): CodeSamples => {
  const url = `${siteUrl}${paths.search}`;
  return {
    curl: `curl ${forShell(`${url}?${new URLSearchParams({ q, pageSize: "2" })}`)}`,
    JavaScript: `const query = new URLSearchParams({ q: ${quoted(q)}, pageSize: "2" });
const response = await fetch(\`${url}?\${query}\`);
const { metadata, results } = await response.json();
console.log(metadata.count);
for (const { postId, postTitle } of results) console.log(postId, postTitle);`,
    Python: `import json, urllib.parse, urllib.request

query = urllib.parse.urlencode({"q": ${quoted(q)}, "pageSize": 2})
with urllib.request.urlopen(f"${url}?{query}") as response:
    result = json.load(response)
print(result["metadata"]["count"])
for hit in result["results"]:
    print(hit["postId"], hit["postTitle"])`,
  };
};

const post = (siteUrl: string, { postId }: ExampleParameters): CodeSamples => {
  const url = `${siteUrl}${paths.posts}${postId}`;
  return { curl: `curl ${forShell(url)}`, ...readJson(quoted(url), `body["postTitle"]`) };
};

const openapi = (siteUrl: string): CodeSamples => {
  const url = `${siteUrl}${paths.openapi}`;
  return { curl: `curl ${forShell(url)}`, ...readJson(quoted(url), `body["openapi"]`) };
};

/** @param file path of a file for bulk download: the only one, or the first part */
const bulk = (siteUrl: string, file: string): CodeSamples => ({
  curl: `curl ${forShell(`${siteUrl}/${file}`)} | gunzip | head -n 1`,
  JavaScript: `import { gunzipSync } from "node:zlib";

const sync = await (await fetch(${quoted(siteUrl + downloads.sync)})).json();
for (const { url } of sync.bulk) {
  const file = await (await fetch(url)).arrayBuffer();
  for (const line of gunzipSync(file).toString().split("\\n").filter(Boolean)) {
    const { postId, postTitle } = JSON.parse(line);
    console.log(postId, postTitle);
  }
}`,
  Python: `import gzip, json, urllib.request

with urllib.request.urlopen(${quoted(siteUrl + downloads.sync)}) as response:
    files = json.load(response)["bulk"]
for file in files:
    with urllib.request.urlopen(file["url"]) as response, gzip.open(response) as lines:
        for line in lines:
            post = json.loads(line)
            print(post["postId"], post["postTitle"])`,
});

/** The programs that keep a copy are files, so that they can be run as they are. */
const program = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../programs", name), "utf8").trimEnd();

const sync = (siteUrl: string): CodeSamples => ({
  curl: `curl ${forShell(siteUrl + downloads.sync)}`,
  JavaScript: program("sync.js"),
  Python: program("sync.py"),
});

const feed = (siteUrl: string): CodeSamples => {
  const url = quoted(siteUrl + downloads.feed);
  return {
    curl: `curl ${forShell(siteUrl + downloads.feed)}`,
    Python: `import urllib.request, xml.etree.ElementTree

with urllib.request.urlopen(${url}) as response:
    feed = xml.etree.ElementTree.parse(response)
for title in feed.iter("{http://www.w3.org/2005/Atom}title"):
    print(title.text)`,
  };
};

/** What each call looks like on a site. */
export const codeSamplesFor = { search, post, openapi, bulk, sync, feed } as const;

/** Programs, folded up until they are wanted. @param call names what they call */
export const codeSamplesOf = (
  t: Translate,
  call: keyof typeof codeSamplesFor,
  samples: CodeSamples,
): Markup =>
  html`<div class="samples">
    ${Object.entries(samples).map(
      ([language, text]) =>
        html`<details>
          <summary>${language}</summary>
          <pre
            tabindex="0"
            role="group"
            aria-label="${t("Sample")}: ${language}"
            data-sample="${call} ${language}"
          ><code>${text}</code></pre>
        </details>`,
    )}
  </div>`;
