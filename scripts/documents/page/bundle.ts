/** The programs, the style and the icon of the pages → the files that browsers get. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const sourceFolder = join(import.meta.dirname, "client");

/** Baseline Widely Available in November 2026: https://web.dev/baseline */
const browsers = ["chrome125", "edge125", "firefox126", "safari17.5"];

/**
 * Bundles programs or styles.
 *
 * @returns contents by file name; each has its source map beside it
 */
const bundle = (files: readonly string[], splitting: boolean): [string, Uint8Array][] =>
  buildSync({
    entryPoints: files.map((name) => join(sourceFolder, name)),
    bundle: true,
    splitting,
    minify: true,
    sourcemap: true,
    format: "esm",
    target: browsers,
    alias: { "entities/decode": join(sourceFolder, "no-entities.ts") },
    outdir: sourceFolder,
    write: false,
    // Else, source maps would name the place of node_modules where it is a link.
    preserveSymlinks: true,
  }).outputFiles.map(({ path, contents }) => [basename(path), contents]);

/** What browsers get, by file name. Of the page of the posts, what shows a post is loaded with the first one. */
export const bundlePage = (): ReadonlyMap<string, Uint8Array> =>
  new Map([
    ...bundle(["page.ts"], true),
    ...bundle(["docs.ts", "language.ts", "style.css"], false),
    ["icon.svg", readFileSync(join(sourceFolder, "icon.svg"))],
  ]);
