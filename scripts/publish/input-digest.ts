/** The program itself as an input of what it makes. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Digest of the program's own code and its locked dependencies. A snapshot that was made by other
 * code is made anew, so that no version number needs to be raised by hand.
 */
export function programDigest(): string {
  const root = resolve(import.meta.dirname, "../..");
  const hash = createHash("sha256");
  const code = ["functions", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.m?[jt]s$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  for (const name of [...code.sort(), "package-lock.json"])
    hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  return hash.digest("hex");
}
