/** What a thread of job-threads.ts runs: one job at a time, received as messages. */
import { parentPort, workerData } from "node:worker_threads";
import type { JobMessage, Jobs, ThreadOptions } from "./job-threads.ts";

const { module, options } = workerData as ThreadOptions;
const { default: createJobs } = (await import(module)) as { default: (options: unknown) => Jobs };
const jobs = createJobs(options);
parentPort?.on("message", ({ name, argument }: JobMessage) => {
  parentPort?.postMessage(jobs[name]!(argument as never));
});
