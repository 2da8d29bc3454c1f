/** The contract and examples → the documentation page, complete without scripts, in each language. */
import {
  apiDescription,
  apiTitle,
  apiVersion,
  changeable,
  changes,
  fairUse,
  promises,
  versioning,
} from "../../../functions/contract/api.ts";
import { documents, errors, paths, type ErrorKind } from "../../../functions/contract/http.ts";
import {
  operations,
  type Operation,
  type Parameter,
} from "../../../functions/contract/operations.ts";
import { resources } from "../../../functions/contract/resources.ts";
import { jsonTokens } from "./client/json-tokens.js";
import type { ExampleCall, ExampleCalls, ExampleParameters } from "../example-calls.ts";
import { html, type Markup } from "./html.ts";
import { languageNames, translator, type Language, type Translate } from "./languages.ts";

/** What a page is made from. */
export interface PageContent {
  /** Base address of the API, without a trailing slash. */
  readonly siteUrl: string;
  readonly counts: { readonly posts: number; readonly comments: number; readonly tags: number };
  readonly parameters: ExampleParameters;
  readonly calls: ExampleCalls;
}

/** Files of the page besides itself, by their addresses. */
const assets = {
  style: "/site/style.css",
  script: "/site/page.js",
  language: "/site/language.js",
  icon: "/site/icon.svg",
} as const;

/** Bounds of what an example shows of an answer. */
const shown = { items: 3, characters: 400 } as const;

const code = (text: string): Markup => html`<code>${text}</code>`;

/** A description, whose `quoted` names are set as code. */
const prose = (text: string): Markup[] =>
  text.split("`").map((piece, i) => (i % 2 === 1 ? code(piece) : html`${piece}`));

const curl = (address: string): Markup =>
  html`<div class="line" data-copy><code tabindex="0">curl '${address}'</code></div>`;

/** Percent-encoded as a shell's single quotes need it. */
const encoded = (address: string): string => new URL(address).href.replaceAll("'", "%27");

function jsonBlock(label: string, body: unknown): Markup {
  const pieces = [...jsonTokens(body, shown)].map(([kind, text]) =>
    kind === "plain" ? html`${text}` : html`<span class="${kind}">${text}</span>`,
  );
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${pieces}</code></pre>`;
}

const isError = (status: number): boolean => status >= 400;

function example(t: Translate, siteUrl: string, title: string, call: ExampleCall): Markup {
  return html`<figure class="example">
    <figcaption>
      ${title}
      <span class="status" data-kind="${isError(call.status) ? "failure" : "success"}"
        >${call.status}</span
      >
    </figcaption>
    ${curl(encoded(siteUrl + call.path))} ${jsonBlock(t("Response"), call.body)}
  </figure>`;
}

/** A JSON Schema as far as documentation shows it. */
interface ShownSchema {
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
  readonly items?: ShownSchema;
  readonly anyOf?: readonly ShownSchema[];
}

/** A type in words, linked where it is a resource. */
function typeOf({ title, type, format, items, anyOf }: ShownSchema): Markup {
  if (anyOf !== undefined)
    return html`${anyOf.map((one, i) => html`${i === 0 ? "" : " | "}${typeOf(one)}`)}`;
  if (items !== undefined) return html`${typeOf(items)}[]`;
  if (title !== undefined) return html`<a href="#${title}">${title}</a>`;
  return html`${type}${format === undefined ? "" : ` (${format})`}`;
}

/** What a value may be, and what it is when it is left out. */
function boundsOf(t: Translate, schema: ShownSchema): Markup | undefined {
  const facts: [string, string | number | undefined][] = [
    [t("one of"), schema.enum?.join(", ")],
    [t("minimum"), schema.minimum],
    [t("maximum"), schema.maximum],
    [t("default"), schema.default === "" ? t("empty") : schema.default],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  return known.length === 0
    ? undefined
    : html`<p class="bounds">
        ${known.map(([name, value]) => html`<span>${name} ${code(String(value))}</span>`)}
      </p>`;
}

const fieldList = (t: Translate, fields: Readonly<Record<string, ShownSchema>>): Markup =>
  html`<dl class="fields">
    ${Object.entries(fields).map(
      ([name, schema]) =>
        html`<div>
          <dt>${code(name)} <span class="type">${typeOf(schema)}</span></dt>
          <dd>${prose(t(schema.description ?? ""))} ${boundsOf(t, schema)}</dd>
        </div>`,
    )}
  </dl>`;

function input(name: string, parameter: Parameter & ShownSchema, value: string | number): Markup {
  const id = `try-${name}`;
  // The script leaves a value out that is the default anyway.
  const usual = parameter.default ?? "";
  const attributes = html`id="${id}" name="${name}" data-default="${usual}"`;
  const control =
    parameter.enum === undefined
      ? // Not of type number: what the API makes of a wrong value is worth trying, too.
        html`<input
          ${attributes}
          value="${value}"
          placeholder="${usual}"
          ${parameter.type === "integer" ? html`inputmode="numeric"` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />`
      : html`<select ${attributes}>
          ${parameter.enum.map(
            (one) => html`<option${one === value ? html` selected` : undefined}>${one}</option>`,
          )}
        </select>`;
  return html`<div class="input input-${parameter.type}">
    <label for="${id}">${name}</label>${control}
  </div>`;
}

/** The form of a call. Without scripts a form can send a query, but not fill in a path: that one stays hidden. */
function form(
  t: Translate,
  anchor: string,
  operation: Operation,
  values: Readonly<Record<string, string | number>>,
): Markup {
  const { id, path, parameters, parametersIn } = operation;
  return html`<form
    class="try"
    action="${path}"
    data-operation="${id}"
    data-path="${path}"
    aria-labelledby="${anchor}-title ${id}-try"
    ${parametersIn === "path" ? html` hidden` : undefined}
  >
    <h3 id="${id}-try">${t("Try it")}</h3>
    <div class="inputs">
      ${Object.entries(parameters).map(([name, parameter]) =>
        input(name, parameter, values[name] ?? ""),
      )} <button type="submit" class="send">${t("Send")}</button>
    </div>
    <div data-part="result" hidden>
      <p class="request"><span class="method">GET</span> <a data-part="address"></a></p>
      <div class="line" data-copy><code data-part="curl" tabindex="0"></code></div>
      <p class="status" data-part="status" role="status" tabindex="-1"></p>
      <div class="leads" data-part="leads"></div>
      <pre
        tabindex="0"
        role="group"
        aria-label="${t("Response")}"
      ><code data-part="body"></code></pre>
    </div>
  </form>`;
}

/** Searches are tried with a keyword alone, so that there are tags left to narrow by. */
const formValues = ({
  q,
  postId,
  orderby,
}: ExampleParameters): Record<string, string | number> => ({
  q,
  postId,
  orderby,
});

/** Errors with their status, what leads to them, and their message. */
const errorRows = (t: Translate, conditions: Operation["failures"]): Markup[] =>
  Object.entries(conditions).map(([kind, condition]) => {
    const { status, message } = errors[kind as ErrorKind];
    return html`<div>
      <dt><span class="status" data-kind="failure">${status}</span></dt>
      <dd>${t(condition)} ${code(message)}</dd>
    </div>`;
  });

function operationSection(
  t: Translate,
  anchor: string,
  operation: Operation,
  content: PageContent,
  examples: readonly (readonly [title: string, call: ExampleCall])[],
): Markup {
  const { path, summary, description, parameters, body, failures } = operation;
  const resource = resources.find((one) => one === body);
  return html`<section id="${anchor}" aria-labelledby="${anchor}-title">
    <h2 id="${anchor}-title">${t(summary)}</h2>
    <p class="request"><span class="method">GET</span> ${code(path)}</p>
    <p>${prose(t(description))}</p>
    ${form(t, anchor, operation, formValues(content.parameters))}
    ${
      Object.keys(parameters).length === 0
        ? undefined
        : html`<h3>${t("Parameters")}</h3>
            ${fieldList(t, parameters)}`
    }
    ${examples.length === 0 ? undefined : html`<h3>${t("Examples")}</h3>`}
    ${examples.map(([title, call]) => example(t, content.siteUrl, title, call))}
    <h3>${t("Responses")}</h3>
    <dl class="fields">
      <div>
        <dt><span class="status" data-kind="success">200</span></dt>
        <dd>
          ${t(operation.success)}
          ${
            resource === undefined
              ? undefined
              : html`<a href="#${resource.title}">${resource.title}</a>`
          }
        </dd>
      </div>
      ${errorRows(t, failures)}
    </dl>
  </section>`;
}

const bullets = (t: Translate, items: readonly string[]): Markup =>
  html`<ul>
    ${items.map((item) => html`<li>${prose(t(item))}</li>`)}
  </ul>`;

/** When each error is given, where a call does not say it. */
const conditions: Readonly<
  Record<Exclude<ErrorKind, keyof typeof operations.post.failures>, string>
> = {
  notFound: "Nothing is at this path.",
  methodNotAllowed: "Another method than GET, HEAD or OPTIONS was used.",
  internal: "Something unforeseen went wrong.",
  indexUnavailable: "The search is out of order for the moment; try again later.",
};

const generatedClient = (siteUrl: string, parameters: ExampleParameters): string =>
  `npx openapi-typescript ${siteUrl}${paths.openapi} -o api.d.ts

import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

const api = createClient<paths>({ baseUrl: "${siteUrl}" });
const { data } = await api.GET("${operations.post.path}", {
  params: { path: { postId: ${parameters.postId} } },
});`;

/** Words that the page's script needs. */
const scriptWords = {
  copy: "Copy",
  copied: "Copied",
  waiting: "Waiting for the answer …",
  failed: "The request failed",
  posts: "Read a post",
  pages: "Pages",
  previous: "Previous page",
  next: "Next page",
  tags: "Narrow by tag",
  neighbours: "Neighbours",
  similar: "Similar posts",
  untitled: "(untitled)",
} as const;

/** What all pages share: head and body of a document. */
function document(
  t: Translate,
  language: Language,
  title: string,
  alternates: Markup | undefined,
  body: Markup,
): string {
  const words = Object.entries(scriptWords).map(([key, word]) => [key, t(word)]);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${t(apiDescription)}" />
        <title>${title}</title>
        ${alternates}
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.style}" />
      </head>
      <body data-words="${JSON.stringify(Object.fromEntries(words))}">
        ${body}
      </body>
    </html> `.text;
}

/** The page for an address where nothing is. */
export const notFoundPage = (): string =>
  document(
    translator("en"),
    "en",
    errors.notFound.message,
    undefined,
    html`<main class="alone">
      <h1>${errors.notFound.message}</h1>
      <p><a href="${documents.en}">${apiTitle}</a></p>
      <p lang="ja">
        ${translator("ja")(conditions.notFound)}
        <a href="${documents.ja}">${translator("ja")(apiTitle)}</a>
      </p>
    </main>`,
  );

/** The documentation in one language. */
export function documentationPage(language: Language, content: PageContent): string {
  const t = translator(language);
  const { siteUrl, counts, parameters, calls } = content;
  const number = (value: number): string => value.toLocaleString("en-US");
  const sections: readonly (readonly [anchor: string, title: string])[] = [
    ["search", t(operations.search.summary)],
    ["post", t(operations.post.summary)],
    ["openapi", t(operations.openapi.summary)],
    ["errors", t("Errors")],
    ["resources", t("Fields of the answers")],
    ["clients", t("Clients and agents")],
    ["compatibility", t("Compatibility")],
  ];
  const heading = (anchor: string): Markup =>
    html`<h2 id="${anchor}-title">${sections.find(([one]) => one === anchor)?.[1]}</h2>`;
  const languages = html`<nav class="languages" aria-label="${t("Language")}">
    ${Object.entries(languageNames).map(
      ([one, name]) =>
        html`<a
          href="${documents[one as Language]}"
          lang="${one}"
          hreflang="${one}"
          data-language="${one}"
          ${one === language ? html` aria-current="true"` : undefined}
          >${name}</a
        > `,
    )}
  </nav>`;
  const body = html`<a class="skip" href="#main">${t("Skip to the documentation")}</a>
    <header class="top">
      <a class="brand" href="${documents[language]}"
        ><img src="${assets.icon}" alt="" width="28" height="28" />${t(apiTitle)}</a
      >${languages}
    </header>
    <div class="layout">
      <nav class="contents" aria-label="${t("Contents")}">
        <ul>
          ${sections.map(([anchor, title]) => html`<li><a href="#${anchor}">${title}</a></li>`)}
        </ul>
      </nav>
      <main id="main">
        <section class="hero" aria-labelledby="title">
          <h1 id="title">${t(apiTitle)} <span class="version">${apiVersion}</span></h1>
          <p class="lead">${t(apiDescription)}</p>
          <dl class="facts">
            <div>
              <dt>${t("Posts")}</dt>
              <dd>${number(counts.posts)}</dd>
            </div>
            <div>
              <dt>${t("Comments")}</dt>
              <dd>${number(counts.comments)}</dd>
            </div>
            <div>
              <dt>${t("Tags")}</dt>
              <dd>${number(counts.tags)}</dd>
            </div>
          </dl>
          <p><a class="send" href="#${operations.search.id}-try">${t("Try it")}</a></p>
          <h2 class="small">${t("Base address")}</h2>
          <div class="line" data-copy><code tabindex="0">${siteUrl}</code></div>
          <h2 class="small">${t("A first call")}</h2>
          ${curl(encoded(siteUrl + calls.search.path))}
          <p>${t(fairUse)}</p>
        </section>
        ${operationSection(t, "search", operations.search, content, [[t("A search, two posts a page"), calls.search]])}
        ${operationSection(t, "post", operations.post, content, [
          [t("A post"), calls.post],
          [t(operations.post.failures.invalidPostId), calls.invalidPostId],
          [t(operations.post.failures.postNotFound), calls.postNotFound],
        ])}
        ${operationSection(t, "openapi", operations.openapi, content, [])}
        <section id="errors" aria-labelledby="errors-title">
          ${heading("errors")}
          <p>
            ${prose(t("The body of every error is an `Error` with one field; nothing keeps an error in a cache."))}
          </p>
          <dl class="fields">${errorRows(t, { ...operations.post.failures, ...conditions })}</dl>
        </section>
        <section id="resources" aria-labelledby="resources-title">
          ${heading("resources")}
          <p>
            ${prose(t("Every field is always present; one that has no value is `null`, where its type says so."))}
          </p>
          ${resources.map(
            ({ title, description, properties }) =>
              html`<h3 id="${title}">${title}</h3>
                <p>${prose(t(description))}</p>
                ${fieldList(t, properties)}`,
          )}
        </section>
        <section id="clients" aria-labelledby="clients-title">
          ${heading("clients")}
          <ul>
            <li>
              <a href="${paths.openapi}">OpenAPI 3.1.0</a>:
              ${t("for generated clients and for tools")}
            </li>
            <li>
              <a href="${documents.llms}">llms.txt</a>:
              ${t("the same in a few lines, for language models")}
            </li>
            <li>
              <a href="${documents.catalog}">api-catalog</a>:
              ${t("where everything is, for discovery (RFC 9727)")}
            </li>
          </ul>
          <p>${t("A typed client for TypeScript:")}</p>
          <pre
            tabindex="0"
            role="group"
            aria-label="TypeScript"
          ><code>${generatedClient(siteUrl, parameters)}</code></pre>
        </section>
        <section id="compatibility" aria-labelledby="compatibility-title">
          ${heading("compatibility")}
          <p>${t(versioning)}</p>
          <h3>${t("What stays")}</h3>
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
          </dl>
        </section>
      </main>
    </div>
    <script type="module" src="${assets.script}"></script>`;
  const alternates = html`<link rel="alternate" hreflang="ja" href="${documents.ja}" />
    <link rel="alternate" hreflang="en" href="${documents.en}" />
    <link rel="alternate" hreflang="x-default" href="${documents.ja}" />
    <link rel="service-desc" href="${paths.openapi}" type="application/json" />
    <script src="${assets.language}"></script>`;
  return document(t, language, t(apiTitle), alternates, body);
}
