/** Runs a command in the test's own process, with an environment of its own. */
import type { CommandIo } from "../../scripts/cli/command.ts";

/** A command's exit code, and what it wrote. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command. @param env all environment variables that the command gets */
export async function runInProcess(
  command: (args: readonly string[], io: CommandIo) => Promise<number>,
  args: readonly string[],
  env: CommandIo["env"] = {},
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const to = (name: keyof typeof written): CommandIo["stdout"] => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await command(args, { stdout: to("stdout"), stderr: to("stderr"), env });
  return { code, ...written };
}
