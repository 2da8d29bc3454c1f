/**
 * The deployed function: GET /api/search, every path below /api/ without a file, and /mcp. All work is in handler.ts;
 * this file's name is the function's.
 */
import type { Config } from "@netlify/functions";
import { cacheMegabytesFrom, deployedBlockUrls } from "../http/environment.ts";
import { createHandler } from "../http/handler.ts";

export default createHandler({
  snapshotFolder: () => process.env["SNAPSHOT_DIR"] ?? "dist",
  blockUrls: deployedBlockUrls,
  cacheMegabytes: cacheMegabytesFrom(process.env["SEARCH_CACHE_MB"]),
  log: (message, cause) => console.error(message, cause),
});

export const config: Config = {
  // Literals: the bundler reads this object without running it. See netlify.toml and router.ts.
  path: ["/api/search", "/api/posts/*.json", "/_api", "/_api/*", "/mcp"],
  // Files win: a post that is a file is served without this function.
  preferStatic: true,
};
