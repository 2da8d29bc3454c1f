/** The contract and example calls → llms.txt. */
import { apiVersion } from "../../functions/contract/api.ts";
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
import { aboutApi, licenseUrl, pageIn, type Presentation } from "./presentation.ts";
import type { ExampleCalls } from "./example-calls.ts";

const parameterLine = ([name, schema]: [
  string,
  { readonly description: string; readonly default?: string | number; readonly maximum?: number },
]): string =>
  [
    `  - \`${name}\`: ${schema.description}`,
    schema.default === undefined ? "" : ` Default: ${JSON.stringify(schema.default)}.`,
    schema.maximum === undefined ? "" : ` Maximum: ${schema.maximum}.`,
  ].join("");

/** A publisher's text in Markdown: what would be read as markup is shown as itself. */
const inMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#|]/g, "\\$&");

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
  const origin = [
    ["Publisher", collection.publisher],
    [
      "License of the posts",
      collection.license && { ...collection.license, url: licenseUrl(collection) },
    ],
    ["Contact", collection.contact],
  ] as const;
  return `# ${inMarkdown(title.en)}

> ${inMarkdown(aboutApi(presentation))}

Version ${apiVersion}. Base URL: ${siteUrl}. ${dataNotice}
${origin.map(([name, about]) => (about === undefined ? "" : `\n- ${name}: ${inMarkdown([about.name, about.url].filter(Boolean).join(", "))}`)).join("")}

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

- [Documentation in Japanese](${siteUrl}${pageIn("ja", presentation)}): every field, forms to try each call
- [Documentation in English](${siteUrl}${pageIn("en", presentation)}): the same
- [API catalog](${siteUrl}${documents.catalog}): links to all documents (RFC 9727)
`;
}
