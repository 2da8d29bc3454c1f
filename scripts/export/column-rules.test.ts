/** Each kind of column: what is allowed, what is published, and what is reported. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../tests/support/exports.ts";
import { httpUrl, isoDate, findViolation } from "./column-rules.ts";

describe("the column type date", () => {
  test.each([
    ["2018-03-12T17:00:45.567Z", "2018-03-12T17:00:45.567Z"],
    ["2018-03-12 17:00:45", "2018-03-12T17:00:45.000Z"],
    ["2018-03-12t17:00:45z", "2018-03-12T17:00:45.000Z"],
    ["2018-03-12T17:00:45+09:00", "2018-03-12T08:00:45.000Z"],
    ["2024-02-29 23:59:59.9999", "2024-02-29T23:59:59.999Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("publishes %s as %s", (text, published) => {
    expect(findViolation(text, { type: "date" })).toBeUndefined();
    expect(isoDate(text)).toBe(published);
  });

  test.each([
    "2020-13-01",
    "2023-02-29 00:00:00",
    "2020-01-01T24:00:00Z",
    "2020-01-01",
    "12020-01-01T00:00:00Z",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "",
  ])("reports %s", (text) => {
    expect(findViolation(text, { type: "date" })).toMatchObject({ rule: "date" });
  });
});

describe("the column type url", () => {
  test.each([
    ["https://cdn.example/a.png", "https://cdn.example/a.png"],
    ["https://CDN.example/%7Ea/../b", "https://CDN.example/%7Ea/../b"],
    ["https://u@cdn.example/a.png", "https://u@cdn.example/a.png"],
    ["https://u@cdn.example/画像.png", "https://u@cdn.example/%E7%94%BB%E5%83%8F.png"],
    [
      "https://u:p|@cdn.example:8080/画?é#[x]",
      "https://u:p%7C@cdn.example:8080/%E7%94%BB?%C3%A9#%5Bx%5D",
    ],
    ["https://u%@cdn.example/", "https://u%25@cdn.example/"],
    ["https://例え.example/", "https://xn--r8jz45g.example/"],
    ["http://[::1]:80/画", "http://[::1]/%E7%94%BB"],
    [
      "https://cdn.example/50%off|画像.png?a=[1]",
      "https://cdn.example/50%25off%7C%E7%94%BB%E5%83%8F.png?a=%5B1%5D",
    ],
  ])("publishes %s as %s", (text, published) => {
    expect(httpUrl(text)).toBe(published);
  });

  test.each(["javascript:alert(1)", "/a.png", "ftp://a.example/", "https://", "", "https://a b/"])(
    "reports %s",
    (text) => {
      expect(httpUrl(text)).toBeUndefined();
      expect(findViolation(text, { type: "url", nullable: true })).toMatchObject({ rule: "url" });
    },
  );

  test("keeps the protocol, host, port and user of any URL", () => {
    const base = fc.constantFrom(
      "https://a.example/",
      "http://u:p@b.example:81",
      "https://[::1]/?",
      "https://u@例え.example/#",
    );
    fc.assert(
      fc.property(base, anyText, (start, rest) => {
        const published = httpUrl(start + rest);
        if (published === undefined) return;
        for (const part of ["host", "username", "password", "protocol"] as const)
          expect(new URL(published)[part]).toBe(new URL(start + rest)[part]);
        expect(httpUrl(published)).toBe(published);
      }),
    );
  });
});

describe("findViolation", () => {
  test.each([
    ["id", 1, undefined],
    ["id", 0, "id"],
    ["id", -1, "id"],
    ["id", 2 ** 53, "id"],
    ["id", 2 ** 53 - 1, undefined],
    ["id", "1", "type"],
    ["parentId", 0, undefined],
    ["parentId", -1, "id"],
    ["count", 0, undefined],
    ["count", 1.5, "count"],
    ["count", -1, "count"],
    ["flag", 1, undefined],
    ["flag", 2, "flag"],
    ["text", 1, "type"],
    ["text", new Uint8Array(1), "type"],
    ["text", "", undefined],
  ] as const)("judges, of type %s, the value %s: %s", (type, value, rule) => {
    expect(findViolation(value, { type })?.rule).toBe(rule);
  });

  test("accepts NULL only where a column may be NULL", () => {
    expect(findViolation(null, { type: "text" })?.rule).toBe("null");
    expect(findViolation(null, { type: "text", nullable: true })).toBeUndefined();
  });
});
