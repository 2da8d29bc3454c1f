/** The collection at a glance: posts over time, and how comments and likes are spread. */
import { searchParameters } from "../../../functions/contract/parameters.ts";
import type { SearchHit } from "../../../functions/contract/resources.ts";
import { formatted } from "../../lib/format-number.ts";
import { barsTree, everything, searchOf } from "./client/list.js";
import { tree } from "./client/tree.js";
import { html, markupOf, type Markup } from "./html.ts";
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
    return searchOf({ ...everything, page });
  });

/** Bars beside each other, over time, each a link to its posts. */
function columns(title: string, bars: readonly Bar[]): Markup {
  const greatest = Math.max(1, ...bars.map(([, count]) => count));
  const width = 10;
  const height = 100;
  const links = pagesOf(bars);
  const [first = "", last = ""] = [bars[0]?.[0], bars.at(-1)?.[0]];
  return html`<figure class="chart chart-time">
    <figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${bars.length * width} ${height}" preserveAspectRatio="none">
      ${bars.map(([name, count], i) => {
        const tall = Math.round((count / greatest) * height * 10) / 10;
        const place = html`x="${i * width + 1}" width="${width - 2}"`;
        return count === 0
          ? undefined
          : html`<a href="${links[i]}" aria-label="${name}: ${formatted(count)}"
              ><rect class="reach" ${place} height="${height}" /><rect
                ${place}
                y="${height - tall}"
                height="${tall}"
            /></a>`;
      })}
    </svg>
    <p class="ends"><span>${first}</span><output></output><span>${last}</span></p>
  </figure>`;
}

/** A spread, as bars below each other. */
const spread = (title: string, bars: readonly Bar[]): Markup =>
  markupOf(
    barsTree(
      title,
      bars.map(([name, count]) => [tree("span", {}, name), count]),
    ),
  );

/** Posts over time; nothing of an empty collection. */
export const timeChart = (t: Translate, { periods }: Glance): Markup | undefined =>
  periods.length === 0 ? undefined : columns(t("Posts over time"), periods);

/** How comments and likes are spread. */
export const spreads = (t: Translate, { comments, likes }: Glance): readonly Markup[] => [
  spread(t("Posts by number of comments"), comments),
  spread(t("Posts by number of likes"), likes),
];
