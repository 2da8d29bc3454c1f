/** The file `_headers`, in which the platform finds the headers of files (https://docs.netlify.com/manage/routing/headers/). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HeaderRules } from "../../functions/contract/http.ts";

/** Name of the file in a snapshot. The platform reads it, and serves it to nobody. */
export const headersFile = "_headers";

/** Writes rules in the platform's form: a path, and below it a header a line. */
export const headersText = (rules: HeaderRules): string =>
  Object.entries(rules)
    .map(([path, headers]) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}\n${lines.join("")}`;
    })
    .join("");

/** Reads the rules of a snapshot, in the form in which they were written; none where the file is not there. */
export function readHeaders(folder: string): HeaderRules {
  const file = join(folder, headersFile);
  if (!existsSync(file)) return {};
  const rules = readFileSync(file, "utf8").split(/\n(?=\/)/);
  return Object.fromEntries(
    rules.map((rule) => {
      const [path = "", ...lines] = rule.trimEnd().split("\n  ");
      return [path, Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)))];
    }),
  ) as HeaderRules;
}
