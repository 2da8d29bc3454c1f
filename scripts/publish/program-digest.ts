/** The program itself as an input of what it makes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { filesBelow } from "../lib/files-below.ts";

const projectFolder = resolve(import.meta.dirname, "../..");

/**
 * Digest of everything besides export and options that a snapshot follows from: all files of the
 * program but its tests, scripts as well as styles and icons; netlify.toml with its rewrites; the
 * locked dependencies; and the version of Unicode that Node knows, which decides how texts are
 * normalised. So no version number needs to be raised by hand when a change should be published.
 *
 * @param folder the project's folder
 */
export function programDigest(folder = projectFolder): string {
  const program = ["functions", "scripts"].flatMap((name) =>
    filesBelow(join(folder, name))
      .filter((path) => !/(?:^|\/)\.|\.test\.ts$/.test(path))
      .map((path) => `${name}/${path}`),
  );
  const hash = createHash("sha256").update(`Unicode ${process.versions["unicode"]}\0`);
  for (const name of [...program.sort(), "package-lock.json", "netlify.toml"]) {
    const content = readFileSync(join(folder, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
