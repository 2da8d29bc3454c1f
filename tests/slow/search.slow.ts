/** The search against the oracle, on real exports, where they exist. */
import { test } from "vitest";
import { describeSearchOn } from "../support/search-suite.ts";
import { realExports } from "../support/support.ts";

// The D1 export gives the same bytes as the canonical one of the same posts: real-d1.slow.ts holds it to that.
const exports = realExports.filter((file) => !file.includes(".d1."));
exports.forEach(describeSearchOn);
if (exports.length === 0) test.skip("no real export exists here");
