/** A part of `npm run check`: every English text of the page has a translation. Exit code 1 where some have none. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untranslated } from "../../scripts/documents/page/languages.ts";
import { build } from "../../scripts/build/build-snapshot.ts";

const folder = mkdtempSync(join(tmpdir(), "case-collection-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let output = "";
const stream = { write: (text: string) => (output += text) };
const io = { stdout: stream, stderr: stream, env: {} };
const code = await build(["--sample", "--out", join(folder, "dist")], io);
const texts = untranslated();
if (code !== 0) console.error(output);
if (texts.length > 0)
  console.error(
    `scripts/documents/page/japanese.ts has no translation of:\n${texts.map((text) => `  ${JSON.stringify(text)}`).join("\n")}`,
  );
process.exitCode = code !== 0 || texts.length > 0 ? 1 : 0;
