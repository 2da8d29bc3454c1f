/** Faulty answers that any server may give, for the stand-ins of sites that are pulled. */
import type { ServerResponse } from "node:http";

/** How a stand-in writes JSON: its Content-Type, undefined for none, and its bytes. */
export type JsonWriter = (json: string) => readonly [type: string | undefined, bytes: Buffer];

/** What is wrong with an answer. */
export type Fault = "429" | "429 for ten seconds" | "500" | "503" | "html" | "cut" | "closed";

const html = { "Content-Type": "text/html" };
const json = { "Content-Type": "application/json" };

const answers: Readonly<Record<Fault, (response: ServerResponse) => unknown>> = {
  "429": (response) => response.writeHead(429, json).end("{}"),
  "429 for ten seconds": (response) =>
    response.writeHead(429, { ...json, "Retry-After": "10" }).end("{}"),
  "500": (response) => response.writeHead(500).end("upstream error"),
  "503": (response) => response.writeHead(503, html).end("<h1>busy</h1>"),
  html: (response) => response.writeHead(200, html).end("<h1>Just a moment...</h1>"),
  cut: (response) => response.writeHead(200, json).end('[{"success":true,"result":[{"id":1,"ti'),
  closed: (response) => response.destroy(),
};

export const faults = Object.keys(answers) as readonly Fault[];

/** Answers with a fault. */
export const failWith = (fault: Fault, response: ServerResponse): void =>
  void answers[fault](response);
