/** The clients of the documentation that keep a copy, on a real export where there is one. */
import { test } from "vitest";
import { realExports } from "../support/support.ts";
import { describeSync } from "../support/sync-suite.ts";

const small = realExports.find((file) => file.endsWith("real-small.sqlite"));
if (small === undefined) test.skip("../shared/datasets/real-small.sqlite is missing");
else await describeSync(small, 40);
