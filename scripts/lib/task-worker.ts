/** What a thread of task-thread.ts runs: makes the task, passes it every item, reports its result. */
import { parentPort, workerData } from "node:worker_threads";
import type { CreateTask } from "./task-thread.ts";

const { module, options } = workerData as { readonly module: string; readonly options: unknown };
const { default: createTask } = (await import(module)) as { default: CreateTask };
const task = createTask(options, (done) => parentPort?.postMessage({ done }));
parentPort?.on("message", (items: readonly unknown[] | null) => {
  if (items === null) {
    parentPort?.postMessage({ result: task.finish() });
    parentPort?.close();
    return;
  }
  for (const item of items) task.take(item);
  parentPort?.postMessage({ taken: true });
});
