/** Counts what a message holds, before anything looks into it. */

/**
 * Whether JSON holds more values than some number; texts that are no JSON do not.
 *
 * @param most a value is a text, a number, a list and so on, or an object; each counts, and so do those within it
 */
export function hasMoreValues(json: string, most: number): boolean {
  let values = 0;
  try {
    JSON.parse(json, (_, value: unknown) => {
      if (++values > most) throw new RangeError("too many values");
      return value;
    });
    return false;
  } catch (error) {
    // Also where so many lists are within lists that the stack is full.
    return error instanceof RangeError;
  }
}
