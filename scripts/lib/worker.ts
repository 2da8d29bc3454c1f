/** What a thread of worker-pool.ts runs: one job at a time, received as messages. */
import { parentPort, workerData } from "node:worker_threads";
import { inlineWorker, type JobMessage, type ThreadOptions } from "./worker-pool.ts";

const thread = await inlineWorker(workerData as ThreadOptions);
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
