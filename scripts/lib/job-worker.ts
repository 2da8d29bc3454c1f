/** What a thread of job-threads.ts runs: one job at a time, received as messages. */
import { parentPort, workerData } from "node:worker_threads";
import { thisThread, type JobMessage, type ThreadOptions } from "./job-threads.ts";

const thread = await thisThread(workerData as ThreadOptions);
parentPort?.on("message", (message: JobMessage) => {
  void thread.do(message).then(
    (result) => parentPort?.postMessage(result),
    // An exception ends the thread, whatever the process does about rejected promises.
    (error: unknown) =>
      setImmediate(() => {
        throw error;
      }),
  );
});
