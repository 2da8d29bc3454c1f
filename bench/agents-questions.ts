/**
 * Questions that people might ask, in other words than the title of the post that answers: where is it among the
 * results? The questions are beside the project (`../shared/questions`), one file for an export of the same name.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "../scripts/publish/build-snapshot.ts";
import { mountedIndex } from "../tests/support/mounted-index.ts";
import { publishedCorpus, type CorpusPost } from "./corpus.ts";
import { table } from "./quantiles.ts";
import { methodsOn, ranksOf, type Method } from "./ranked-methods.ts";

const shared = resolve(import.meta.dirname, "../../shared");

/** A question, the post that it was written for, and others that answer it as well. */
interface Question {
  readonly id: number;
  readonly question: string;
  readonly also: readonly number[];
}

/** Parts of the questions: what helps one of them alone was made for it. */
const parts = 3;

/** Of each question, the place of a post that answers it; 0 where none is among ten. */
function placesOf(
  questions: readonly Question[],
  posts: readonly CorpusPost[],
  method: Method,
): Promise<number[]> {
  return Promise.all(
    questions.map(async ({ id, also, question }) => {
      const found = await method(question);
      return found.findIndex((number) => [id, ...also].includes(posts[number]!.hit.postId)) + 1;
    }),
  );
}

/** Asks all questions of all exports, and prints a table for each. */
export async function agentQuestions(): Promise<void> {
  const folder = join(shared, "questions");
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  if (files.length === 0) console.log("There are no questions beside the project.");
  for (const file of files) {
    const name = file.replace(".jsonl", "");
    const out = join(mkdtempSync(join(tmpdir(), "case-collection-bench-")), "dist");
    const silent = { write: () => true };
    const io = { stdout: silent, stderr: silent, env: {} };
    await build(["--export", join(shared, `datasets/${name}.sqlite`), "--out", out], io);
    const posts = publishedCorpus(out);
    const questions = readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Question);
    const rows: string[][] = [];
    const index = await mountedIndex(out, 2 ** 28);
    for (const [method, find] of Object.entries(methodsOn(index, posts))) {
      const places = await placesOf(questions, posts, find);
      const { first, inTen, reciprocal } = ranksOf(places);
      const size = Math.ceil(places.length / parts);
      const ofParts = Array.from({ length: parts }, (_, part) =>
        ranksOf(places.slice(part * size, (part + 1) * size)).reciprocal.toFixed(2),
      );
      const shares = [first, inTen].map((share) => share.toFixed(2));
      rows.push([method, ...shares, reciprocal.toFixed(3), ofParts.join(" / ")]);
    }
    const head = ["method", "first", "in 10", "mean reciprocal rank", "of each third"];
    console.log(
      `\n${name}, ${posts.length} posts, ${questions.length} questions\n\n${table(head, rows)}`,
    );
    rmSync(join(out, ".."), { recursive: true });
  }
}
