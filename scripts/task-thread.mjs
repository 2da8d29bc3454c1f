/** What a thread of `task-thread.ts` runs first: a thread has to be taught TypeScript by itself. */
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
const { default: createTask } = await import(workerData.module);
const task = createTask(workerData.options, (done) => parentPort.postMessage({ done }));
parentPort.on("message", (items) => {
  if (items === null) {
    parentPort.postMessage({ result: task.finish() });
    parentPort.close();
    return;
  }
  for (const item of items) task.take(item);
  parentPort.postMessage({ taken: true });
});
