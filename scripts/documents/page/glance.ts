/** The collection at a glance: posts over time, and how comments and likes are spread. */
import { searchParameters } from "../../../functions/contract/parameters.ts";
import type { SearchHit } from "../../../functions/contract/resources.ts";
import { formatNumber } from "../../lib/text.ts";
import { renderBars } from "./client/hits.ts";
import { defaultQuery, toQueryString } from "./client/query.ts";
import { html, toHtml, type Markup } from "./html.ts";
import type { Translate } from "./languages.ts";

/** A name, and how many posts it stands for. */
export type Bar = readonly [name: string, posts: number];

/** What the page shows of a collection. */
export interface Glance {
  /** By month, year, decade or century, without gaps; oldest first. */
  readonly periods: readonly Bar[];
  readonly comments: readonly Bar[];
  readonly likes: readonly Bar[];
}

/** Bars that fit beside each other on a narrow screen. */
const mostPeriods = 48;
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

/** What the page shows of some posts. Takes time in proportion to their number. */
export const glanceOf = (hits: readonly SearchHit[]): Glance => ({
  periods: periodsOf(hits),
  comments: spreadOf(hits.map(({ countComments }) => countComments)),
  likes: spreadOf(hits.map(({ countLikes }) => countLikes)),
});

/** Where the posts of each period begin in the list of all posts, newest first. */
const pagesOf = (bars: readonly Bar[]): string[] =>
  bars.map((_, i) => {
    const newer = bars.slice(i + 1).reduce((sum, [, count]) => sum + count, 0);
    const page = Math.floor(newer / searchParameters.pageSize.default) + 1;
    return toQueryString({ ...defaultQuery, page });
  });

/** Posts over time, as bars beside each other, each a link to its posts; nothing of an empty collection. */
export function timeChart(t: Translate, { periods }: Glance): Markup | undefined {
  if (periods.length === 0) return undefined;
  const greatest = Math.max(...periods.map(([, count]) => count));
  const links = pagesOf(periods);
  return html`<figure class="chart chart-time">
    <figcaption>${t("Posts over time")}</figcaption>
    <svg viewBox="0 0 ${periods.length * 10} 100" preserveAspectRatio="none">
      ${periods.map(([name, count], i) => {
        if (count === 0) return undefined;
        const tall = Math.ceil((count / greatest) * 100);
        const place = html`x="${i * 10 + 1}" width="8"`;
        // The first one makes the whole height a place to point at.
        return html`<a href="${links[i]}" aria-label="${name}: ${formatNumber(count)}">
          <rect ${place} height="100" /><rect ${place} y="${100 - tall}" height="${tall}" />
        </a>`;
      })}
    </svg>
    <p class="ends">
      <span>${periods[0]?.[0]}</span><output></output><span>${periods.at(-1)?.[0]}</span>
    </p>
  </figure>`;
}

/** How comments and likes are spread. */
export const spreads = (t: Translate, { comments, likes }: Glance): Markup =>
  toHtml([
    renderBars(t("Posts by number of comments"), comments),
    renderBars(t("Posts by number of likes"), likes),
  ]);
