/** Errors that the publisher can fix. */

/** An export that cannot be read. The message says where, what is wrong and what to do, and shows no value of the export. */
export class ExportError extends Error {}
