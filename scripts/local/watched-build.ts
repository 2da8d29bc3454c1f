/** Builds, and builds again whenever the export changes. */
import { statSync, watchFile } from "node:fs";
import { Failure, type CommandIo } from "../cli/command.ts";
import { build } from "../publish/build.ts";
import { takeLock } from "../publish/lock.ts";
import { beside, realPath } from "../publish/replace-folder.ts";
import { exportCandidates, type ExportChoice } from "../publish/options.ts";

/** Milliseconds between two looks at the files, and without a change before a build begins. */
const lookEvery = 500;
const pause = 500;

/** Changes of a file, and of the log in which SQLite keeps the newest rows of a database. */
const filesOf = (file: string): string[] => [file, `${file}-wal`];

/**
 * Builds a snapshot. While this process runs, each change of the export builds another one; an export that
 * is refused is reported, and the snapshot before stays.
 *
 * @param args options of the build
 * @param choice which export these options name
 * @returns the exit code of the first build
 * @throws Failure where another server builds into the same folder
 */
export async function watchedBuild(
  args: readonly string[],
  choice: ExportChoice,
  io: CommandIo,
): Promise<number> {
  const release = takeLock(beside(realPath("dist"), "server"));
  if (release === undefined)
    throw new Failure(
      "Another npm run dev or netlify dev serves dist of this folder, with URLs of its own port. End it first.",
    );
  process.once("exit", release);
  const stateOf = (): string =>
    exportCandidates(choice)
      .flatMap(filesOf)
      .map((file) => {
        const stat = statSync(file, { throwIfNoEntry: false });
        return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
      })
      .join("|");
  let built = stateOf();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve(0);
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(async () => {
        const state = stateOf();
        if (state === built) return 0;
        built = state;
        io.stdout.write("The export changed: building again.\n");
        const code = await build(args, io);
        io.stdout.write(code === 0 ? "The next request shows it.\n" : "The old snapshot stays.\n");
        return code;
      });
    }, pause);
  };
  const code = await build(args, io);
  if (code !== 0) return code;
  for (const file of exportCandidates(choice).flatMap(filesOf))
    watchFile(file, { interval: lookEvery }, again);
  return code;
}
