/** A target that several processes write to: its lock, and what only the system can say of a folder. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLockedTarget } from "../../scripts/build/atomic-swap.ts";
import { root, temporaryFolder, tsx } from "../support/support.ts";

/** Takes the lock of a target and keeps it until it is killed. */
const holder = `
  import { withLockedTarget } from ${JSON.stringify(join(root, "scripts/build/atomic-swap.ts"))};
  await withLockedTarget(process.argv[1], () => new Promise(() => {
    setInterval(() => {}, 1000);
    console.log("locked");
  }));`;
const run = (program: string): string[] => [
  process.execPath,
  ...tsx,
  "--input-type=module",
  "-e",
  program,
];
const node = run(holder);
/** Puts a snapshot in the place of a target. */
const replacer = `
  import { replaceSnapshot, withLockedTarget } from ${JSON.stringify(join(root, "scripts/build/atomic-swap.ts"))};
  await withLockedTarget(process.argv[1], (path) => replaceSnapshot(path, async () => {}));`;
const replace = run(replacer);
/** Process numbers begin at 1 in there, as they do in a container. */
const isolation = ["--pid", "--fork", "--mount-proc", "--kill-child"];
const canIsolate = spawnSync("unshare", [...isolation, "true"]).status === 0;
/** The same without rights of an administrator, for mounts. */
const canMount = spawnSync("unshare", ["--mount", "--map-root-user", "true"]).status === 0;

const places: [string, string[]][] = [["in another process", node]];
if (canIsolate) places.push(["in another PID namespace", ["unshare", ...isolation, ...node]]);
test.each(places)(
  "withLockedTarget refuses a target locked %s, until that is killed",
  async (_, [command = "", ...args]) => {
    const target = join(temporaryFolder(), "dist");
    const child = spawn(command, [...args, target], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((done) => child.once("close", done));
    await new Promise((done) => child.stdout.once("data", done));
    await expect(withLockedTarget(target, async () => {})).rejects.toThrow(
      /another build is writing to .*dist, or a release uploads it\. Wait until it has ended/,
    );
    child.kill("SIGKILL");
    await ended;
    await withLockedTarget(target, async () => {});
  },
);

test.skipIf(!canMount)(
  "replaceSnapshot refuses a mount point, says what to do, and stages nothing",
  () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, "dist"));
    mkdirSync(join(parent, "bound"));
    const script = `
    mount -t tmpfs tmpfs "$1/dist" || exit 90
    mount --bind "$1/bound" "$1/bound" || exit 91
    cd "$1" && shift
    for target in dist bound; do "$@" $target; done
    ls -A . | grep staging`;
    const { stdout, stderr } = spawnSync(
      "unshare",
      ["--mount", "--map-root-user", "sh", "-c", script, "sh", parent, ...replace],
      { encoding: "utf8" },
    );
    expect(stdout).toBe("");
    expect(
      stderr.match(/(?:dist|bound) cannot be replaced \(EBUSY.*a folder inside it with --out\./g),
    ).toHaveLength(2);
  },
);
