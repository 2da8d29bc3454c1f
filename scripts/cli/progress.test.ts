import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { defineCommand, Failure } from "./command.ts";
import type { TextStream } from "./io.ts";
import { besideBars, endProgress, progressOn } from "./progress.ts";

/** A terminal that keeps what is written. */
function terminal() {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let text = "";
  stream.on("data", (bytes: Buffer) => (text += bytes.toString()));
  return { stream: stream as unknown as TextStream, text: () => text };
}

/** The lines that a terminal shows in the end, where the cursor goes back to the beginning of a line only to write it again. */
const shown = (text: string): string[] =>
  text.split("\n").map((line) => stripVTControlCharacters(line.split("\x1b[1G").at(-1) ?? ""));

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("a command ends its bar before its message when work fails amid a step", async () => {
  const { stream, text } = terminal();
  const before = timers();
  const command = defineCommand({ name: "x", summary: "", options: {} });
  const code = await command.run([], { stdout: stream, stderr: stream, env: {} }, () => {
    progressOn(stream).step("posts", "posts", undefined).update(64);
    expect(timers()).toBeGreaterThan(before);
    throw new Failure("line 2 is not JSON");
  });
  expect(code).toBe(1);
  expect(timers()).toBe(before);
  expect(process.listenerCount("SIGINT")).toBe(0);
  await new Promise(setImmediate);
  expect(shown(text())).toEqual(["line 2 is not JSON", ""]);
  // The terminal wraps lines again.
  expect(text().lastIndexOf("\x1b[?7h")).toBeGreaterThan(text().lastIndexOf("\x1b[?7l"));
});

test("progressOn follows items that come in pages", async () => {
  const { stream, text } = terminal();
  const step = progressOn(stream).step("posts", "posts", undefined);
  for (const count of [100, 200, 300]) step.update(count);
  endProgress();
  await new Promise(setImmediate);
  expect(text()).toContain("posts: 300 posts");
});

test("besideBars writes whole lines amid a step, as finished steps do", async () => {
  const { stream, text } = terminal();
  const before = timers();
  const progress = progressOn(stream);
  const step = progress.step("rows", "rows", undefined);
  besideBars(() => stream.write("warning: a tag has ; in its name\n"));
  step.update(64);
  step.done();
  progress.step("documents", "posts", 1000).done();
  expect(timers()).toBe(before);
  await new Promise(setImmediate);
  expect(shown(text())).toEqual([
    "warning: a tag has ; in its name",
    "rows: 64 rows",
    "documents: 1,000 posts",
    "",
  ]);
});
