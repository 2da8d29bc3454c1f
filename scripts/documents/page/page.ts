/** The contract and examples → the page of the posts and the documentation, complete without scripts, in each language. */
import {
  apiUse,
  apiVersion,
  changeable,
  changes,
  fairUse,
  promises,
  versioning,
} from "../../../functions/contract/api.ts";
import type { Language } from "../../../functions/contract/collection.ts";
import { documents, errors, paths, type ErrorKind } from "../../../functions/contract/http.ts";
import { operations } from "../../../functions/contract/operations.ts";
import { resources } from "../../../functions/contract/resources.ts";
import { pageIn, type Presentation } from "../presentation.ts";
import type { ExampleCalls, ExampleParameters } from "../example-calls.ts";
import { collectionParts, type CollectionContent } from "./collection.ts";
import {
  datasetJson,
  downloadParts,
  feedLink,
  mcpParts,
  type DownloadContent,
} from "./downloads.ts";
import { fieldList } from "./fields.ts";
import { code, codeBlock, codeLine, html, prose, type Markup } from "./html.ts";
import { translator, type Translate } from "./languages.ts";
import {
  alternates,
  assets,
  contents,
  document,
  footer,
  frameOf,
  header,
  openGraph,
  pages,
  sectionOf,
  type Frame,
} from "./layout.ts";
import { curl, errorRows, operationSection, type OperationContent } from "./operation.ts";

/** What a page is made from. */
export interface PageContent extends OperationContent, DownloadContent, CollectionContent {
  readonly calls: ExampleCalls;
}

/** When the errors occur that no call lists. */
const conditions: Readonly<
  Record<Exclude<ErrorKind, keyof typeof operations.post.failures>, string>
> = {
  notFound: "There is nothing at this path.",
  methodNotAllowed: "The method is not GET, HEAD or OPTIONS.",
  internal: "An unexpected error occurred.",
  postUnavailable: "An older post is temporarily unavailable. Try again later.",
  indexUnavailable: "Search is temporarily unavailable. Try again later.",
};

/** The page for a URL that does not exist. */
export const notFoundPage = (presentation: Presentation): string =>
  document(frameOf("en", presentation), {
    title: errors.notFound.message,
    body: html`<main class="alone">
      <h1>${errors.notFound.message}</h1>
      <p><a href="${pageIn("en", presentation)}">${presentation.title.en}</a></p>
      <p lang="ja">
        ${translator("ja")(conditions.notFound)}
        <a href="${pageIn("ja", presentation)}">${presentation.title.ja}</a>
      </p>
    </main>`,
  });

/** How to call the API, before its parts. */
const introduction = ({ t }: Frame, { siteUrl, calls }: PageContent): Markup =>
  html`<p>${t(apiUse)} ${t(fairUse)}</p>
    <h3>${t("Base URL")}</h3>
    ${codeLine(siteUrl)}
    <h3>${t("A first call")}</h3>
    ${curl(siteUrl + calls.search.path)}`;

const operationSections = (t: Translate, content: PageContent): Markup[] => {
  const { calls } = content;
  const { invalidPostId, postNotFound } = operations.post.failures;
  return [
    operationSection(t, "search", content, [[t("A search, two posts a page"), calls.search]]),
    operationSection(t, "post", content, [
      [t("A post"), calls.post],
      [t(invalidPostId), calls.invalidPostId],
      [t(postNotFound), calls.postNotFound],
    ]),
    operationSection(t, "openapi", content, []),
  ];
};

const errorList = (t: Translate): Markup =>
  html`<p>
      ${prose(t("The body of every error is an `Error` with one field. Errors are never cached."))}
    </p>
    <dl class="fields">${errorRows(t, { ...operations.post.failures, ...conditions })}</dl>`;

const resourceLists = (t: Translate): Markup =>
  html`<p>
      ${prose(t("Every field is always present. A field without a value is `null` if its type allows it."))}
    </p>
    ${resources.map(
      ({ title, description, properties }) =>
        html`<h3 id="${title}">${title}</h3>
          <p>${prose(t(description))}</p>
          ${fieldList(t, properties)}`,
    )}`;

/** A client in TypeScript that is generated from the description. */
const generatedClient = (siteUrl: string, parameters: ExampleParameters): string =>
  `npx openapi-typescript ${siteUrl}${paths.openapi} -o api.d.ts

import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

const api = createClient<paths>({ baseUrl: "${siteUrl}" });
const { data } = await api.GET("${operations.post.path}", {
  params: { path: { postId: ${parameters.postId} } },
});`;

const clients = (t: Translate, { siteUrl, parameters }: OperationContent): Markup =>
  html`<ul>
      <li>
        <a href="${paths.openapi}">OpenAPI 3.1.0</a>: ${t("to generate clients, and for tools")}
      </li>
      <li>
        <a href="${documents.llms}">llms.txt</a>:
        ${t("the same in a few lines, for language models")}
      </li>
      <li>
        <a href="${documents.catalog}">api-catalog</a>: ${t("links to all documents (RFC 9727)")}
      </li>
    </ul>
    <p>${t("A typed client for TypeScript:")}</p>
    ${codeBlock("TypeScript", generatedClient(siteUrl, parameters))}`;

const bullets = (t: Translate, items: readonly string[]): Markup =>
  html`<ul>
    ${items.map((item) => html`<li>${prose(t(item))}</li>`)}
  </ul>`;

const compatibility = (t: Translate): Markup =>
  html`<p>${t(versioning)}</p>
    <h3>${t("What will not change")}</h3>
    ${bullets(t, promises)}
    <h3>${t("What may change without notice")}</h3>
    ${bullets(t, changeable)}
    <h3>${t("Changes")}</h3>
    <dl class="fields">
      ${changes.map(
        ({ version, date, items }) =>
          html`<div>
            <dt>${code(version)} <time datetime="${date}">${date}</time></dt>
            <dd>${bullets(t, items)}</dd>
          </div>`,
      )}
    </dl>`;

/** A page in its frame: header, main part, foot. */
function framed(
  frame: Frame,
  page: keyof typeof pages,
  { title, head, main }: { readonly title: string; readonly head: Markup; readonly main: Markup },
): string {
  return document(frame, {
    title,
    head: html`${alternates(frame, page)}
      <link rel="service-desc" href="${paths.openapi}" type="application/json" />
      ${feedLink}
      <script src="${assets.language}"></script>
      ${head}`,
    body: html`${header(frame, page)}
      <main>${main}</main>
      ${footer(frame)}
      <script type="module" src="${pages[page].script}"></script>`,
  });
}

/** The page of the posts in one language. */
export function postsPage(language: Language, content: PageContent): string {
  const frame = frameOf(language, content.presentation);
  return framed(frame, "posts", {
    title: content.presentation.title[language],
    head: html`${openGraph(frame)} ${datasetJson(language, content)}`,
    main: collectionParts(frame, content),
  });
}

/** The documentation in one language. */
export function docsPage(language: Language, content: PageContent): string {
  const frame = frameOf(language, content.presentation);
  const { t } = frame;
  const calls = Object.entries(operations).map(([anchor, { summary }]) => ({
    anchor,
    title: t(summary),
  }));
  const reference = [
    { anchor: "copy", title: t("Copy and follow the collection"), body: downloadParts(t, content) },
    { anchor: "mcp", title: t("Connect an agent"), body: mcpParts(t, content) },
    { anchor: "errors", title: t("Errors"), body: errorList(t) },
    { anchor: "resources", title: t("Response fields"), body: resourceLists(t) },
    { anchor: "clients", title: t("Clients and agents"), body: clients(t, content) },
    { anchor: "compatibility", title: t("Compatibility"), body: compatibility(t) },
  ];
  const api = { anchor: "introduction", title: `API ${apiVersion}` };
  return framed(frame, "docs", {
    title: `API – ${content.presentation.title[language]}`,
    head: html``,
    main: html`<div class="layout" id="api">
      ${contents(t, [...calls, ...reference])}
      <div>
        ${sectionOf(api, introduction(frame, content))} ${operationSections(t, content)}
        ${reference.map((section) => sectionOf(section, section.body))}
      </div>
    </div>`,
  });
}
