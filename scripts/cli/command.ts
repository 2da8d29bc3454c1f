/** Declares a command: its options, its help, and the exit code that a wrong option leads to. */
import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";
import { suggestSimilar } from "../lib/text.ts";
import type { CommandIo } from "./io.ts";
import { endProgress } from "./progress.ts";
import { useProxy } from "./proxy.ts";

/** A failure that was expected: its message says what is wrong and what to do. Exit code 1. */
export class Failure extends Error {}

/** An option or a value that cannot be used. Exit code 2. */
export class UsageError extends Error {}

/** A parameter: an option, or an argument without a name. */
interface Parameter {
  /** A text, one or more texts, a whole number from `minimum` (or 0) to `maximum`, or an option without a value. */
  readonly type: "string" | "strings" | "integer" | "boolean";
  readonly help: string;
  /** What the help calls the value: FILE, URL. */
  readonly value?: string;
  readonly default?: string | number;
  readonly minimum?: number;
  readonly maximum?: number;
}

type Parameters = Readonly<Record<string, Parameter>>;

type ParameterValue<P extends Parameter> = {
  string: string;
  strings: readonly string[];
  integer: number;
  boolean: boolean;
}[P["type"]];
/** What a command gets: a value for each parameter; undefined for an option that was not given. */
export type Values<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends
    | { readonly type: "boolean" }
    | { readonly default: string | number }
    ? ParameterValue<P[K]>
    : ParameterValue<P[K]> | undefined;
};

/** What a command is declared with. */
interface Definition<A, O> {
  /** As in `npm run NAME`. */
  readonly name: string;
  /** What the command does, in one or more lines. */
  readonly summary: string;
  /** Arguments without a name, in their order. One without a default must be given. */
  readonly positionals?: A;
  readonly options: O;
}

/** A command as it was declared. */
export interface Command<A extends Parameters, O extends Parameters> {
  /** What `--help` prints. */
  readonly usage: string;
  /**
   * Reads the arguments and does the work. Never throws: every error becomes a message.
   *
   * @param args arguments as on the command line, without the command
   * @param work gets the values by name and returns the exit code
   * @returns the exit code: that of `work`, 1 after a failure, 2 after a wrong option or value
   */
  run(
    args: readonly string[],
    io: CommandIo,
    work: (
      values: Values<O> & { readonly [K in keyof A]: ParameterValue<A[K]> },
    ) => Promise<number> | number,
  ): Promise<number>;
}

const helpFlag: Parameter = { type: "boolean", help: "show this text" };

function renderUsage({
  name,
  summary,
  positionals = {},
  options,
}: Definition<Parameters, Parameters>) {
  const args = Object.values(positionals);
  const rows = [
    ...args.map((one) => [one.value ?? "", one] as const),
    ...Object.entries({ ...options, help: helpFlag }).map(
      ([key, one]) => [`--${key}${one.value === undefined ? "" : ` ${one.value}`}`, one] as const,
    ),
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(
    ([left, one]) =>
      `  ${left.padEnd(width)}  ${one.help}${one.default === undefined ? "" : ` (default: ${one.default})`}\n`,
  );
  const shown = args.map((one) => (one.default === undefined ? one.value : `[${one.value}]`));
  return `${[`npm run ${name} --`, ...shown, "[options]"].join(" ")}\n\n${summary}\n\n${lines.join("")}`;
}

/** The values that were given for a parameter; true for an option without a value. */
type Given = string[] | boolean | undefined;

/**
 * The value of one parameter.
 *
 * @param label how messages name it
 */
function parseValue(parameter: Parameter, label: string, given: Given) {
  const { type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = parameter;
  if (type === "boolean") return given === true;
  const [first, ...others] = Array.isArray(given) ? given : [];
  if (first === undefined) return parameter.default;
  if ([first, ...others].includes("")) throw new UsageError(`${label}: the value is empty.`);
  if (type === "strings") return given;
  if (others.length > 0)
    throw new UsageError(`${label} is given twice, and takes one value. Give it once.`);
  if (type === "string") return first;
  const value = Number(first);
  if (!/^\d+$/.test(first) || value < minimum || value > maximum)
    throw new UsageError(
      `${label} ${first}: must be a whole number ${parameter.maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}.`,
    );
  return value;
}

/**
 * Adds arguments that follow the value of an option with several to its values.
 *
 * @returns the other arguments
 */
function withoutLists(
  tokens: readonly { readonly kind: string; readonly name?: string; readonly value?: unknown }[],
  options: Parameters,
  given: Readonly<Record<string, Given>>,
): string[] {
  let list: Given;
  return tokens.flatMap(({ kind, name = "", value }) => {
    if (kind === "option") list = options[name]?.type === "strings" ? given[name] : undefined;
    if (kind !== "positional") return [];
    if (!Array.isArray(list)) return [String(value)];
    list.push(String(value));
    return [];
  });
}

/** What Node says of arguments that it cannot parse, with the option that may be meant for an unknown one. */
function parseErrorMessage(message: string, options: readonly string[]): string {
  const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
  const similar = unknown === undefined ? undefined : suggestSimilar(unknown, options);
  // What follows in Node's own message is about arguments that begin with a dash.
  const reason = message.replace(/\. To specify .*/s, "").replace(/\.?$/, ".");
  return similar === undefined ? reason : `${reason} Is --${similar} meant?`;
}

/**
 * Reads arguments.
 *
 * @throws UsageError for an unknown option, a wrong value, a missing or extra argument
 */
function valuesFrom(
  { positionals = {}, options }: Definition<Parameters, Parameters>,
  args: readonly string[],
): { readonly [name: string]: unknown } {
  const expected = Object.entries(positionals);
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals:
        expected.length > 0 || Object.values(options).some(({ type }) => type === "strings"),
      tokens: true,
      options: Object.fromEntries(
        Object.entries({ ...options, help: helpFlag }).map(([name, { type }]) => [
          name,
          { type: type === "boolean" ? type : "string", multiple: type !== "boolean" },
        ]),
      ),
    });
  } catch (error) {
    throw new UsageError(parseErrorMessage((error as Error).message, Object.keys(options)));
  }
  const given = parsed.values as Record<string, Given>;
  const found = withoutLists(parsed.tokens, options, given);
  // Help is shown, whatever else is missing.
  if (given["help"] === true) return { help: true };
  if (found.length > expected.length)
    throw new UsageError(`Unexpected argument '${found[expected.length]}'`);
  const values: Record<string, unknown> = {};
  for (const [i, [name, parameter]] of expected.entries()) {
    values[name] = parseValue(parameter, parameter.value ?? "", found.slice(i, i + 1));
    if (values[name] === undefined) throw new UsageError(`${parameter.value} is missing.`);
  }
  for (const [name, option] of Object.entries(options))
    values[name] = parseValue(option, `--${name}`, given[name]);
  return values;
}

/**
 * Refuses options that npm took for its own, since `--` was missing. npm passes them on in the environment only,
 * so a dry run would become a real one.
 */
function assertNotTaken(
  { name, options }: Definition<Parameters, Parameters>,
  env: CommandIo["env"],
): void {
  if (env["npm_lifecycle_event"] !== name) return;
  // npm reads --no-x as x, switched off.
  const taken = Object.keys(options).filter(
    (option) => env[`npm_config_${option.replace(/^no-/, "").replaceAll("-", "_")}`] !== undefined,
  );
  if (taken.length > 0)
    throw new UsageError(
      `npm took --${taken.join(", --")} for itself. Write -- before the options: npm run ${name} -- --${taken.join(" --")}`,
    );
}

/** What to print about an error that ended a command. */
export function errorMessage(name: string, error: unknown): string {
  if (error instanceof Failure) return error.message;
  // The disk is full, or a file may not be read: the system's own words say which.
  if (error instanceof Error && "syscall" in error) return `${name} stopped: ${error.message}`;
  return `${name} stopped: ${error instanceof Error ? error.stack : String(error)}`;
}

/** Declares a command. `--help` comes with it. */
export function defineCommand<const A extends Parameters, const O extends Parameters>(
  definition: Definition<A, O>,
): Command<A, O> {
  const usage = renderUsage(definition);
  return {
    usage,
    async run(args, { stdout, stderr, env }, work) {
      try {
        assertNotTaken(definition, env);
        const values = valuesFrom(definition, args);
        if (values["help"] === true) {
          stdout.write(usage);
          return 0;
        }
        return await work(values as never);
      } catch (error) {
        endProgress();
        if (error instanceof UsageError) {
          const { name } = definition;
          stderr.write(`${error.message}\nnpm run ${name} -- --help lists all options.\n`);
          return 2;
        }
        stderr.write(`${errorMessage(definition.name, error)}\n`);
        return 1;
      }
    },
  };
}

/**
 * Runs a command as this process when its file is what was started; does nothing when it was imported.
 *
 * @param file the command's own file: `import.meta.filename`
 */
export async function runAsMain(
  file: string,
  command: (args: readonly string[], io: CommandIo) => Promise<number>,
): Promise<void> {
  const [, started, ...args] = process.argv;
  if (started === undefined || realpathSync(started) !== file) return;
  // The reader of the output may have ended (`| head`), or its disk is full. The work goes on, and the exit code says
  // how it ended.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.stdout.once("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.stderr.write(`standard output cannot be written: ${message}\n`);
  });
  const unused = useProxy(process.env);
  if (unused !== undefined) process.stderr.write(`note: ${unused}\n`);
  process.exitCode = await command(args, process);
}
