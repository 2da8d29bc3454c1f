/** Has Node run TypeScript with tsx, which keeps what it compiles in the folder for temporary files. */
import { accessSync, constants, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";

try {
  mkdirSync(tmpdir(), { recursive: true });
  accessSync(tmpdir(), constants.W_OK);
} catch (error) {
  process.stderr.write(
    `There is no folder for temporary files (${error.message}). Set TMPDIR to one that may be written.\n`,
  );
  process.exit(1);
}
await import("tsx");
