import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/support.ts";
import { FileWriter } from "./file-writer.ts";
import { sha256 } from "./manifest.ts";

/** Folders of an older snapshot that holds one file, and of a new one. */
function folders(content: string) {
  const base = temporaryFolder();
  const [folder, reuse] = [join(base, "new"), join(base, "old")];
  for (const one of [folder, reuse]) mkdirSync(one);
  const old = join(reuse, "post.json");
  writeFileSync(old, content);
  return { old, written: join(folder, "post.json"), writer: new FileWriter({ folder, reuse }) };
}

const inode = (file: string): number => statSync(file).ino;

describe("FileWriter.write", () => {
  test("takes the older file when both are the same", () => {
    const { old, written, writer } = folders("same");
    expect(writer.write({ path: "post.json", content: "same" })).toEqual({
      bytes: 4,
      digest: sha256("same"),
    });
    expect(inode(written)).toBe(inode(old));
  });

  test("writes a new file when they differ, and keeps the older one", () => {
    const { old, written, writer } = folders("older");
    writer.write({ path: "post.json", content: "newer" });
    expect(readFileSync(written, "utf8")).toBe("newer");
    expect(readFileSync(old, "utf8")).toBe("older");
  });

  test("is right even when another build replaces the older file meanwhile", () => {
    const { old, written, writer } = folders("same");
    const { linkSync } = fs;
    fs.linkSync = (from, to) => {
      writeFileSync(`${old}.next`, "of another build");
      renameSync(`${old}.next`, old);
      linkSync(from, to);
    };
    syncBuiltinESMExports();
    try {
      writer.write({ path: "post.json", content: "same" });
    } finally {
      fs.linkSync = linkSync;
      syncBuiltinESMExports();
    }
    expect(readFileSync(written, "utf8")).toBe("same");
    expect(readFileSync(old, "utf8")).toBe("of another build");
  });

  test("never writes to a file that is already there", () => {
    const { written, writer, old } = folders("older");
    copyFileSync(old, written);
    expect(() => writer.write({ path: "post.json", content: "newer" })).toThrow("EEXIST");
  });
});

describe("FileWriter.keepSame", () => {
  test.each(["older", "newer"])(
    "keeps a file's content, and takes the older one if equal: %s",
    (content) => {
      const { old, written, writer } = folders("older");
      writeFileSync(written, content);
      writer.keepSame({ path: "post.json", content: Buffer.from(content) });
      expect(readFileSync(written, "utf8")).toBe(content);
      expect(inode(written) === inode(old)).toBe(content === "older");
      expect(fs.readdirSync(join(written, ".."))).toEqual(["post.json"]);
    },
  );

  test("accepts the older file itself", () => {
    const { old, written, writer } = folders("same");
    fs.linkSync(old, written);
    writer.keepSame({ path: "post.json", content: Buffer.from("same") });
    expect(inode(written)).toBe(inode(old));
    expect(fs.readdirSync(join(written, ".."))).toEqual(["post.json"]);
  });
});
