/** `npm run pull` in this process, over the network, with waits that take no time. */
import { Readable } from "node:stream";
import type { CommandIo } from "../../scripts/cli/command.ts";
import { pull } from "../../scripts/pull.ts";
import { runInProcess, type Ended } from "./support.ts";

/** Pulls. @returns how it ended, and how long each wait would have taken, in milliseconds */
export async function runPull(
  args: readonly string[],
  env: CommandIo["env"] = {},
  input: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = [],
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
