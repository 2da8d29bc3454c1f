/**
 * Two builds at once into one folder, as two containers run them: each in a PID namespace of its own,
 * where both have the same process number. `PAIRED_BUILDS=200 npx vitest run paired-builds` runs more rounds.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { root, runInProcess, sample, temporaryFolder, tsx } from "../support/support.ts";
import { verifySnapshot } from "../../scripts/snapshot/verify-snapshot.ts";
import { build } from "../../scripts/build/build-snapshot.ts";

const fewRounds = 4;
const rounds = Number(process.env["PAIRED_BUILDS"] ?? fewRounds);
const silent = { step: () => ({ update: () => {}, done: () => {} }) };

/** Runs a build for each line of its input: a delay in milliseconds and the arguments, as JSON. */
const builder = `
  import { createInterface } from "node:readline";
  import { build } from ${JSON.stringify(join(root, "scripts/build/build-snapshot.ts"))};
  console.log(process.pid);
  for await (const line of createInterface(process.stdin)) {
    const [delay, ...args] = JSON.parse(line);
    await new Promise((done) => setTimeout(done, delay));
    let stderr = "";
    const io = { stdout: { write() {} }, stderr: { write(text) { stderr += text; } }, env: {} };
    console.log(JSON.stringify({ code: await build(args, io), stderr }));
  }`;
const isolation = ["--pid", "--fork", "--mount-proc", "--kill-child"];
const canIsolate = spawnSync("unshare", [...isolation, "true"]).status === 0;

interface Ended {
  readonly code: number;
  readonly stderr: string;
}

/**
 * Starts a process that builds.
 *
 * @returns a function that runs one build in it
 */
async function startBuilder() {
  const child = spawn(
    "unshare",
    [...isolation, process.execPath, ...tsx, "--input-type=module", "-e", builder],
    { cwd: root, stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("1");
  return async (delay: number, ...args: string[]): Promise<Ended> => {
    child.stdin.write(`${JSON.stringify([delay, ...args])}\n`);
    return JSON.parse(String((await lines.next()).value)) as Ended;
  };
}

const idOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "snapshot.json"), "utf8")) as { id: string }).id;

/** An export whose titles begin with a word, and the id of its snapshot. */
async function exportOf(word: string): Promise<{ file: string; id: string }> {
  const file = join(temporaryFolder(), "export.sqlite");
  const database = new Database(file).exec(readFileSync(sample, "utf8"));
  database
    .exec(`UPDATE posts SET post_title = '${word} ' || post_title WHERE post_id % 2 = 0`)
    .close();
  const folder = join(temporaryFolder(), "dist");
  expect(await runInProcess(build, ["--export", file, "--out", folder])).toMatchObject({ code: 0 });
  return { file, id: idOf(folder) };
}

test.skipIf(!canIsolate)(
  "npm run build leaves one whole snapshot when two containers build at once",
  async () => {
    const exports = await Promise.all(["a", "b", "c", "d"].map(exportOf));
    const builders = [await startBuilder(), await startBuilder()];
    const parent = temporaryFolder();
    const out = join(parent, "dist");
    const counts = { refused: 0, "one after the other": 0 };
    for (let round = 0; round < rounds; round++) {
      // Other exports than in the round before, so that both builds have something to write.
      const pair = exports.slice((round % 2) * 2, (round % 2) * 2 + 2);
      // Mostly at the same time; now and then one begins when the other is about to end.
      const delays = [0, round % 3 === 0 ? 0 : (round * 7919) % 200];
      const ended = await Promise.all(
        builders.map((run, i) =>
          run(delays[i] ?? 0, "--export", pair[i]?.file ?? "", "--out", out),
        ),
      );
      const refused = ended.filter(({ code }) => code !== 0);
      expect(refused.length).toBeLessThan(2);
      for (const { stderr } of refused) expect(stderr).toContain("another build is writing to");
      counts[refused.length === 1 ? "refused" : "one after the other"]++;
      const allowed = pair.filter((_, i) => ended[i]?.code === 0).map(({ id }) => id);
      expect(allowed).toContain(idOf(out));
      expect(await verifySnapshot(out, silent)).toEqual([]);
      expect(readdirSync(parent).sort()).toEqual([".dist.source", "dist"]);
    }
    if (rounds > 6) console.log(`${rounds} rounds:`, counts);
    expect(counts.refused).toBeGreaterThan(0);
  },
);
