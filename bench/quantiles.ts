/** Quantiles, and how figures are shown. */

/**
 * The number below which a share of all numbers lies.
 *
 * @param share from 0 to 1
 */
export const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** The 50th, 95th and 99th percentile. */
export const quantiles = (numbers: readonly number[]): number[] =>
  [0.5, 0.95, 0.99].map((share) => quantile(numbers, share));

/** Three digits that count, more for large numbers. */
export const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3);

/** Several figures in one cell of a table. */
export const shownAll = (...values: readonly number[]): string => values.map(shown).join(" / ");

/**
 * A table in Markdown.
 *
 * @param rows cells by row
 */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
