/**
 * Takes the requests for `netlify dev` on the port that people use. It takes the port before anything is
 * built. It does not pass on URLs that would crash the CLI, or that the CLI and the platform read differently.
 */
import {
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { paths } from "../../functions/contract/http.ts";
import { listen, pathOf, type Answer } from "./file-server.ts";

/** Where requests go. */
export interface Front {
  readonly server: Server;
  /** Requests that are being answered by the CLI now, for the message when it ends. */
  readonly asked: ReadonlySet<string>;
  /** Sends requests to the CLI's port from now on; undefined while it does not run. */
  leadTo(port: number | undefined): void;
}

/**
 * Whether the CLI takes a path as the platform would. It decodes paths itself: a malformed escape ends it,
 * and characters that a URL parser drops or takes for something else make another path of it.
 */
function isSafe(url: string): boolean {
  try {
    // It would ask for a post's file by other names, too.
    if (url.startsWith(paths.posts) && pathOf(url).endsWith(".json")) return false;
    // The CLI decodes twice, cuts a path off at `?` and `#`, and drops white space and control characters.
    return (
      url.startsWith("/") &&
      // Slashes and dots that are escaped are part of a name, and would become a way.
      !/%2f|%2e/i.test(url) &&
      !/[%?#\\\s]|[^\P{Cc}]|\/\/|\.\./u.test(decodeURIComponent(pathOf(url)))
    );
  } catch {
    return false;
  }
}

/** Whether a host is this machine. Another site may point its own name here and send requests (DNS rebinding). */
const isLocal = (host: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host);

/**
 * Starts it.
 *
 * @param instead answers what the CLI must not be asked, and everything while it does not run
 * @throws Failure where the port is in use
 */
export async function startFront(port: number, instead: Answer): Promise<Front> {
  let target: number | undefined;
  const asked = new Set<string>();
  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = "/", headers } = request;
    const what = `${method} ${url}`;
    asked.add(what);
    const passed = forward(
      { host: "localhost", port: target, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("error", () => response.destroy()).pipe(response);
      },
    );
    passed.on("error", () =>
      response.headersSent ? response.destroy() : instead(request, response),
    );
    response.on("close", () => {
      asked.delete(what);
      passed.destroy();
    });
    request.pipe(passed);
  }
  const server = await listen(port, (request, response) => {
    if (!isLocal(request.headers.host ?? ""))
      response.writeHead(421).end("This server answers to the names of this machine alone.\n");
    else if (target === undefined || !isSafe(request.url ?? "")) instead(request, response);
    else pass(request, response);
  });
  return { server, asked, leadTo: (next) => (target = next) };
}
