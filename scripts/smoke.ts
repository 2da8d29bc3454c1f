/** npm run smoke -- URL: asks a published API what the contract promises. A line a check; exit code 1 when one fails. */
import { parseArgs } from "node:util";
import { smokeTest } from "./publish/smoke-test.ts";

const usage = `npm run smoke -- [URL] [--posts N]

Checks a published API, by default the local one: every status, header and body of the contract,
a search walked through all its pages, a sample of posts, CORS, caching and ETags.

  URL          base URL of the site (default: http://localhost:8888)
  --posts N    posts to read (default: 20)
  --help       show this text
`;

const {
  values,
  positionals: [site = "http://localhost:8888"],
} = parseArgs({
  allowPositionals: true,
  options: {
    posts: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || !URL.canParse(site)) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}
let checks = 0;
const failures = await smokeTest({
  site: site.replace(/\/+$/, ""),
  posts: Number(values.posts),
  fetch,
  report(check, failure) {
    checks++;
    process.stdout.write(
      failure === undefined ? `ok    ${check}\n` : `FAIL  ${check}: ${failure}\n`,
    );
  },
});
process.stdout.write(
  failures === 0 ? `all ${checks} checks passed.\n` : `${failures} of ${checks} checks failed.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
