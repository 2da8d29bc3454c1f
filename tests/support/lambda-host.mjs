/**
 * Runs an unpacked function as the platform does, in a process of its own that may read nothing else:
 * node --permission --allow-fs-read=FOLDER --allow-fs-read=THIS_FILE lambda-host.mjs FOLDER
 *
 * Reads one request a line as JSON, `{ url, method, headers, body }`; writes one answer a line,
 * `{ status, headers, body }`. The platform's runtime gives a global `awslambda`; this one keeps the
 * stream that it would send.
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
process.env.LAMBDA_TASK_ROOT = folder;
globalThis.awslambda = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (stream, prelude) => Object.assign(stream, { prelude }) },
};
const { handler } = await import(pathToFileURL(join(folder, "___netlify-entry-point.mjs")).href);

async function answer({ url, method, headers, body }) {
  const stream = new PassThrough();
  const chunks = [];
  stream.on("data", (chunk) => chunks.push(chunk));
  const ended = new Promise((done) => stream.on("end", done));
  const event = { rawUrl: url, httpMethod: method, headers: headers ?? {}, body, flags: {} };
  await handler(event, stream, { awsRequestId: "1", getRemainingTimeInMillis: () => 60_000 });
  await ended;
  const { statusCode, multiValueHeaders } = stream.prelude;
  return {
    status: statusCode,
    headers: multiValueHeaders,
    body: Buffer.concat(chunks).toString(),
  };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
