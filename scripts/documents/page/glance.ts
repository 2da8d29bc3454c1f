/** The collection at a glance: posts over time, the most used tags, and how comments and likes are spread. */
import { operations } from "../../../functions/contract/operations.ts";
import type { SearchHit } from "../../../functions/contract/resources.ts";
import { tagKey } from "../../../functions/search/normalise.ts";
import { compareCodePoints } from "../../lib/code-points.ts";
import { formatted } from "../../lib/format-number.ts";
import { html, type Markup } from "./html.ts";
import type { Translate } from "./languages.ts";

/** A name, and how many posts it stands for. */
export type Bar = readonly [name: string, posts: number];

/** What the page shows of a collection. */
export interface Glance {
  /** By month, year, decade or century, without gaps; oldest first. */
  readonly periods: readonly Bar[];
  readonly tags: readonly Bar[];
  readonly comments: readonly Bar[];
  readonly likes: readonly Bar[];
}

/** Bars that fit beside each other on a narrow screen. */
const mostPeriods = 48;
const mostTags = 20;
/** Fewer bars than these are not spread over the whole width. */
const fewPeriods = 8;
/** Least values of the steps of a spread. */
const steps = [0, 1, 3, 6, 11, 21, 51, 101, 1001] as const;

/** Months of a period, the coarser ones for longer spans. */
const units = [1, 12, 120, 1200] as const;
const monthOf = ({ postDateGmt }: SearchHit): number =>
  Number(postDateGmt.slice(0, 4)) * 12 + Number(postDateGmt.slice(5, 7)) - 1;

/** A period's name: 2024-05, 2024, 2020–2029. */
function nameOf(period: number, unit: (typeof units)[number]): string {
  const months = period * unit;
  const year = String(Math.floor(months / 12));
  if (unit === 1) return `${year}-${String((months % 12) + 1).padStart(2, "0")}`;
  return unit === 12 ? year : `${year}–${Number(year) + unit / 12 - 1}`;
}

function periodsOf(hits: readonly SearchHit[]): Bar[] {
  const months = hits.map(monthOf);
  const first = months.reduce((least, month) => Math.min(least, month), Number.POSITIVE_INFINITY);
  const last = months.reduce((most, month) => Math.max(most, month), 0);
  if (hits.length === 0) return [];
  const unit =
    units.find((one) => Math.floor(last / one) - Math.floor(first / one) < mostPeriods) ?? 1200;
  const from = Math.floor(first / unit);
  const counts = Array.from({ length: Math.floor(last / unit) - from + 1 }, () => 0);
  for (const month of months) counts[Math.floor(month / unit) - from]!++;
  return counts.map((count, i) => [nameOf(from + i, unit), count]);
}

/** How many values fall into each step, up to the greatest one. */
function spreadOf(values: readonly number[]): Bar[] {
  const counts = steps.map(() => 0);
  for (const value of values) counts[steps.findLastIndex((step) => value >= step)]!++;
  const used = counts.findLastIndex((count) => count > 0) + 1;
  return counts.slice(0, used).map((count, i) => {
    const [least, next] = [steps[i]!, steps[i + 1]];
    const name =
      next === undefined ? `${least}–` : next === least + 1 ? `${least}` : `${least}–${next - 1}`;
    return [name, count];
  });
}

/**
 * What the page shows of some posts. Takes time in proportion to their number.
 *
 * @param tags how many posts carry each
 */
export const glanceOf = (
  hits: readonly SearchHit[],
  tags: ReadonlyMap<string, number>,
): Glance => ({
  periods: periodsOf(hits),
  tags: [...tags]
    .sort(([a, many], [b, others]) => others - many || compareCodePoints(a, b))
    .slice(0, mostTags),
  comments: spreadOf(hits.map(({ countComments }) => countComments)),
  likes: spreadOf(hits.map(({ countLikes }) => countLikes)),
});

const most = (bars: readonly Bar[]): number => Math.max(1, ...bars.map(([, count]) => count));

/** Bars beside each other, over time; the numbers follow in a table that can be opened. */
function columns(t: Translate, title: string, bars: readonly Bar[]): Markup {
  const greatest = most(bars);
  const width = 10;
  const height = 100;
  const [first = "", last = ""] = [bars[0]?.[0], bars.at(-1)?.[0]];
  return html`<figure class="chart chart-time${bars.length < fewPeriods ? " chart-few" : ""}">
    <figcaption>${title}</figcaption>
    <svg
      viewBox="0 0 ${bars.length * width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title}: ${first} – ${last}, ${t("at most")} ${formatted(greatest)}"
    >
      ${bars.map(([name, count], i) => {
        const tall = Math.round((count / greatest) * height * 10) / 10;
        return html`<rect
          x="${i * width + 1}"
          y="${height - tall}"
          width="${width - 2}"
          height="${tall}"
          ><title>${name}: ${formatted(count)}</title></rect
        >`;
      })}
    </svg>
    <p class="ends" aria-hidden="true"><span>${first}</span><span>${last}</span></p>
    <details>
      <summary>${t("Numbers")}</summary>
      ${table(t, bars)}
    </details>
  </figure>`;
}

const table = (t: Translate, bars: readonly Bar[]): Markup =>
  html`<table>
    <thead>
      <tr>
        <th scope="col">${t("Period")}</th>
        <th scope="col">${t("Posts")}</th>
      </tr>
    </thead>
    <tbody>
      ${bars.map(
        ([name, count]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${formatted(count)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/** Bars below each other, each with its name and its number. @param link where a name leads */
function rows(
  title: string,
  bars: readonly Bar[],
  link?: (name: string) => string | undefined,
): Markup {
  const greatest = most(bars);
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <ul>
      ${bars.map(([name, count]) => {
        const share = Math.round((count / greatest) * 1000) / 10;
        const target = link?.(name);
        return html`<li>
          ${target === undefined ? html`<span class="name">${name}</span>` : html`<a class="name" href="${target}">${name}</a>`}
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width="${share}" height="8" />
          </svg>
          <span class="count">${formatted(count)}</span>
        </li>`;
      })}
    </ul>
  </figure>`;
}

/** A search for a tag, on the page itself; none for the empty name, which a search cannot give. */
const tagLink = (name: string): string | undefined =>
  name === "" ? undefined : `?tags=${encodeURIComponent(tagKey(name))}#${operations.search.id}-try`;

/** The section; nothing of an empty collection. */
export function glanceParts(
  t: Translate,
  { periods, tags, comments, likes }: Glance,
): Markup | undefined {
  if (periods.length === 0) return undefined;
  return html`<div class="charts">
    ${columns(t, t("Posts over time"), periods)}
    ${tags.length === 0 ? undefined : rows(t("Most used tags"), tags, tagLink)}
    <div>
      ${rows(t("Posts by number of comments"), comments)}
      ${rows(t("Posts by number of likes"), likes)}
    </div>
  </div>`;
}
