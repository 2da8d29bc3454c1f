/** npm run build: reads an export and writes a snapshot. Exit code 0, or 1 with the reason on standard error. */
import { build } from "./publish/publish.ts";

process.exitCode = await build(process.argv.slice(2), process);
