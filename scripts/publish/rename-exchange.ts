/** Swaps two folders in one step, where the system can. */
import { spawnSync } from "node:child_process";

/** Number of the Linux system call renameat2, by processor: see its syscall tables. */
const renameat2: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 316, arm64: 276 };
const atCurrentFolder = -100; // AT_FDCWD
const exchangeFlag = 2; // RENAME_EXCHANGE

/**
 * Exchanges two paths atomically: at every moment each name leads to one of the two folders.
 * Node has no call for this, so perl makes it, which every Debian and Ubuntu has.
 *
 * @returns false, with nothing changed, where system, file system or perl cannot do it
 */
export function exchange(a: string, b: string): boolean {
  const call = renameat2[process.arch];
  if (process.platform !== "linux" || call === undefined) return false;
  const script =
    "exit(syscall($ARGV[0], $ARGV[1], $ARGV[2], $ARGV[1], $ARGV[3], $ARGV[4]) == 0 ? 0 : 1)";
  // Perl passes an argument as a number only when it was used as one.
  const { status } = spawnSync("perl", [
    "-e",
    `$ARGV[$_] += 0 for (0, 1, 4); ${script}`,
    String(call),
    String(atCurrentFolder),
    a,
    b,
    String(exchangeFlag),
  ]);
  return status === 0;
}
