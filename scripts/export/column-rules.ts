/** The values of single columns: what is allowed, and what is published for them. */
import addFormats from "ajv-formats";
import type { Violation } from "./problems.ts";
import type { ColumnRule } from "./canonical-schema.ts";

const dateTime = addFormats.default.get("date-time") as { validate: (text: string) => boolean };
const uri = addFormats.default.get("uri") as (text: string) => boolean;

// ISO 8601 years of four digits. A zone can move a date of the first or last year out of them.
const earliest = Date.parse("0000-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Reads a date of an export.
 *
 * @param text ISO 8601 date and time, with `T` or a space between, with or without fraction and zone; no zone means UTC
 * @returns milliseconds since 1970, or NaN when the text is no such date or its year in UTC is not in 0000–9999
 */
function parseTime(text: string): number {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/i.exec(
    text,
  );
  if (parts === null) return Number.NaN;
  const iso = `${parts[1]}T${parts[2]}${(parts[3] ?? "Z").toUpperCase()}`;
  const time = dateTime.validate(iso) ? Date.parse(iso) : Number.NaN;
  return time >= earliest && time <= latest ? time : Number.NaN;
}

/** The date as it is published: ISO 8601, UTC, with milliseconds. The text must be one that `parseTime` reads. */
export const isoDate = (text: string): string => new Date(parseTime(text)).toISOString();

// The URL standard leaves some characters as they are that RFC 3986 does not allow.
const encodeRest = (part: string): string =>
  part.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/[|^[\]\\`{}]/g, encodeURIComponent);

/**
 * A URL as it is published: unchanged where it is a URI already (RFC 3986), else percent-encoded.
 *
 * @returns undefined when it is not an absolute http or https URL
 */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (uri(text)) return text;
  for (const part of ["username", "password", "pathname", "search", "hash"] as const)
    if (url[part] !== "") url[part] = encodeRest(url[part]);
  return uri(url.href) ? url.href : undefined;
}

const violation = (rule: string, message: string, hint: string): Violation => ({
  rule,
  message,
  hint,
});

/** What is wrong with the value of a column, if anything. */
export function findViolation(
  value: unknown,
  { type, nullable }: ColumnRule,
): Violation | undefined {
  if (value === null)
    return nullable
      ? undefined
      : violation("null", "is NULL, but must have a value", "set a value in the export");
  switch (type) {
    case "id":
    case "parentId":
    case "count": {
      const minimum = type === "id" ? 1 : 0;
      if (typeof value !== "number" && typeof value !== "bigint")
        return violation(
          "type",
          "is not a number",
          type === "count"
            ? "store it as INTEGER"
            : "store it as INTEGER; docs/your-data.md makes numbers of other ids",
        );
      if (!Number.isSafeInteger(value) || value < minimum)
        return type === "count"
          ? violation("count", "is not a whole number from 0 to 2^53 - 1", "correct the count")
          : violation("id", `is not a whole number from ${minimum} to 2^53 - 1`, "correct the id");
      return undefined;
    }
    case "flag":
      return value === 0 || value === 1
        ? undefined
        : violation("flag", "is neither 0, 1 nor NULL", "store 0, 1 or NULL");
    case "text":
    case "date":
    case "url":
      if (typeof value !== "string")
        return violation(
          "type",
          "is not text",
          type === "date" && typeof value === "number"
            ? "write it as YYYY-MM-DDTHH:MM:SS; datetime(SECONDS, 'unixepoch') in SQL makes that of a Unix time"
            : "store it as TEXT",
        );
      if (type === "date" && Number.isNaN(parseTime(value)))
        return violation(
          "date",
          "is not a date and time that is accepted here, or there is no such day",
          "write it as YYYY-MM-DDTHH:MM:SS, with T or a space, with or without a fraction of a second, and then Z, an offset such as +09:00, or nothing for UTC",
        );
      if (type === "url" && httpUrl(value) === undefined)
        return violation("url", "is not an absolute http or https URL", "correct it or set NULL");
      return undefined;
  }
}
