/** The part of http-server that this project uses; the package has no types of its own. */
declare module "http-server" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage, Server, ServerResponse } from "node:http";
  import type { Readable } from "node:stream";

  /** What http-server writes an answer to, before the response itself. Its event `next` calls the next middleware. */
  export interface ResponseStream extends EventEmitter<{ pipe: [Readable]; next: [] }> {
    readonly response: ServerResponse;
  }

  export type Middleware = (request: IncomingMessage, stream: ResponseStream) => void;

  /** Creates a server of the files in a folder. It answers the `request` events of its `server`. */
  export function createServer(options: {
    readonly root: string;
    /** Value of Cache-Control. */
    readonly cache: string;
    /** Text, not a boolean: whether a folder is listed. */
    readonly showDir: "false";
    /** Called before a file is looked for. */
    readonly before: readonly Middleware[];
  }): { readonly server: Server };
}
