/** The beginning of a list that may be long. */
import { formatted } from "./format-number.ts";

/**
 * The first items of a list as lines, and how many more there are.
 *
 * @param mark what each line begins with
 * @param total items of the whole list, where `items` is a part of it
 */
export const firstOf = (
  items: readonly string[],
  most: number,
  mark: string,
  total = items.length,
): string[] => [
  ...items.slice(0, most).map((item) => mark + item),
  ...(total > most ? [`${mark}and ${formatted(total - most)} more`] : []),
];
