/**
 * Questions that people might ask, in other words than the title of the post that answers: where is it among the
 * results? The questions are beside the project (`../shared/questions`), one file for an export of the same name.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CorpusPost } from "./corpus.ts";
import { table } from "./quantiles.ts";
import { ranksOf, searched, type Method } from "./ranked-methods.ts";

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
      return found.findIndex((number) => [id, ...also].includes(posts[number]!.post.postId)) + 1;
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
    const { posts, methods } = await searched(join(shared, `datasets/${name}.sqlite`));
    const questions = readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Question);
    const rows: string[][] = [];
    for (const [method, find] of Object.entries(methods)) {
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
  }
}
