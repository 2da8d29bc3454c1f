import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { fileFingerprint } from "./fs.ts";

test("fileFingerprint gives a text of its own, and does not throw, at an error", () => {
  const folder = temporaryFolder();
  const [file, loop] = [join(folder, "file"), join(folder, "loop")];
  writeFileSync(file, "");
  symlinkSync(loop, loop);
  expect(fileFingerprint(loop)).toContain("ELOOP");
  const states = [
    fileFingerprint(file),
    fileFingerprint(join(folder, "none")),
    fileFingerprint(loop),
  ];
  expect(new Set(states).size).toBe(3);
  expect(fileFingerprint(loop)).toBe(states[2]);
});
