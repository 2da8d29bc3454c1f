/** Drives the installed Netlify CLI: the calls that a release needs. They never prompt, hang or show a secret. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, parse } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { platform } from "../../functions/contract/platform.ts";
import { withCleanUp } from "../cli/clean-up.ts";
import { Failure } from "../cli/command.ts";
import { escapeControlChars } from "../lib/text.ts";
import { installNetlifyCli } from "./netlify/install.mjs";

/** What a run of the CLI gave. */
export interface CliOutput {
  /** Undefined where it was ended because it took too long. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the CLI.
 *
 * @param seconds after which it is ended
 */
export type RunCli = (args: readonly string[], seconds: number) => Promise<CliOutput>;

/** A site of Netlify. */
export interface NetlifySite {
  readonly id: string;
  /** Origin at which visitors reach it. */
  readonly url: string;
  /** Undefined before the first release. */
  readonly publishedDeployId: string | undefined;
  /** Whether somebody has locked the published deploy, so that no other becomes live. */
  readonly isLocked: boolean;
}

/** A deploy that only its own URL leads to. */
export interface Draft {
  readonly deployId: string;
  readonly url: string;
}

/** The function as the CLI bundles it. */
export interface Bundle {
  readonly zippedBytes: number;
  /** For example "nodejs24.x". */
  readonly runtime: string;
}

/**
 * Seconds for a request (the CLI repeats requests that are refused with 429), for a bundle, and for an upload:
 * two and a half times what a full directory of new files takes.
 */
const timeLimitSeconds = {
  request: 120,
  bundle: 300,
  upload: (2.5 * 60 * platform.filesInDirectory) / platform.uploadsPerMinute,
} as const;
/** Characters of the CLI's own words that a message repeats. */
const quotedCharacters = 600;
/** The variable of a site's settings that decides the runtime of its functions. */
const runtimeVariable = "AWS_LAMBDA_JS_RUNTIME";

/** Secrets as a release reads them: a line break that was copied along would be sent in a header. */
const trimSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ["NETLIFY_AUTH_TOKEN", "NETLIFY_SITE_ID"].flatMap((name) =>
      env[name] === undefined ? [] : [[name, env[name].trim()]],
    ),
  );

/**
 * Runs the CLI for a folder, from elsewhere: started in it, the CLI would take a folder above that has a package.json for
 * the site, and upload what is there. Its input is closed and `CI` is set: it then fails where it would prompt.
 *
 * @param folder of the site: with netlify.toml, functions and dist
 * @param install gives the CLI's program, installed where it was not; undefined where that failed
 * @throws Failure where the CLI is not there and cannot be installed
 */
export function netlifyIn(
  folder: string,
  env: NodeJS.ProcessEnv,
  install: () => string | undefined = installNetlifyCli,
): RunCli {
  return (args, seconds) => {
    const cli = install();
    if (cli === undefined) throw new Failure("A release needs the Netlify CLI.");
    // A process group of its own: what the CLI starts ends with it, and the terminal's Ctrl-C does not reach it, so that
    // making a deploy live is not cut off half-way.
    const child = spawn(process.execPath, [cli, ...args, "--cwd", folder], {
      cwd: parse(folder).root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env, ...trimSecrets(env), CI: "true", BROWSER: "none", NO_COLOR: "1" },
    });
    const end = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
    };
    return withCleanUp(end, async () => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        end();
      }, seconds * 1000);
      const output = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const)
        child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text));
      const code = await new Promise<number>((done, fail) => {
        child
          .once("error", ({ message }) => {
            fail(new Failure(`The Netlify CLI cannot be started: ${message}`));
          })
          .once("close", (status) => done(status ?? 1));
      });
      clearTimeout(timer);
      return { ...output, code: isLate ? undefined : code };
    });
  };
}

/** The calls for one site. A class, since all of them share what names the site and runs the CLI. */
export class NetlifyCli {
  readonly #run: RunCli;
  readonly #folder: string;
  readonly #siteId: string;
  readonly #token: string;

  /**
   * @param folder in which `run` runs the CLI
   * @param siteId empty without an account: then only `bundle` works
   * @param token shown in no message
   */
  constructor(run: RunCli, folder: string, siteId = "", token = "") {
    this.#run = run;
    this.#folder = folder;
    this.#siteId = siteId;
    this.#token = token;
  }

  /**
   * The site. Ask for it first: without a known site, `netlify deploy` creates a new one.
   *
   * @throws Failure where the token or the site's id is wrong
   */
  async site(): Promise<NetlifySite> {
    const call = "netlify api getSite";
    const site = requireObject(await this.#api("getSite", {}), call);
    const published = site["published_deploy"] ?? undefined;
    const deploy = published === undefined ? undefined : requireObject(published, call);
    return {
      id: requireText(site, "id", call),
      url: requireOrigin(site, site["ssl_url"] ? "ssl_url" : "url", call),
      publishedDeployId: deploy && requireText(deploy, "id", call),
      isLocked: deploy?.["locked"] === true,
    };
  }

  /** Bundles the function as a deploy would, to learn its size and runtime: this bundle is not sent. The context keeps the CLI from building the snapshot again. */
  async bundle(): Promise<Bundle> {
    const call = ["build", "--offline", "--context", "branch:bundle-only"];
    // An older one would be taken for that of this call.
    rmSync(join(this.#folder, bundleManifest), { force: true });
    await this.#text(call, timeLimitSeconds.bundle);
    const bundle = bundledIn(this.#folder, nameCall(call));
    // Without an account, only what the bundle says is known.
    if (this.#siteId === "") return bundle;
    const asked = ["env:get", runtimeVariable, "--json", "--scope", "functions"];
    const setting = requireObject(
      await this.#json(asked, timeLimitSeconds.request),
      nameCall(asked),
    );
    const isSet = setting[runtimeVariable] !== undefined;
    return isSet
      ? { ...bundle, runtime: requireText(setting, runtimeVariable, nameCall(asked)) }
      : bundle;
  }

  /** Uploads what changed as a draft. Bundles the function once more: without `--skip-functions-cache`, an older bundle might be sent. */
  async uploadDraft(): Promise<Draft> {
    const call = ["deploy", "--no-build", "--json", "--skip-functions-cache"];
    const deploy = requireObject(await this.#json(call, timeLimitSeconds.upload), nameCall(call));
    return {
      deployId: requireText(deploy, "deploy_id", nameCall(call)),
      url: requireOrigin(deploy, "deploy_url", nameCall(call)),
    };
  }

  /** Makes a deploy live: a draft, or one that was live before. Netlify has one call for both, named after the second. */
  async publish(deployId: string): Promise<void> {
    await this.#api("restoreSiteDeploy", { deploy_id: deployId });
  }

  #api(method: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
    const data = JSON.stringify({ site_id: this.#siteId, ...parameters });
    return this.#json(["api", method, "--data", data], timeLimitSeconds.request);
  }

  async #json(args: readonly string[], seconds: number): Promise<unknown> {
    const text = await this.#text(args, seconds);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new Failure(`${nameCall(args)} printed no JSON: ${this.#quoted(text)}`);
    }
  }

  async #text(args: readonly string[], seconds: number): Promise<string> {
    const { code, stdout, stderr } = await this.#run(args, seconds);
    if (code === undefined)
      throw new Failure(
        `${nameCall(args)} did not end within ${seconds} seconds. See https://www.netlifystatus.com and try again.`,
      );
    if (code !== 0) {
      const words = this.#quoted(stderr.trim() === "" ? stdout : stderr);
      throw new Failure(`${nameCall(args)} failed: ${words}${hintFor(words)}`);
    }
    return stdout;
  }

  /** What the CLI said, in one line, without the token. */
  #quoted(text: string): string {
    const words = stripVTControlCharacters(text)
      .replaceAll(this.#token || "\0", "(the token)")
      .replace(/[\s›]+/gu, " ")
      .trim()
      .replace(/^Error: /, "");
    return escapeControlChars(words.slice(0, quotedCharacters));
  }
}

/** Where the CLI lists what it bundled, in a site's folder. */
const bundleManifest = ".netlify/functions/manifest.json";

/**
 * The one function that the CLI has bundled in a folder.
 *
 * @param asked the call that bundled it
 * @throws Failure where there is none, or more than one
 */
function bundledIn(folder: string, asked: string): Bundle {
  const file = join(folder, bundleManifest);
  if (!existsSync(file))
    throw new Failure(
      `${asked} wrote no ${file}. If this folder is in the "workspaces" of a package.json above it, leave it out of them: in a workspace, the Netlify CLI bundles to another place.`,
    );
  let functions: unknown;
  try {
    ({ functions } = requireObject(
      JSON.parse(readFileSync(file, "utf8")),
      `${asked}, in ${bundleManifest},`,
    ));
    if (Array.isArray(functions) && functions.length === 1) {
      const search = requireObject(functions[0], asked);
      return {
        runtime: requireText(search, "runtimeVersion", asked),
        zippedBytes: statSync(requireText(search, "path", asked)).size,
      };
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${asked} wrote no bundle that can be read: ${(error as Error).message}`);
  }
  const count = Array.isArray(functions) ? functions.length : 0;
  throw new Failure(
    `The Netlify CLI bundles ${count} functions instead of one. See functions/ and netlify.toml.`,
  );
}

/** What the CLI answered, by field. */
type AnswerFields = Readonly<Record<string, unknown>>;

/** An answer of another form: another version of the CLI may give one. It shows no values, since some are private. */
const unusableAnswer = (asked: string, what: string): Failure =>
  new Failure(
    `${asked} gave what a release cannot use: ${what}. Another version of the Netlify CLI may be installed: run npm ci.`,
  );

/**
 * @throws Failure where an answer is no object
 */
function requireObject(answer: unknown, asked: string): AnswerFields {
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer))
    return answer as AnswerFields;
  throw unusableAnswer(asked, "no object came");
}

/**
 * @throws Failure where a field is missing, or no text
 */
function requireText(answer: AnswerFields, field: string, asked: string): string {
  const value = answer[field];
  if (typeof value === "string" && value !== "") return value;
  throw unusableAnswer(
    asked,
    `there is no ${field} among ${Object.keys(answer).slice(0, 12).join(", ")}`,
  );
}

/**
 * The origin of a URL in a field.
 *
 * @throws Failure where there is none
 */
function requireOrigin(answer: AnswerFields, field: string, asked: string): string {
  const url = requireText(answer, field, asked);
  if (/^https?:/.test(url) && URL.canParse(url)) return new URL(url).origin;
  throw unusableAnswer(asked, `${field} is no URL of a site`);
}

/** How messages name a call. */
const nameCall = (args: readonly string[]): string => `netlify ${args.slice(0, 2).join(" ")}`;

/** What to do about errors that the API has one word for. */
const hintFor = (words: string): string =>
  /Unauthorized|Access Denied|\b401\b/i.test(words)
    ? ". Netlify refuses the token: set NETLIFY_AUTH_TOKEN to one that is valid (User settings → Applications)."
    : /^(?:\w+: )?Not Found|\b404\b/i.test(words)
      ? ". No such site: set NETLIFY_SITE_ID to the project ID in the site's settings, of an account that the token belongs to."
      : "";
