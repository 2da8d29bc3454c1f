/** The search against the oracle, on the largest real export, where it exists: 100,000 posts take two minutes. */
import { test } from "vitest";
import { describeSearchOn } from "../support/search-suite.ts";
import { largeExport } from "../support/support.ts";

if (largeExport === undefined) test.skip("the large export does not exist here");
else describeSearchOn(largeExport);
