/** The part of http-server that this project uses; the package has no types of its own. */
declare module "http-server" {
  import type { Server } from "node:http";

  /** Creates a server of the files in a folder. It answers the `request` events of its `server`. */
  export function createServer(options: {
    readonly root: string;
    /** Text, not a boolean: whether a folder is listed. */
    readonly showDir: "false";
    /** Endings of file names by media type. */
    readonly mimetypes: Readonly<Record<string, readonly string[]>>;
  }): { readonly server: Server };
}
