/** Builds, and builds again whenever the export or the collection's file changes. */
import { setTimeout } from "node:timers/promises";
import { Failure, errorMessage } from "../cli/command.ts";
import type { CommandIo } from "../cli/io.ts";
import { endProgress } from "../cli/progress.ts";
import { takeLock } from "../lib/lock.ts";
import { siblingPath, realPath, fileFingerprint } from "../lib/fs.ts";
import { buildWith } from "../build/build-snapshot.ts";
import { defaultCollectionFile } from "../build/collection-file.ts";
import { exportCandidates, type BuildValues } from "../build/options.ts";
import { Report } from "../build/report.ts";
import type { SiteServer } from "./site-server.ts";

/** Time between two looks at the files. A change is built when two looks have found the same. */
const pollIntervalMs = 500;

/**
 * Makes this process the only server that builds into a folder, until it ends.
 *
 * @throws Failure where another one does
 */
export function claimFolder(folder: string): void {
  const release = takeLock(siblingPath(realPath(folder), "server"));
  if (release === undefined)
    throw new Failure(
      `Another npm run dev serves ${folder} of this folder, with URLs of its own port. End it first.`,
    );
  process.once("exit", release);
}

/**
 * Builds, and reports why a build stops.
 *
 * @returns whether the snapshot is that of the export now
 */
async function tryBuild(values: BuildValues, io: CommandIo, site: SiteServer): Promise<boolean> {
  try {
    await buildWith(values, new Report(io), () => site.pause());
    return true;
  } catch (error) {
    endProgress();
    io.stderr.write(`${errorMessage("build", error)}\n`);
    return false;
  } finally {
    site.resume();
  }
}

/**
 * A fingerprint of the exports, of what SQLite keeps beside one, for which it is refused, and of what is said of the
 * collection.
 */
const fingerprintInputs = (values: BuildValues): string =>
  exportCandidates(values)
    .flatMap((file) => [file, `${file}-wal`, `${file}-journal`])
    .concat(values.collection ?? defaultCollectionFile)
    .map(fileFingerprint)
    .join("|");

/** Does some work after each change of a fingerprint, when that has come to rest, until the signal. */
async function onChange(
  fingerprint: () => string,
  first: string,
  work: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let done = first;
  for (let before = first; signal?.aborted !== true;) {
    await setTimeout(pollIntervalMs);
    const now = fingerprint();
    const isAtRest = now === before;
    before = now;
    if (now === done || !isAtRest) continue;
    done = now;
    await work();
  }
}

/**
 * Builds a snapshot, and builds again after each change of the export or of the collection's file. What stops a build
 * is reported, and the snapshot before stays.
 *
 * @param site shows the snapshot; its requests wait while a new one takes the old one's place
 * @param signal ends the watch; without one, it lasts as long as the process
 * @returns whether the first build succeeded; when it did not, nothing is watched
 */
export async function watchBuild(
  values: BuildValues,
  io: CommandIo,
  site: SiteServer,
  signal?: AbortSignal,
): Promise<boolean> {
  const first = fingerprintInputs(values);
  if (!(await tryBuild(values, io, site))) {
    io.stderr.write("The server was not started. Correct that and start again.\n");
    return false;
  }
  const rebuild = async (): Promise<void> => {
    io.stdout.write("The export or the collection's file changed: building again.\n");
    const isBuilt = await tryBuild(values, io, site);
    io.stdout.write(isBuilt ? "The next request shows it.\n" : "The old snapshot stays.\n");
  };
  void onChange(() => fingerprintInputs(values), first, rebuild, signal);
  return true;
}
