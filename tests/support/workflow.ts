/** Reads a workflow of GitHub Actions, and runs the shell steps of its job as a runner does. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./support.ts";

/** A step; only what is looked at here. */
interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const workflowText = (name: string): string =>
  readFileSync(join(root, ".github/workflows", name), "utf8");

export const workflow = (name: string): Workflow => parse(workflowText(name)) as Workflow;

/** What became of a job. */
interface JobResult {
  /** Exit code of the last step that ran. */
  readonly code: number;
  /** Name of that step. */
  readonly step: string | undefined;
  /** Everything that was printed. */
  readonly output: string;
}

/**
 * Runs the shell steps of a workflow's only job, up to the first that fails, except the one named Install.
 *
 * @param expressions values of what is between `${{` and `}}`
 * @param env of all steps, besides their own
 */
export async function runSteps(
  { env: ofWorkflow, jobs }: Workflow,
  folder: string,
  expressions: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<JobResult> {
  const filled = (values: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
          const known = expressions[expression];
          if (known === undefined) throw new Error(`no value for ${expression}`);
          return known;
        }),
      ]),
    );
  let result: JobResult = { code: 0, step: undefined, output: "" };
  for (const { name, run, env: ofStep } of Object.values(jobs).flatMap((job) => job.steps)) {
    if (run === undefined || name === "Install") continue;
    // How GitHub starts `shell: bash`.
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd: folder,
      env: { ...env, ...filled(ofWorkflow), ...filled(ofStep) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let { output } = result;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const code = await new Promise<number>((done) => child.on("close", (one) => done(one ?? 1)));
    result = { code, step: name, output };
    if (code !== 0) break;
  }
  return result;
}
