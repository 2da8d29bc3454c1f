import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { diskLines } from "./disk-space.ts";

test.each([
  ["a small collection, nothing", 100, undefined, undefined],
  [
    "a large one, what it takes",
    100_000,
    /^disk: about 0\.6 GB .*; [\d.]+ GB are free$/,
    undefined,
  ],
  [
    "one that no disk holds, a warning",
    1e15,
    undefined,
    /the disk may be too small: about 6\d+\.0 GB/,
  ],
])("says of %s", (_, posts, line, warning) => {
  const folder = temporaryFolder();
  const file = join(folder, "export.sqlite");
  writeFileSync(file, "x".repeat(1000));
  const said = diskLines(file, posts, folder);
  for (const [text, pattern] of [
    [said.line, line],
    [said.warning, warning],
  ] as const)
    if (pattern === undefined) expect(text).toBeUndefined();
    else expect(text).toMatch(pattern);
});
