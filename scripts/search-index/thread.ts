/** What a thread of threads.ts runs: one job at a time, received as messages. */
import { parentPort, workerData } from "node:worker_threads";
import { rangeJobs, type JobOptions } from "./range-jobs.ts";
import type { JobMessage } from "./threads.ts";

parentPort?.on("message", ({ name, range }: JobMessage) => {
  parentPort?.postMessage(rangeJobs[name](workerData as JobOptions, range));
});
