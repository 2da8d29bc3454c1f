/** JSON Schemas → lists of fields with types and bounds. */
import { code, html, prose, type Markup } from "./html.ts";
import type { Translate } from "./languages.ts";

/** A JSON Schema as far as documentation shows it. */
export interface ShownSchema {
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
  readonly examples?: readonly unknown[];
  readonly items?: ShownSchema;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
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

/** Fields or parameters by their names. */
export const fieldList = (t: Translate, fields: Readonly<Record<string, ShownSchema>>): Markup =>
  html`<dl class="fields">
    ${Object.entries(fields).map(
      ([name, schema]) =>
        html`<div>
          <dt>${code(name)} <span class="type">${typeOf(schema)}</span></dt>
          <dd>${prose(t(schema.description ?? ""))} ${boundsOf(t, schema)}</dd>
        </div>`,
    )}
  </dl>`;
