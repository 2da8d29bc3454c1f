/** Numbers as messages show them: 12,345. */
export const formatted = (value: number): string => value.toLocaleString("en-US");

/** A number and what it counts: 1 post, 12,345 posts. @param things begins with a plural, formed with "s" */
export const counted = (value: number, things: string): string =>
  `${formatted(value)} ${value === 1 ? things.replace(/s\b/, "") : things}`;
