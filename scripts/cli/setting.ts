/** Settings that a command takes from its environment. */
import { Failure } from "./command.ts";
import type { CommandIo } from "./io.ts";

/**
 * A setting, without the white space around it.
 *
 * @param meaning what to set it to, for the message
 * @throws Failure where it is missing, or has characters that no such value has
 */
export function requireEnv(env: CommandIo["env"], name: string, meaning: string): string {
  const value = env[name]?.trim() ?? "";
  if (value === "") throw new Failure(`${name} is not set. Set it to ${meaning}.`);
  // Not shown: it may be a secret.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new Failure(
      `${name} has white space, a line break or a letter beyond ASCII in it. Set it to ${meaning}.`,
    );
  return value;
}
