/** `npm run pull` in this process, over the network, with waits that take no time. */
import { join } from "node:path";
import { Readable } from "node:stream";
import Database from "better-sqlite3";
import type { CommandIo } from "../../scripts/cli/io.ts";
import { pull } from "../../scripts/pull.ts";
import { runInProcess, temporaryFolder, type Ended } from "./support.ts";

/**
 * Pulls.
 *
 * @returns how it ended, and how long each wait would have taken, in milliseconds
 */
export async function runPull(
  args: readonly string[],
  env: CommandIo["env"] = {},
  input: Iterable<Buffer> | AsyncIterable<Buffer> = [],
): Promise<Ended & { readonly waited: readonly number[] }> {
  const waited: number[] = [];
  const edges = {
    fetch,
    wait: async (milliseconds: number) => void waited.push(milliseconds),
    now: () => 0,
    stdin: () => Readable.from(input),
  };
  const ended = await runInProcess((all, io) => pull(all, io, edges), args, env);
  return { ...ended, waited };
}

/** A file to write, in a folder that is not there yet. */
export const newTarget = (): string => join(temporaryFolder(), "data/export.sqlite");

/** What a query gives of an export: rows by the names of their columns. */
export const recordsIn = (file: string, sql: string): Record<string, unknown>[] =>
  new Database(file, { readonly: true }).prepare<[], Record<string, unknown>>(sql).all();

/** The same as rows of values. */
export const rowsIn = (file: string, sql: string): unknown[][] =>
  recordsIn(file, sql).map(Object.values);
