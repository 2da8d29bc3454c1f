/**
 * npm run bench:segments: what a sealed base with a second index of new posts would save and cost. One
 * index of all posts is rebuilt when posts come; with two indexes, only the small one is. Nothing of the
 * kind is built into the API: this is a simulation, on real indexes and a simulated network.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { blockFolder } from "../functions/search/index-format.ts";
import type { SearchHit } from "../functions/contract/resources.ts";
import { PostTexts } from "../scripts/lib/post-texts.ts";
import { writeSearchIndex } from "../scripts/search-index/write.ts";
import { coldSearches } from "./cold-searches.ts";
import { readCorpus, writeCorpus, type CorpusPost } from "./corpus.ts";
import { mixOf } from "./mix.ts";
import { quantiles, shown } from "./quantiles.ts";

const usage = `npm run bench:segments -- [options]

  --posts N     posts of the collection (default: 22000)
  --new N       newest posts, which have come since the base was sealed (default: 200)
  --searches N  searches with an empty cache (default: 300)
  --help        show this text
`;
const { values } = parseArgs({
  options: {
    posts: { type: "string", default: "22000" },
    new: { type: "string", default: "200" },
    searches: { type: "string", default: "300" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), "case-collection-bench-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const corpus = join(work, "corpus.sqlite");
writeCorpus(corpus, Number(values.posts));
const posts = readCorpus(corpus);
const fresh = Number(values.new);

/** Writes the index of some posts. @returns its folder */
async function index(name: string, some: readonly CorpusPost[]): Promise<string> {
  process.stderr.write(`index of ${some.length} posts\n`);
  const folder = join(work, name);
  mkdirSync(folder);
  const hits: SearchHit[] = some.map(({ hit }) => hit);
  const texts = PostTexts.of(
    some.map(({ hit, text }) => ({ postId: hit.postId, title: hit.postTitle, text, tags: [] })),
  );
  await writeSearchIndex(folder, "0".repeat(64), hits, texts, { placement: "cdn" });
  return folder;
}

const all = await index("all", posts);
const base = await index("base", posts.slice(fresh));
const delta = await index("delta", posts.slice(0, fresh));
const edited = await index(
  "edited",
  posts.map((post, i) =>
    i % Math.ceil(posts.length / 10) === 7 ? { ...post, text: `x${post.text}` } : post,
  ),
);

/** Files of an index, and those that another one does not have. */
function filesOf(folder: string, other?: string) {
  const known = new Set(other === undefined ? [] : readdirSync(join(other, blockFolder)));
  const names = readdirSync(join(folder, blockFolder)).filter((name) => !known.has(name));
  const bytes = names.reduce(
    (sum, name) => sum + statSync(join(folder, blockFolder, name)).size,
    0,
  );
  return `${names.length.toLocaleString("en-US")} files, ${shown(bytes / 1e6)} MB`;
}

const both = join(work, "both");
for (const folder of [base, delta]) cpSync(join(folder, blockFolder), both, { recursive: true });
const mix = mixOf(posts, Number(values.searches));
process.stderr.write("searches\n");
const one = await coldSearches([all], join(all, blockFolder), mix);
const two = await coldSearches([base, delta], both, mix);
const row = (name: string, uploads: string, { times, requests }: typeof one): string =>
  `| ${name} | ${uploads} | ${quantiles(times).map(shown).join(" / ")} | ${quantiles(requests).join(" / ")} |`;
const lines = [
  `${posts.length.toLocaleString("en-US")} posts, of which ${fresh} are new; the whole index: ${filesOf(all)}`,
  "",
  "| index | to upload for the new posts | cold, p50 / p95 / p99, ms | requests |",
  "|---|---|---|---|",
  row("one", filesOf(all, base), one),
  row("base and delta", filesOf(delta), two),
  "",
  `To upload after ten posts were edited, with one index: ${filesOf(edited, all)}.`,
];
process.stdout.write(`${lines.join("\n")}\n`);
