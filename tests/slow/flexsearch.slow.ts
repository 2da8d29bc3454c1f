/** The published lists of real exports are the ones that FlexSearch makes. */
import { basename } from "node:path";
import { test } from "vitest";
import { expectCommitted } from "../support/flexsearch-suite.ts";
import { realExports } from "../support/support.ts";

const files = realExports.filter((file) =>
  ["real-small.sqlite", "real-votes-se.sqlite"].includes(basename(file)),
);
test.each(files)("npm run build writes the lists that FlexSearch makes for %s", expectCommitted);
if (files.length === 0) test.skip("no such export exists here");
