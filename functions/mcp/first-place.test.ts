import fc from "fast-check";
import { expect, test } from "vitest";
import { firstPlace } from "./first-place.ts";

test("a needle of any repetitions is found where indexOf finds it", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 6 });
  const repeated = fc.tuple(part, fc.integer({ min: 400, max: 700 }));
  fc.assert(
    fc.property(
      fc.array(repeated, { minLength: 1, maxLength: 3 }),
      repeated,
      part,
      (parts, [one, times], end) => {
        const needle = one.repeat(times) + end;
        const text =
          "ba".repeat(2500) + parts.map(([other, count]) => other.repeat(count)).join("");
        for (const whole of [text, text + needle + text, needle.slice(0, -1) + text + needle])
          expect(firstPlace(whole, needle)).toBe(whole.indexOf(needle));
      },
    ),
  );
});
