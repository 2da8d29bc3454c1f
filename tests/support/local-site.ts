/** A snapshot behind a real `netlify dev`, on free ports, in a site folder of its own. */
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startNetlifyDev } from "../../scripts/local/netlify-dev.ts";
import { answering, freePort } from "../../scripts/local/processes.ts";
import { root, temporaryFolder } from "./support.ts";

/** A running site. */
export interface LocalSite {
  readonly port: number;
  /** Base URL, without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The project's files, and a snapshot in `dist`. */
function siteWith(snapshot: string): string {
  const site = temporaryFolder();
  symlinkSync(join(root, "node_modules"), join(site, "node_modules"));
  for (const name of ["functions", "scripts", "netlify.toml", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(site, name), { recursive: true });
  cpSync(snapshot, join(site, "dist"), { recursive: true });
  return site;
}

/** Serves a snapshot; resolves when files and function answer. */
export async function startSite(snapshot: string): Promise<LocalSite> {
  const folder = siteWith(snapshot);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const netlify = startNetlifyDev({
    root: folder,
    port,
    filePort: await freePort(),
    output: undefined,
  });
  // The function is loaded a moment after files are served.
  await answering(`${url}/api/search`, 120);
  return {
    port,
    url,
    async stop() {
      netlify.stop();
      await netlify.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
