import { describe, expect, test } from "vitest";
import { runInProcess } from "../../tests/support/support.ts";
import { defineCommand, Failure, UsageError } from "./command.ts";

const command = defineCommand({
  name: "copy",
  summary: "Copies a file.",
  positionals: {
    from: { type: "string", value: "FROM", help: "file to copy" },
    times: { type: "integer", value: "TIMES", help: "how often", default: 1, minimum: 1 },
  },
  options: {
    to: { type: "string", value: "DIR", help: "where to", default: "here" },
    posts: { type: "integer", value: "N", help: "how many" },
    force: { type: "boolean", help: "overwrite" },
  },
});

/** Runs the command; it writes the values that it got. */
const run = (...args: string[]) =>
  runInProcess(
    (given, io) =>
      command.run(given, io, (values) => {
        io.stdout.write(JSON.stringify(values));
        return 0;
      }),
    args,
  );
/** Runs the command; its work throws. */
const failing = (error: unknown) =>
  runInProcess((given, io) => command.run(given, io, () => Promise.reject(error)), ["a"]);

describe("defineCommand gives its work", () => {
  test("defaults, and undefined for what was not given", async () => {
    expect(await run("a")).toEqual({
      code: 0,
      stdout: '{"from":"a","times":1,"to":"here","force":false}',
      stderr: "",
    });
  });

  test("given values, with numbers as numbers", async () => {
    const { stdout } = await run("--force", "a", "3", "--posts=0", "--to", "there");
    expect(JSON.parse(stdout)).toEqual({
      from: "a",
      times: 3,
      to: "there",
      posts: 0,
      force: true,
    });
  });
});

test("defineCommand explains every parameter at --help, whatever else is missing", async () => {
  const { code, stdout, stderr } = await run("--help");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`npm run copy -- FROM [TIMES] [options]

Copies a file.

  FROM       file to copy
  TIMES      how often (default: 1)
  --to DIR   where to (default: here)
  --posts N  how many
  --force    overwrite
  --help     show this text
`);
});

test.each<[string, string[], string]>([
  ["an unknown option", ["a", "--bogus"], "Unknown option '--bogus'.\n"],
  ["an option that is misspelt", ["a", "--forse"], "Unknown option '--forse'. Is --force meant?"],
  ["a word for a number", ["a", "--posts", "abc"], "--posts abc: must be a whole number"],
  ["a negative number", ["a", "--posts=-1"], "--posts -1: must be a whole number of at least 0"],
  ["a fraction", ["a", "--posts", "1.5"], "--posts 1.5: must be a whole number"],
  ["a number beyond 2^53", ["a", "--posts", "9".repeat(17)], "must be a whole number"],
  ["a number below the minimum", ["a", "0"], "TIMES 0: must be a whole number of at least 1"],
  ["an empty value", ["a", "--to="], "--to: the value is empty"],
  ["a value that is missing", ["a", "--to"], "argument missing"],
  ["a value for a flag", ["a", "--force=yes"], "does not take an argument"],
  ["an option that is given twice", ["a", "--to", "x", "--to", "y"], "--to is given twice"],
  ["an argument that is missing", [], "FROM is missing"],
  ["an argument too many", ["a", "1", "b"], "Unexpected argument 'b'"],
])("defineCommand refuses %s with a message and exit code 2", async (_, args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+\nnpm run copy -- --help lists all options\.\n$/);
});

describe("a command whose work throws", () => {
  test("prints the message of a Failure, with exit code 1", async () => {
    expect(await failing(new Failure("the disk is on fire."))).toMatchObject({
      code: 1,
      stderr: "the disk is on fire.\n",
    });
  });

  test("prints the message of a UsageError, with exit code 2", async () => {
    const { code, stderr } = await failing(new UsageError("FROM and DIR are the same."));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^FROM and DIR are the same\.\n/);
  });

  test("prints a system error in its own words, without a stack trace", async () => {
    const error = Object.assign(new Error("ENOSPC: no space left"), { syscall: "write" });
    expect((await failing(error)).stderr).toBe("copy stopped: ENOSPC: no space left\n");
  });

  test("prints an unexpected error with its stack trace", async () => {
    const { code, stderr } = await failing(new TypeError("x is not a function"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^copy stopped: TypeError: x is not a function\n +at /);
  });
});
