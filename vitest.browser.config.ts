import { defineConfig } from "vitest/config";

// Apart from the other tests: these need Chromium, a system package.
export default defineConfig({
  test: {
    include: ["tests/browser/*.browser.ts"],
    globalSetup: "tests/support/run-folder.ts",
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
