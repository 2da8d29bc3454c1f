import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{functions,scripts,tests}/**/*.test.ts"],
    // Real builds and a real `netlify dev` take their time; a test that hangs still ends.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
