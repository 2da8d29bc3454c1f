/** Reads a part of a file. */
import { closeSync, openSync, readSync } from "node:fs";

/** Bytes of a file, from an offset on; fewer where it ends. */
export function readAt(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, "r");
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
  } finally {
    closeSync(descriptor);
  }
}
