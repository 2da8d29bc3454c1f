/** The search against the oracle, on the large real exports, where they exist. */
import { test } from "vitest";
import { describeSearchOn } from "../support/search-suite.ts";
import { largeExports } from "../support/support.ts";

largeExports.forEach(describeSearchOn);
if (largeExports.length === 0) test.skip("no large export exists here");
