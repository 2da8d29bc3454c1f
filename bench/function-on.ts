/** The function as benches ask it, and the network between it and public blocks. */
import { cacheMegabytesFrom } from "../functions/http/environment.ts";
import {
  createHandler,
  type RequestHandler,
  type HandlerOptions,
} from "../functions/http/handler.ts";

/** What a CDN is like from a function near it. */
export const network = { latency: 20, rate: 50_000 };

/** The function on a snapshot, with an empty cache, which is as large as by default. */
export const functionOn = (
  snapshot: string,
  options: Partial<HandlerOptions> = {},
): RequestHandler =>
  createHandler({
    snapshotFolder: () => snapshot,
    cacheMegabytes: cacheMegabytesFrom(undefined),
    log: (message) => process.stderr.write(`${message}\n`),
    ...options,
  });
