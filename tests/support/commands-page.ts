/** docs/commands.md: the help of every command. As a program, which `npm run format` starts, it writes the page. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const file = join(root, "docs/commands.md");

/** The npm scripts of package.json by name. */
export const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** npm scripts that are commands of the program, by name. */
export const commands: readonly string[] = Object.entries(scripts).flatMap(([name, script]) =>
  /^node --import \S+ scripts\/\w+\.ts$/.test(script) ? [name] : [],
);

/** The page as it is now. */
export const currentPage = (): string => readFileSync(file, "utf8");

/**
 * The page with other help.
 *
 * @param page its words before the first command stay
 * @param helps what `--help` prints, by the command's name
 */
export function commandsPage(page: string, helps: ReadonlyMap<string, string>): string {
  const [introduction = ""] = page.split("\n## ");
  const sections = [...helps].map(
    ([name, help]) => `## ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`,
  );
  return [`${introduction.trimEnd()}\n`, ...sections].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const helps = commands.map((name): [string, string] => {
    const command = ["--import", "tsx", `scripts/${name}.ts`, "--help"];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: root,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${name} --help: ${stderr}`);
    return [name, stdout];
  });
  writeFileSync(file, commandsPage(currentPage(), new Map(helps)));
}
