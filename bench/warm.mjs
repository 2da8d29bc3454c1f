// The bundled function answers a mix of searches, in a process that holds nothing else: warm times and
// peak memory. Writes its answers to answers.jsonl for the comparison with the oracle.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [bundle, folder] = process.argv.slice(2);
const { default: handler } = await import(bundle);
const ask = async (parameters) =>
  (
    await handler(new Request(`https://api.example/api/search?${new URLSearchParams(parameters)}`))
  ).text();

const resolved = [];
for (const parameters of JSON.parse(readFileSync(join(folder, "mix.json"), "utf8"))) {
  const { metadata } = JSON.parse(await ask({ ...parameters, page: "1" }));
  const last = Math.max(1, metadata.totalPages);
  const page = { first: 1, middle: Math.ceil(last / 2), last }[parameters.page];
  const whole = { ...parameters, page: String(page) };
  resolved.push(whole);
  const answer = JSON.parse(await ask(whole));
  appendFileSync(join(folder, "answers.jsonl"), `${JSON.stringify([whole, answer])}\n`);
}
const times = [];
for (const parameters of resolved) {
  const start = performance.now();
  await ask(parameters);
  times.push(performance.now() - start);
}
process.stdout.write(JSON.stringify({ times, peak: process.resourceUsage().maxRSS / 1024 }));
