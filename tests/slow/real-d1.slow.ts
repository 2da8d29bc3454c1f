/** The real D1 export, read as a file and through the query API: it gives the documents of the canonical one. */
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { serveD1 } from "../support/d1-api.ts";
import { runPull } from "../support/pull.ts";
import { built, digestsIn, filesIn, realExports, temporaryFolder } from "../support/support.ts";

const named = (name: string) => realExports.find((file) => basename(file) === name);
const canonical = named("real-small.sqlite");
const d1 = named("real-small.d1.sqlite");

if (canonical === undefined || d1 === undefined) test.skip("no real D1 export exists here");
else {
  test("npm run build makes the canonical snapshot of D1's file, without private data", async () => {
    const folder = await built(d1);
    expect(digestsIn(folder)).toEqual(digestsIn(await built(canonical)));
    for (const [name, content] of filesIn(folder))
      expect(content.includes("CANARY_"), name).toBe(false);
  });

  test("npm run pull --d1 gives the posts of a build of the file", async () => {
    const api = await serveD1(d1);
    const out = join(temporaryFolder(), "export.sqlite");
    expect(await runPull(["--d1", "cases", "--out", out], api.env)).toMatchObject({ code: 0 });
    await api.close();
    const postsOf = (folder: string) => digestsIn(join(folder, "api/posts"));
    expect(postsOf(await built(out))).toEqual(postsOf(await built(d1)));
  });
}
