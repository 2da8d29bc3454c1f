/** The clients of the documentation that keep a copy, on the sample. */
import { sample } from "./support/support.ts";
import { describeSync } from "./support/sync-suite.ts";

await describeSync(sample, 2);
