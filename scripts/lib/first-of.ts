/** The beginning of a list that may be long. */
import { formatted } from "./format-number.ts";

/** Items of a list that messages name one by one. */
export const listedAtMost = 20;

/**
 * The first items of a list as lines, and how many more there are.
 *
 * @param mark what each line begins with
 * @param total items of the whole list, where `items` is a part of it
 */
export const firstOf = (items: readonly string[], mark: string, total = items.length): string[] => [
  ...items.slice(0, listedAtMost).map((item) => mark + item),
  ...(total > listedAtMost ? [`${mark}and ${formatted(total - listedAtMost)} more`] : []),
];
