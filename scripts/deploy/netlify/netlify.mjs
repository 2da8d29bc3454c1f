#!/usr/bin/env node
/** The command `netlify` of this project: the Netlify CLI, in this process, so arguments, signals and exit code are its own. */
import { pathToFileURL } from "node:url";
import { installNetlifyCli } from "./install.mjs";

const cli = installNetlifyCli();
if (cli === undefined) process.exit(1);
process.argv[1] = cli;
await import(pathToFileURL(cli).href);
