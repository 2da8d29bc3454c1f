import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long come first, so that both workers end at about the same time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = [
      "release-snapshot.test.ts",
      "build-snapshot.test.ts",
      "similar-posts.test.ts",
      "write-index.test.ts",
    ];
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // `npm test`, and what takes longer or needs Chromium, a system package.
    projects: [
      {
        extends: true,
        test: { name: "tests", include: ["{functions,scripts,tests}/**/*.test.ts"] },
      },
      { extends: true, test: { name: "slow", include: ["tests/slow/*.slow.ts"] } },
      { extends: true, test: { name: "browser", include: ["tests/browser/*.browser.ts"] } },
    ],
    globalSetup: "tests/support/run-folder.mjs",
    // No test changes what modules share, so a worker keeps them: the build and ajv load once.
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Node runs the TypeScript itself, as it does outside of tests; before 22.18 it asks for a flag.
    experimental: { viteModuleRunner: false },
    execArgv: process.features.typescript ? [] : ["--experimental-strip-types"],
    // A real `netlify dev` and builds of real exports take their time; a test that hangs still ends.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
});
