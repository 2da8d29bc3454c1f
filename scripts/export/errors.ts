/** Errors that the publisher can put right. */

/** An export that cannot be read. The message says what is wrong and what to do. */
export class ExportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExportError";
  }
}
