/** How much memory the function may use, and where public blocks are, by its environment. */
import type { Context } from "@netlify/functions";
import { platform } from "../contract/platform.ts";
import { blockFolder } from "../engine/index-format.ts";

/** Memory for index blocks where the environment sets none; code and answers take the rest. */
const defaultCacheMegabytes = (3 * platform.functionMemory) / 8;

/** Megabytes from the environment: a number of at least 0, where 0 keeps one block; else the default. */
export const cacheMegabytesFrom = (setting: string | undefined): number =>
  setting !== undefined && /^\d+(\.\d+)?$/.test(setting) ? Number(setting) : defaultCacheMegabytes;

/**
 * Where the public blocks of this very deploy are: at its permalink, then at the site; or at a URL of
 * their own. Blocks are named by their content, so the site has the right ones or none.
 */
export function deployedBlockUrls(
  context: Pick<Context, "deploy" | "site"> | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const own = env["SEARCH_BLOCKS_URL"];
  if (own) return [own.replace(/\/+$/, "")];
  const { deploy, site } = context ?? {};
  const permalink =
    deploy?.id && site?.name ? `https://${deploy.id}--${site.name}.netlify.app` : undefined;
  return [permalink, site?.url || env["URL"]]
    .filter((url) => url)
    .map((url) => `${url}/${blockFolder}`);
}
