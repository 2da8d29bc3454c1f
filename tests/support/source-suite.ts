/** What every source of `npm run pull` must do, whatever the site is. A source passes this and its own tests. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { runPull } from "./pull.ts";
import { fileFaults, type Fault, type StandIn } from "./stand-in.ts";
import { temporaryFolder } from "./support.ts";

/** A running stand-in for a site. */
export interface SourceUnderTest {
  /** Options of `npm run pull` that name it. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What a whole export of it holds. */
  readonly rows: { readonly posts: number; readonly comments: number };
  /** What the environment holds that nobody may see. */
  readonly secret?: string;
  readonly standIn: StandIn;
  /** Requests before the ones that faults are tried on: they find out what the site is. Three by default. */
  readonly preparing?: number;
}

/**
 * Declares the tests.
 *
 * @param start starts a site without faults
 * @param faults that a pull must survive, or end after
 */
export const sourceSuite = (
  name: string,
  start: () => Promise<SourceUnderTest>,
  faults: readonly Fault[] = fileFaults,
): unknown =>
  describe(`npm run pull from ${name}`, () => {
    let site: SourceUnderTest;
    let target = "";
    beforeEach(async () => {
      site = await start();
      target = join(temporaryFolder(), "data/export.sqlite");
    });
    afterEach(() => site.standIn.close());
    const preparing = (): number => site.preparing ?? 3;
    const pull = () => runPull([...site.args, "--out", target], site.env);
    const rows = () => {
      const database = new Database(target, { readonly: true });
      const count = (table: string): number =>
        database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
      return { posts: count("posts"), comments: count("comments") };
    };

    test("writes a whole export alone, and says what is in it", async () => {
      const { code, stdout } = await pull();
      expect(code).toBe(0);
      expect(rows()).toEqual(site.rows);
      expect(readdirSync(dirname(target))).toEqual(["export.sqlite"]);
      expect(stdout).toMatch(/\d+ requests, .* million (?:characters|bytes)/);
      expect(stdout.trim().split("\n").at(-1)).toMatch(
        new RegExp(`: ${site.rows.posts} posts, ${site.rows.comments} comments, \\d+ tags? from `),
      );
    });

    test("refuses a target that is a folder or that another pull writes", async () => {
      mkdirSync(target, { recursive: true });
      expect(await pull()).toMatchObject({ code: 1, stderr: expect.stringMatching(/is no file/) });
      rmSync(target, { recursive: true });
      const both = await Promise.all([pull(), pull()]);
      expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
      expect(both.map(({ stderr }) => stderr).join("")).toMatch(/Another pull is writing/);
      expect(rows()).toEqual(site.rows);
    });

    test("refuses to replace a database that no pull wrote", async () => {
      mkdirSync(dirname(target), { recursive: true });
      new Database(target).exec("CREATE TABLE posts (post_id)").close();
      const before = readFileSync(target);
      const { code, stderr } = await pull();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/was not written by npm run pull, and would be lost\. Move it away/),
      ]);
      expect(readFileSync(target).equals(before)).toBe(true);
    });

    test.each([
      ["a file", true],
      ["nothing yet", false],
    ])("writes through a link to %s", async (_, exists) => {
      const real = join(temporaryFolder(), "folder/real.sqlite");
      if (exists) mkdirSync(dirname(real));
      if (exists) writeFileSync(real, "");
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(real, target);
      expect((await pull()).code).toBe(0);
      expect(lstatSync(target).isSymbolicLink()).toBe(true);
      expect(rows()).toEqual(site.rows);
    });

    test("replaces an old export together with its -wal file", async () => {
      await pull();
      writeFileSync(`${target}-wal`, "old");
      await pull();
      expect(readdirSync(dirname(target))).toEqual(["export.sqlite"]);
    });

    test.each(faults)("repeats a request after %s, with growing waits", async (fault) => {
      site.standIn.faultOf = (request) =>
        request === preparing() || request === preparing() + 1 ? fault : undefined;
      const { code, waited } = await pull();
      expect(code).toBe(0);
      expect(rows()).toEqual(site.rows);
      expect(waited).toContain(fault === "429 for ten seconds" ? 10_000 : 2000);
    });

    test.each(faults)(
      "ends with a sentence, and changes nothing, after endless faults: %s",
      async (fault) => {
        await pull();
        const before = readFileSync(target);
        let requests = 0;
        site.standIn.faultOf = (request) =>
          request === 0 || requests++ < preparing() - 1 ? undefined : fault;
        const { code, stdout, stderr, waited } = await pull();
        expect(code).toBe(1);
        expect(stdout).toMatch(/The server .*\. Asking again in 30 seconds\.\n/);
        expect(stderr).toMatch(/failed 9 times; the last time the server .* Try again later\.\n$/);
        expect(waited.reduce((sum, one) => sum + one, 0)).toBeLessThan(15 * 60_000);
        expect(readFileSync(target).equals(before)).toBe(true);
        expect(readdirSync(dirname(target))).toEqual(["export.sqlite"]);
        if (site.secret !== undefined) expect(stderr).not.toContain(site.secret);
      },
    );

    test("refuses text that is not UTF-8, at once, and names its charset", async () => {
      site.standIn.writer = (json) => [
        "application/json; charset=ISO-8859-1",
        Buffer.from(json.replace(/[^\0-\x7f]/g, "é"), "latin1"),
      ];
      const { code, stderr, waited } = await pull();
      expect(code).toBe(1);
      expect(stderr).toMatch(/answers text that is not UTF-8 \(charset: ISO-8859-1\)\. .*\.\n$/);
      expect(waited.filter((one) => one >= 1000)).toEqual([]);
      expect(existsSync(target)).toBe(false);
    });

    test("gives a whole export or a sentence when a tenth of answers fail", async () => {
      let random = 1;
      site.standIn.faultOf = () => {
        random = (random * 48_271) % 2_147_483_647;
        return random % 10 === 0 ? faults[random % faults.length] : undefined;
      };
      for (let round = 0; round < 10; round++) {
        const { code, stderr } = await pull();
        if (code !== 0) expect(stderr).toMatch(/[.?]\n$/);
        expect(stderr).not.toMatch(/\n +at /);
        if (existsSync(target)) expect(rows()).toEqual(site.rows);
      }
      expect(readdirSync(dirname(target))).toEqual(["export.sqlite"]);
    });
  });
