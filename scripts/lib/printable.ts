/** Text of strangers, for terminals and logs. */

/**
 * Text of strangers, for terminals and logs: control characters, and characters that change the direction of text, are
 * written as \u{…}, and so is the first sign of what GitHub reads as a command in a log: `::` at the beginning of a
 * line, `##[` anywhere.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|(?<=^\s*):(?=:)|#(?=#\[)/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
