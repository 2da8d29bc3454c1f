import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { takeLock } from "./lock.ts";

test("takeLock locks the file at the path when the holder before removes its own", () => {
  const file = join(temporaryFolder(), "lock");
  const begin = vi.spyOn(Database.prototype, "exec").mockImplementationOnce(function (
    this: Database.Database,
    sql: string,
  ) {
    // The other process removes its file and ends, after this one has opened the file.
    rmSync(file);
    begin.mockRestore();
    return this.exec(sql);
  });
  const release = takeLock(file);
  expect([release !== undefined, existsSync(file)]).toEqual([true, true]);
  release?.();
  expect(existsSync(file)).toBe(false);
});
