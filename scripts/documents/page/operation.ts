/** A call of the API → its section of the page: parameters, examples, samples, responses. */
import { errors, type ErrorKind } from "../../../functions/contract/http.ts";
import { operations, type Operation } from "../../../functions/contract/operations.ts";
import { resources } from "../../../functions/contract/resources.ts";
import { renderJson } from "./client/json-tokens.ts";
import type { ExampleCall, ExampleParameters } from "../example-calls.ts";
import { fieldList } from "./fields.ts";
import { code, codeBlock, codeLine, html, toHtml, prose, type Markup } from "./html.ts";
import type { Translate } from "./languages.ts";
import { sectionOf } from "./layout.ts";
import { codeSamplesOf, encoded } from "./code-samples.ts";

/** Bounds of what an example shows of an answer. */
const shown = { items: 3, characters: 400 } as const;

/** A call for a shell, with a button to copy it. */
export const curl = (url: string): Markup => codeLine(html`curl '${encoded(url)}'`);

const statusOf = (status: number): Markup =>
  html`<span class="status ${status < 400 ? "success" : "failure"}">${status}</span>`;

const example = (t: Translate, siteUrl: string, title: string, call: ExampleCall): Markup =>
  html`<figure class="example">
    <figcaption>${title} ${statusOf(call.status)}</figcaption>
    ${curl(siteUrl + call.path)} ${codeBlock(t("Response"), toHtml(renderJson(call.body, shown)))}
  </figure>`;

/** Errors with their status, condition and message. */
export const errorRows = (t: Translate, conditions: Operation["failures"]): Markup[] =>
  Object.entries(conditions).map(([kind, condition]) => {
    const { status, message } = errors[kind as ErrorKind];
    return html`<div>
      <dt>${statusOf(status)}</dt>
      <dd>${t(condition)} ${code(message)}</dd>
    </div>`;
  });

/** What a section needs to know of the snapshot. */
export interface OperationContent {
  /** Base URL of the API, without a trailing slash. */
  readonly siteUrl: string;
  readonly parameters: ExampleParameters;
}

/**
 * The section of a call.
 *
 * @param name of the call, and id of the section
 * @param examples calls to show, with their titles
 */
export function operationSection(
  t: Translate,
  name: keyof typeof operations,
  { siteUrl, parameters: values }: OperationContent,
  examples: readonly (readonly [title: string, call: ExampleCall])[],
): Markup {
  const operation: Operation = operations[name];
  const { path, summary, description, parameters, body, failures } = operation;
  const resource = resources.find((one) => one === body);
  const { q, postId } = values;
  return sectionOf(
    { anchor: name, title: t(summary) },
    html`<p><span class="method">GET</span> ${code(path)}</p>
      <p>${prose(t(description))}</p>
      ${
        Object.keys(parameters).length === 0
          ? undefined
          : html`<h3>${t("Parameters")}</h3>
              ${fieldList(t, parameters)}`
      }
      ${examples.length === 0 ? undefined : html`<h3>${t("Examples")}</h3>`}
      ${examples.map(([title, call]) => example(t, siteUrl, title, call))}
      <h3>${t("Samples")}</h3>
      ${codeSamplesOf(t, name, { siteUrl, q, postId })}
      <h3>${t("Responses")}</h3>
      <dl class="fields">
        <div>
          <dt>${statusOf(200)}</dt>
          <dd>
            ${prose(t(operation.success))}
            ${
              resource === undefined
                ? undefined
                : html`<a href="#${resource.title}">${resource.title}</a>`
            }
          </dd>
        </div>
        ${errorRows(t, failures)}
      </dl>`,
  );
}
