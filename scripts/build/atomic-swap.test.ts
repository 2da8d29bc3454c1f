import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { manifestWith } from "../../tests/support/manifest.ts";
import { temporaryFolder } from "../../tests/support/support.ts";
import { sha256, shortDigest } from "../snapshot/manifest.ts";
import { realPath } from "../lib/fs.ts";
import { assertReplaceable, replaceSnapshot, withLockedTarget } from "./atomic-swap.ts";

/** Writes a snapshot of one file, as far as replacing one needs it. */
function writeSnapshot(folder: string, content: string): void {
  mkdirSync(join(folder, "en"), { recursive: true });
  writeFileSync(join(folder, "en/index.html"), content);
  const digest = shortDigest.file(sha256(content));
  const manifest = manifestWith({
    files: { "en/index.html": { bytes: content.length, digest } },
  });
  writeFileSync(join(folder, "snapshot.json"), JSON.stringify(manifest));
}

/** Builds, as far as replacing the folder goes. */
const publish = (target: string, content: string): Promise<void> =>
  withLockedTarget(target, (path) =>
    replaceSnapshot(path, async (folder) => writeSnapshot(folder, content)),
  );
const contentOf = (target: string): string => readFileSync(join(target, "en/index.html"), "utf8");

/** A target in a folder of its own. */
const newTarget = (): string => join(temporaryFolder(), "dist");
const beside = (target: string): string[] =>
  readdirSync(dirname(target)).filter((name) => !["dist", ".dist.source"].includes(name));

describe("replaceSnapshot", () => {
  test("puts a snapshot where nothing was, and replaces the one before", async () => {
    const target = join(newTarget(), "in/new/folders");
    await publish(target, "old");
    await publish(target, "new");
    expect(contentOf(target)).toBe("new");
    expect(beside(target).filter((name) => !/lock|^folders$/.test(name))).toEqual([]);
    // Whoever serves the folder is often another user.
    expect(lstatSync(target).mode & 0o755).toBe(0o755 & ~process.umask());
  });

  test("keeps the snapshot before, and leaves nothing else, when a write fails", async () => {
    const target = newTarget();
    await publish(target, "old");
    const failing = withLockedTarget(target, (path) =>
      replaceSnapshot(path, async (folder) => {
        writeFileSync(join(folder, "half"), "");
        throw new Error("the disk is full");
      }),
    );
    await expect(failing).rejects.toThrow("the disk is full");
    expect(contentOf(target)).toBe("old");
    expect(beside(target)).toEqual([]);
  });

  test("follows a link, even to where nothing is yet, and keeps the link", async () => {
    const target = newTarget();
    const link = join(temporaryFolder(), "link");
    symlinkSync(target, link);
    for (const content of ["old", "new"]) {
      await publish(link, content);
      expect(contentOf(target)).toBe(content);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    }
  });
});

test("withLockedTarget leaves nothing when a build fails where nothing was", async () => {
  const target = newTarget();
  const failing = withLockedTarget(target, () =>
    Promise.reject(new Error("the export is damaged")),
  );
  await expect(failing).rejects.toThrow("the export is damaged");
  expect(readdirSync(dirname(target))).toEqual([]);
});

test("realPath follows links to a path that is not there yet, and throws at a loop", () => {
  const folder = realPath(temporaryFolder());
  symlinkSync("there", join(folder, "relative"));
  symlinkSync(join(folder, "relative"), join(folder, "chain"));
  symlinkSync("loop", join(folder, "loop"));
  expect(realPath(join(folder, "chain/a/b"))).toBe(join(folder, "there/a/b"));
  expect(() => realPath(join(folder, "loop"))).toThrow("ELOOP");
});

describe("assertReplaceable", () => {
  test.each<[string, (target: string) => void, RegExp]>([
    ["a file", (target) => writeFileSync(target, ""), /is a file, not a folder/],
    [
      "a folder of other things",
      (target) => {
        mkdirSync(target);
        writeFileSync(join(target, "thesis.txt"), "");
      },
      /would delete it: thesis\.txt\..*move this away/,
    ],
    [
      "a snapshot with files that it does not list",
      (target) => {
        writeSnapshot(target, "old");
        for (const name of ["a", "b", "c", "en/d", "e", "f", ".hidden"])
          writeFileSync(join(target, name), "");
      },
      /would delete it: \.hidden, a, b, c, e, en\/d, f\..*move this away/,
    ],
    [
      "a snapshot with a link to another folder",
      (target) => {
        writeSnapshot(target, "old");
        symlinkSync("/", join(target, "link"));
      },
      /would delete it: link\./,
    ],
    [
      "a snapshot of another version",
      (target) => {
        writeSnapshot(target, "old");
        writeFileSync(join(target, "snapshot.json"), JSON.stringify(manifestWith({ version: 2 })));
      },
      /holds a snapshot that is damaged or of another version.* Delete or move /,
    ],
  ])("refuses %s", async (_, prepare, message) => {
    const target = newTarget();
    prepare(target);
    await expect(publish(target, "new")).rejects.toThrow(message);
    expect(beside(target)).toEqual([]);
  });

  test("accepts an empty folder and a complete snapshot", () => {
    const target = newTarget();
    mkdirSync(target);
    assertReplaceable(target);
    writeSnapshot(target, "old");
    assertReplaceable(target);
  });
});

/** Does some work without the rights of an administrator. */
async function asOrdinaryUser(work: () => Promise<unknown>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe("withLockedTarget, after a killed build,", () => {
  test("removes a snapshot that is not complete", async () => {
    const target = newTarget();
    writeSnapshot(join(dirname(target), ".dist.staging"), "half");
    await publish(target, "new");
    expect(contentOf(target)).toBe("new");
    expect(beside(target)).toEqual([]);
  });

  test("puts the snapshot back when the kill came between the two renames", async () => {
    const target = newTarget();
    writeSnapshot(join(dirname(target), ".dist.previous"), "old");
    await withLockedTarget(target, async (path) => expect(contentOf(path)).toBe("old"));
    expect(beside(target)).toEqual([]);
  });

  test("removes the old snapshot, and keeps the new one, when both renames were done", async () => {
    const target = newTarget();
    writeSnapshot(target, "new");
    writeSnapshot(join(dirname(target), ".dist.previous"), "old");
    await withLockedTarget(target, async (path) => expect(contentOf(path)).toBe("new"));
    expect(beside(target)).toEqual([]);
  });

  test("never removes an old snapshot under its own name", async () => {
    const target = newTarget();
    writeSnapshot(target, "new");
    writeSnapshot(join(dirname(target), ".dist.previous"), "old");
    const removed: string[] = [];
    const { rmSync } = fs;
    const spy = vi.spyOn(fs, "rmSync").mockImplementation((path, options) => {
      removed.push(String(path));
      rmSync(path, options);
    });
    syncBuiltinESMExports();
    try {
      await withLockedTarget(target, async () => {});
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(removed.filter((path) => path.endsWith(".previous"))).toEqual([]);
    expect(beside(target)).not.toContain(".dist.previous");
  });

  test.skipIf(process.platform === "win32")(
    "names leftovers of another user, and what to do",
    async () => {
      const target = newTarget();
      const leftover = join(dirname(target), ".dist.staging");
      writeSnapshot(leftover, "half");
      chmodSync(dirname(target), 0o777);
      // The other user must reach it, too.
      chmodSync(dirname(dirname(target)), 0o711);
      chmodSync(join(leftover, "en"), 0o500);
      await asOrdinaryUser(() =>
        expect(publish(target, "new")).rejects.toThrow(
          new RegExp(
            `build stopped: ${leftover} was left by an earlier build, and cannot be removed \\(EACCES.*` +
              "Delete it as the user who owns it, or name another folder with --out",
          ),
        ),
      );
      expect(existsSync(target)).toBe(false);
    },
  );

  test("leaves alone what builds of other targets have there", async () => {
    const target = newTarget();
    const others = [
      ".dist.previous.lock",
      ".dist.staging.staging",
      ".dist2.staging",
      "dist.staging",
    ];
    for (const name of others) mkdirSync(join(dirname(target), name));
    await publish(target, "new");
    expect(beside(target).sort()).toEqual(others.sort());
  });
});

test("withLockedTarget refuses a second build while one writes to the target", async () => {
  const target = newTarget();
  await withLockedTarget(target, async () => {
    const link = join(temporaryFolder(), "link");
    symlinkSync(target, link);
    for (const name of [target, link])
      await expect(publish(name, "new")).rejects.toThrow(/another build is writing/);
  });
  await publish(target, "new");
});

describe("withLockedTarget refuses before any work", () => {
  test.skipIf(process.getuid?.() === 0)(
    "a target in a folder that may not be written",
    async () => {
      const target = newTarget();
      chmodSync(dirname(target), 0o500);
      await expect(publish(target, "new")).rejects.toThrow(
        /cannot be locked.*write beside its folder/,
      );
      chmodSync(dirname(target), 0o700);
    },
  );

  test("a target whose parent is no folder", async () => {
    await expect(publish("/dev/null/dist", "new")).rejects.toThrow("ENOTDIR");
    expect(existsSync("/dev/.null.lock")).toBe(false);
  });
});

test("replaceSnapshot gives the work an empty folder, even after a killed build", async () => {
  const target = newTarget();
  mkdirSync(join(dirname(target), ".dist.staging/api"), { recursive: true });
  await withLockedTarget(target, (path) =>
    replaceSnapshot(path, async (folder) => {
      expect(readdirSync(folder)).toEqual([]);
      writeSnapshot(folder, "new");
    }),
  );
  rmSync(target, { recursive: true });
});
