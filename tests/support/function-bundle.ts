/** The function as `netlify build` makes it: the routes of its manifest, and its archive, unpacked and started. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import StreamZip from "node-stream-zip";
import type { FunctionRoute } from "./platform.ts";

const root = resolve(import.meta.dirname, "../..");

/** An entry of the manifest that a build writes; only what is looked at here. */
interface FunctionEntry {
  readonly name: string;
  readonly runtime: string;
  readonly runtimeVersion: string;
  readonly bundler: string;
  readonly invocationMode: string;
  readonly path: string;
  readonly routes: readonly (FunctionRoute & { readonly pattern: string })[];
}

/** What the MCP server imports, with what that imports. The search imports FlexSearch alone. */
const mcpPackages = [
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/core",
  "zod",
  "htmlparser2",
  "entities",
  "domhandler",
  "domutils",
  "dom-serializer",
  "domelementtype",
  "stemmer",
  "fastest-levenshtein",
] as const;

/** Whether a file of the archive belongs to a package that only the MCP server imports. */
export const isOfMcp = (path: string): boolean =>
  mcpPackages.some((name) => path.startsWith(`node_modules/${name}/`));

/** A function that was built. */
export interface FunctionBundle {
  readonly entry: FunctionEntry;
  readonly zippedBytes: number;
  /** Where the archive was unpacked: outside the project, read-only. */
  readonly folder: string;
  /** Paths of its files, sorted. */
  readonly files: readonly string[];
}

/** Copies what the platform's tools read of the project, except the snapshot, into a new folder. */
export function copySite(folder: string): void {
  const installed = ["flexsearch", ...mcpPackages].map((name) => `node_modules/${name}`);
  for (const name of ["functions", "package.json", "netlify.toml", ...installed])
    cpSync(join(root, name), join(folder, name), { recursive: true });
}

/** Unpacks the archive of a function into a new folder. */
export async function unpack(archive: string, folder: string): Promise<void> {
  mkdirSync(folder);
  const zip = new StreamZip.async({ file: archive });
  await zip.extract(null, folder);
  await zip.close();
}

/**
 * Runs the real `netlify build` on a snapshot, offline, with no command of its own, and unpacks what it
 * makes. The only installed packages there are those that the function imports.
 *
 * @param snapshot folder of a finished snapshot
 * @param workFolder an empty folder outside the project, for the site and for what is unpacked
 * @throws Error with the output of the build where it fails
 */
export async function buildFunction(snapshot: string, workFolder: string): Promise<FunctionBundle> {
  const site = join(workFolder, "site");
  copySite(site);
  cpSync(snapshot, join(site, "dist"), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    join(root, "node_modules/.bin/netlify"),
    ["build", "--offline", "--context", "branch:bundle-only"],
    {
      cwd: site,
      encoding: "utf8",
      env: {
        ...process.env,
        CI: "true",
        PATH: [dirname(process.execPath), process.env["PATH"]].join(":"),
      },
    },
  );
  if (status !== 0) throw new Error(`netlify build failed:\n${stdout}${stderr}`);
  const { functions } = JSON.parse(
    readFileSync(join(site, ".netlify/functions/manifest.json"), "utf8"),
  ) as { functions: FunctionEntry[] };
  const [entry] = functions;
  if (entry === undefined || functions.length !== 1)
    throw new Error(`the build made ${functions.length} functions`);

  const folder = join(workFolder, "task");
  await unpack(entry.path, folder);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath, one.name)))
    .sort();
  for (const name of files) chmodSync(join(folder, name), 0o444);
  return { entry, zippedBytes: statSync(entry.path).size, folder, files };
}

/** An answer of a started function. */
interface FunctionAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

/** A function in a process of its own. */
export interface StartedFunction {
  ask(
    url: string,
    method?: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<FunctionAnswer>;
  stop(): void;
}

/**
 * Starts an unpacked function as the platform does. Node's permissions let its process read that folder
 * alone: whatever else it needed would fail here as it would in production.
 *
 * @param log where faults that it reports go
 */
export function startFunction(
  folder: string,
  log: "inherit" | "ignore" = "inherit",
): StartedFunction {
  const host = join(import.meta.dirname, "lambda-host.mjs");
  const child = spawn(
    process.execPath,
    ["--permission", `--allow-fs-read=${folder}`, `--allow-fs-read=${host}`, host, folder],
    { cwd: "/", stdio: ["pipe", "pipe", log] },
  );
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(url, method = "GET", headers = {}, body) {
      child.stdin.write(`${JSON.stringify({ url, method, headers, body })}\n`);
      // One answer a request, in order.
      const next = last.then(async () => {
        const { value, done } = await answers.next();
        if (done === true) throw new Error("the function ended");
        return JSON.parse(value) as FunctionAnswer;
      });
      last = next;
      return next;
    },
    stop: () => void child.kill(),
  };
}

/** The answer of a started function to a request. */
export async function responseOf(started: StartedFunction, request: Request): Promise<Response> {
  const headers = Object.fromEntries(request.headers);
  const body = request.body === null ? undefined : await request.text();
  const answer = await started.ask(request.url, request.method, headers, body);
  return new Response(answer.body === "" ? null : answer.body, {
    status: answer.status,
    headers: Object.entries(answer.headers).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
}
