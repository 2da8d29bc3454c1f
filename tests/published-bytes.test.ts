/** What is published for the sample, as one digest: whoever changes it raises the version that snapshots are named by. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "smol-toml";
import { listedFiles, outputVersion, readManifest } from "../scripts/snapshot/manifest.ts";
import { built, root, sample } from "./support/support.ts";

/** The digest of each version; the last one is what is published now. */
const published: Readonly<Record<number, string>> = {
  1: "5a19e404912fa5627bcf6d2a67a267c4ae532d599343f91c98acb8c3cfa19110",
};

test("published bytes change with outputVersion alone", async () => {
  const folder = await built(sample);
  const manifest = readManifest(folder);
  const hash = createHash("sha256");
  // Comments of netlify.toml are not published, nor is what it says of `netlify dev`.
  const { dev: _, ...config } = parse(readFileSync(join(root, "netlify.toml"), "utf8"));
  hash.update(JSON.stringify(config));
  // gzip's bytes differ from one Node to the next.
  const paths = [...listedFiles(manifest)]
    .map(([path]) => path)
    .filter((path) => !path.endsWith(".gz"));
  for (const path of paths.sort()) {
    // The id of the snapshot, and a checksum over it, follow from the version itself.
    const text = readFileSync(join(folder, path), "latin1")
      .replaceAll(manifest.id, "")
      .replace(/"fingerprint":\d+/, "");
    hash.update(`${path}\0`).update(text, "latin1");
  }
  expect(
    { [outputVersion]: hash.digest("hex") },
    "What is published for the same inputs has changed. If that is right, raise outputVersion in scripts/snapshot/manifest.ts, and put the new digest below that number here.",
  ).toEqual({ [outputVersion]: published[outputVersion] });
});
