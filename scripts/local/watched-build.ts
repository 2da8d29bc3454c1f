/** Builds, and builds again whenever the export or the collection's file changes. */
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Failure, messageOf, type CommandIo } from "../cli/command.ts";
import { endProgress } from "../cli/progress.ts";
import { takeLock } from "../lib/lock.ts";
import { beside, realPath, stateOf } from "../lib/paths.ts";
import { buildWith } from "../publish/build-snapshot.ts";
import { defaultCollectionFile } from "../publish/collection-file.ts";
import { exportCandidates, isSample, type BuildValues } from "../publish/options.ts";
import { Report } from "../publish/report.ts";

/** Milliseconds between two looks at the files. A change is built when two looks have found the same. */
const lookEvery = 500;

/**
 * Makes this process the only server that builds into a folder, until it ends.
 *
 * @throws Failure where another one does
 */
export function claimFolder(folder: string): void {
  const release = takeLock(beside(realPath(folder), "server"));
  if (release === undefined)
    throw new Failure(
      `Another npm run dev or netlify dev serves ${folder} of this folder, with URLs of its own port. End it first.`,
    );
  process.once("exit", release);
}

/** Builds, and reports why a build stops. @returns whether the snapshot is that of the export now */
async function tryBuild(values: BuildValues, io: CommandIo): Promise<boolean> {
  try {
    await buildWith(values, new Report(io));
    return true;
  } catch (error) {
    endProgress();
    io.stderr.write(`${messageOf("build", error)}\n`);
    return false;
  }
}

/**
 * A text that changes when one of the exports does, what SQLite keeps beside one, for which it is refused, or what is
 * said of the collection.
 */
const stateOfFiles = (values: BuildValues): string =>
  exportCandidates(values)
    .flatMap((file) => [file, `${file}-wal`, `${file}-journal`])
    .concat(values.collection ?? defaultCollectionFile)
    .map(stateOf)
    .join("|");

/** Builds after each change, until the signal; what stops a build is reported, and the snapshot before stays. */
async function buildOnChange(
  values: BuildValues,
  io: CommandIo,
  first: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const candidates = exportCandidates(values);
  let shown = candidates.find((file) => existsSync(file));
  let built = first;
  for (let before = first; signal?.aborted !== true;) {
    await setTimeout(lookEvery);
    const now = stateOfFiles(values);
    const isAtRest = now === before;
    before = now;
    if (now === built || !isAtRest) continue;
    built = now;
    const next = candidates.find((file) => existsSync(file));
    // The sample does not take the place of posts.
    const isGone = shown !== undefined && !existsSync(shown);
    if (isGone && (next === undefined || isSample(next))) {
      io.stdout.write(`${shown} is gone. The old snapshot stays.\n`);
      continue;
    }
    io.stdout.write("The export or the collection's file changed: building again.\n");
    shown = next;
    const isBuilt = await tryBuild(values, io);
    io.stdout.write(isBuilt ? "The next request shows it.\n" : "The old snapshot stays.\n");
  }
}

/**
 * Builds a snapshot, and builds again after each change of the export or of the collection's file; an export that is
 * refused, or has gone, is reported, and the snapshot before stays.
 *
 * @param values options of the build
 * @param signal ends the watch; without one, it lasts as long as the process
 * @returns whether the first build succeeded; when it did not, nothing is watched
 */
export async function watchedBuild(
  values: BuildValues,
  io: CommandIo,
  signal?: AbortSignal,
): Promise<boolean> {
  const first = stateOfFiles(values);
  if (!(await tryBuild(values, io))) {
    io.stderr.write("The server was not started. Correct that and start again.\n");
    return false;
  }
  void buildOnChange(values, io, first, signal);
  return true;
}
