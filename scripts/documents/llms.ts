/** The contract and example calls → llms.txt. */
import { apiVersion } from "../../functions/contract/api.ts";
import type { Collection } from "../../functions/contract/collection.ts";
import {
  documents,
  downloads,
  errors,
  mcpPath,
  paths,
  type ErrorKind,
} from "../../functions/contract/http.ts";
import { operations, type Operation } from "../../functions/contract/operations.ts";
import { dataNotice, tools } from "../../functions/contract/tools.ts";
import { aboutApi, licenseUrl, docsIn, type Presentation } from "./presentation.ts";
import type { ExampleCalls } from "./example-calls.ts";
import type { ShownSchema } from "./page/fields.ts";

const parameterLine = ([name, schema]: [string, ShownSchema]): string =>
  [
    `  - \`${name}\`: ${schema.description}`,
    schema.default === undefined ? "" : ` Default: ${JSON.stringify(schema.default)}.`,
    schema.maximum === undefined ? "" : ` Maximum: ${schema.maximum}.`,
  ].join("");

/** A publisher's text in Markdown: what would be read as markup is shown as itself. */
const inMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#|]/g, "\\$&");

/** Who publishes the posts, under which terms, and whom to ask; nothing where nobody says it. */
function originLines(collection: Collection): string {
  const { publisher, license, contact } = collection;
  const origin = [
    ["Publisher", publisher?.name, publisher?.url],
    ["License of the posts", license?.name, licenseUrl(collection)],
    ["Contact", contact?.name, contact?.url, contact?.email],
  ] as const;
  return origin
    .map(([term, name, ...places]) => {
      // As a link in angle brackets, nothing of a place is read as markup.
      const links = places.filter((place) => place !== undefined).map((place) => `<${place}>`);
      const about = name === undefined ? links : [inMarkdown(name), ...links];
      return about.length === 0 ? "" : `\n- ${term}: ${about.join(", ")}`;
    })
    .join("");
}

/**
 * llms.txt: the API on one page for language models (https://llmstxt.org). It quotes no post, except in
 * URLs: what strangers wrote must not read as if the publisher said it.
 */
export function llmsText(siteUrl: string, calls: ExampleCalls, presentation: Presentation): string {
  const { collection, title } = presentation;
  const call = ({ id, summary, path, description, parameters, failures }: Operation, url: string) =>
    [
      `- [${summary}](${siteUrl}${url}): \`GET ${path}\` (${id}). ${description}`,
      ...Object.entries(parameters).map(parameterLine),
      ...Object.entries(failures).map(
        ([kind, condition]) => `  - ${errors[kind as ErrorKind].status}: ${condition}`,
      ),
    ].join("\n");
  return `# ${inMarkdown(title.en)}

> ${inMarkdown(aboutApi(presentation))}

Version ${apiVersion}. Base URL: ${siteUrl}. ${dataNotice}
${originLines(collection)}

## Calls

${call(operations.search, calls.search.path)}
${call(operations.post, calls.post.path)}
${call(operations.openapi, paths.openapi)}

## Everything at once

- [Sync file](${siteUrl}${downloads.sync}): every postId with the digest of its document, and under \`bulk\` the files that hold all posts (JSON Lines, gzip)
- [Atom feed](${siteUrl}${downloads.feed}): the newest posts
- MCP server: ${siteUrl}${mcpPath}, with the tools ${Object.values(tools)
    .map(({ name }) => `\`${name}\``)
    .join(" and ")}; no login

## Documentation

- [Documentation in Japanese](${siteUrl}${docsIn("ja", presentation)}): every field, and samples for each call
- [Documentation in English](${siteUrl}${docsIn("en", presentation)}): the same
- [API catalog](${siteUrl}${documents.catalog}): links to all documents (RFC 9727)
`;
}
