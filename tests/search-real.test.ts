/** The search against the oracle, on real exports where they exist beside the project. */
import { test } from "vitest";
import { describeSearchOn } from "./support/search-suite.ts";
import { largeExport, realExports } from "./support/support.ts";

const exports = realExports.filter((file) => file !== largeExport);
exports.forEach(describeSearchOn);
if (exports.length === 0) test.skip("no real export exists here");
