/** Builds, and builds again whenever the export changes. */
import { existsSync, watchFile } from "node:fs";
import { Failure, type CommandIo } from "../cli/command.ts";
import { build } from "../publish/build-snapshot.ts";
import { takeLock } from "../lib/lock.ts";
import { exportCandidates, type ExportChoice } from "../publish/options.ts";
import { beside, realPath, stateOf } from "../lib/paths.ts";

/** Milliseconds between two checks of the files, and between the last change and the build. */
const lookEvery = 500;
const pause = 500;

/**
 * Makes this process the only server that builds into `dist`, until it ends.
 *
 * @throws Failure where another one does
 */
export function claimDist(): void {
  const release = takeLock(beside(realPath("dist"), "server"));
  if (release === undefined)
    throw new Failure(
      "Another npm run dev or netlify dev serves dist of this folder, with URLs of its own port. End it first.",
    );
  process.once("exit", release);
}

/** Changes of a file, and of the log in which SQLite keeps the newest rows of a database. */
const filesOf = (file: string): string[] => [file, `${file}-wal`];

/**
 * Builds a snapshot. While this process runs, each change of the export builds another one; an export that
 * is refused, or has gone, is reported, and the snapshot before stays.
 *
 * @param args options of the build
 * @param choice which export these options name
 * @returns the exit code of the first build
 */
export async function watchedBuild(
  args: readonly string[],
  choice: ExportChoice,
  io: CommandIo,
): Promise<number> {
  const candidates = exportCandidates(choice);
  const look = (): string => candidates.flatMap(filesOf).map(stateOf).join("|");
  let built = look();
  let shown = candidates.find((file) => existsSync(file));
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const buildAgain = async (): Promise<void> => {
    const state = look();
    if (state === built) return;
    built = state;
    if (shown !== undefined && !existsSync(shown)) {
      io.stdout.write(`${shown} is gone. The old snapshot stays.\n`);
      return;
    }
    io.stdout.write("The export changed: building again.\n");
    shown = candidates.find((file) => existsSync(file));
    const code = await build(args, io);
    io.stdout.write(code === 0 ? "The next request shows it.\n" : "The old snapshot stays.\n");
  };
  const code = await build(args, io);
  if (code !== 0) {
    io.stderr.write("The server was not started. Correct that and start again.\n");
    return code;
  }
  for (const file of candidates.flatMap(filesOf))
    watchFile(file, { interval: lookEvery }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => (running = running.then(buildAgain)), pause);
    });
  return code;
}
