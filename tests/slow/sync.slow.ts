/** The clients of the documentation that keep a copy, on the sample, and on a real export where there is one. */
import { realExports, sample } from "../support/support.ts";
import { describeSync } from "../support/sync-suite.ts";

const small = realExports.find((file) => file.endsWith("real-small.sqlite"));
await describeSync(small ?? sample, 40);
