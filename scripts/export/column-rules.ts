/** The values of single columns: what is allowed, and what is published for them. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { ColumnRule } from "./schema.ts";

const dateTime = fullFormats["date-time"] as { validate: (text: string) => boolean };
const uri = fullFormats.uri as (text: string) => boolean;

/**
 * Reads a date of an export.
 *
 * @param text ISO 8601 date and time, with `T` or a space between, with or without fraction and zone; no zone means UTC
 * @returns milliseconds since 1970, or NaN when the text is no such date
 */
function timeOf(text: string): number {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})?$/i.exec(
    text,
  );
  if (parts === null) return Number.NaN;
  const iso = `${parts[1]}T${parts[2]}${(parts[3] ?? "Z").toUpperCase()}`;
  return dateTime.validate(iso) ? Date.parse(iso) : Number.NaN;
}

/** The date as it is published: ISO 8601, UTC, with milliseconds. The text must be one that `timeOf` reads. */
export const isoDate = (text: string): string => new Date(timeOf(text)).toISOString();

/**
 * An address as it is published: as it is where it is a URI already (RFC 3986), else percent-encoded.
 *
 * @returns undefined when it is no absolute http or https address
 */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (uri(text)) return text;
  // The URL standard leaves some characters as they are that RFC 3986 does not allow.
  const { href, origin } = url;
  const encoded =
    origin +
    href
      .slice(origin.length)
      .replace(/%(?![0-9a-f]{2})/gi, "%25")
      .replace(/[|^[\]\\`{}]/g, encodeURIComponent);
  return uri(encoded) ? encoded : undefined;
}

/** A rule that a value broke: its code, what is wrong, and what to do. */
export interface Breach {
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
}

const breach = (rule: string, message: string, remedy: string): Breach => ({
  rule,
  message,
  remedy,
});

/** What is wrong with the value of a column, if anything. */
export function breachOf(value: unknown, { type, nullable }: ColumnRule): Breach | undefined {
  if (value === null)
    return nullable
      ? undefined
      : breach("null", "is NULL, but must have a value", "set a value in the export");
  switch (type) {
    case "id":
    case "parentId":
    case "count": {
      const minimum = type === "id" ? 1 : 0;
      if (typeof value !== "number")
        return breach("type", "is not a number", "store it as INTEGER");
      if (!Number.isSafeInteger(value) || value < minimum)
        return type === "count"
          ? breach("count", "is not a whole number from 0 to 2^53 - 1", "correct the count")
          : breach("id", `is not a whole number from ${minimum} to 2^53 - 1`, "correct the id");
      return undefined;
    }
    case "flag":
      return value === 0 || value === 1
        ? undefined
        : breach("flag", "is neither 0, 1 nor NULL", "store 0, 1 or NULL");
    case "text":
    case "date":
    case "url":
      if (typeof value !== "string") return breach("type", "is not text", "store it as TEXT");
      if (type === "date" && Number.isNaN(timeOf(value)))
        return breach(
          "date",
          "is not an ISO 8601 date and time",
          "write it as YYYY-MM-DDTHH:MM:SSZ",
        );
      if (type === "url" && httpUrl(value) === undefined)
        return breach("url", "is not an absolute http or https address", "correct it or set NULL");
      return undefined;
  }
}
