/**
 * A stand-in for Netlify on loopback ports: the part of its API that the CLI uses to deploy, with deploys
 * that answer as published sites do. Each deploy gets an origin of its own, and so does the site; what
 * they answer comes from the uploaded files, the uploaded netlify.toml and the uploaded function, led
 * there by the model of the request chain.
 *
 * The paths and fields are those of https://open-api.netlify.com that netlify-cli asks for.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { responseOf, startFunction, unpack, type StartedFunction } from "./function-bundle.ts";
import { createPlatform, type FunctionRoute, type Platform } from "./platform.ts";

/** The origin on which a request arrived. */
type Origin = "site" | "draft";

/** What can be made to go wrong. A test sets what it needs. */
interface Faults {
  /** Answers a request to the API instead of the stand-in; `undefined` lets it pass. */
  api?:
    | ((method: string, path: string) => Promise<Response | undefined> | Response | undefined)
    | undefined;
  /** Answers a visitor instead of the deploy. */
  visit?: ((origin: Origin, url: URL, deployId: string) => Response | undefined) | undefined;
}

/** A deploy, as its creator has described it so far. */
interface Deploy {
  readonly id: string;
  readonly url: string;
  /** SHA-1 of each published file by its path, /netlify.toml among them. */
  files: Readonly<Record<string, string>>;
  /** SHA-256 of the function's archive by name. */
  functions: Readonly<Record<string, string>>;
  routes: readonly FunctionRoute[];
  isCancelled: boolean;
  answers?: Promise<Platform>;
}

/** Body of the request that describes a deploy: digests of its files and functions. */
interface DeployBody {
  readonly files?: Readonly<Record<string, string>>;
  readonly functions?: Readonly<Record<string, string>>;
  readonly functions_config?: Readonly<Record<string, { readonly routes: FunctionRoute[] }>>;
}

export interface NetlifyStandIn {
  /** Environment of a CLI that is to use the stand-in. */
  readonly env: {
    readonly NETLIFY_API_URL: string;
    readonly NETLIFY_AUTH_TOKEN: string;
    readonly NETLIFY_SITE_ID: string;
  };
  /** Origin of the live site. */
  readonly siteUrl: string;
  readonly faults: Faults;
  /** Requests to the API so far, as "PUT /deploys/d1/files/a.json". */
  readonly requests: string[];
  /** Ids of all deploys, oldest first. */
  deploys(): readonly string[];
  /** Id of the deploy that is live. */
  published(): string | undefined;
  /** Makes a deploy live, or locks the live one, as somebody else might meanwhile. */
  publish(deployId: string): void;
  lock(): void;
  stop(): void;
}

const siteId = "11111111-2222-3333-4444-555555555555";
const token = "nfp_test_token_that_nobody_may_see";

/** A server on a free port of 127.0.0.1, with its origin. */
async function listen(answer: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, origin: `http://127.0.0.1:${address.port}` };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Answers a request with what `work` gives. A client that is gone needs no answer. */
const answering =
  (work: (incoming: IncomingMessage) => Promise<Response>): RequestListener =>
  (incoming, outgoing) => {
    work(incoming)
      .catch((error: unknown) => new Response(String(error), { status: 500 }))
      .then((response) => send(response, outgoing))
      .catch(() => outgoing.destroy());
  };

async function send(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  to.end(Buffer.from(await response.arrayBuffer()));
}

/**
 * Starts the stand-in, with one site that has no deploy yet.
 *
 * @param workFolder an existing folder outside the project, for what is uploaded
 */
export async function startNetlify(workFolder: string): Promise<NetlifyStandIn> {
  const faults: Faults = {};
  const requests: string[] = [];
  const deploys = new Map<string, Deploy>();
  /** Uploaded files and archives by their digest: a later deploy needs only what is new. */
  const contents = new Map<string, Buffer>();
  const servers: Server[] = [];
  const running: StartedFunction[] = [];
  let publishedId: string | undefined;
  let isLocked = false;

  const deployWith = (id: string | undefined): Deploy => {
    const deploy = deploys.get(id ?? "");
    if (deploy === undefined) throw new Error(`there is no deploy ${id}`);
    return deploy;
  };
  const contentWith = (digest: string): Buffer => {
    const content = contents.get(digest);
    if (content === undefined) throw new Error(`${digest} was not uploaded`);
    return content;
  };

  /** Puts an uploaded deploy to work. */
  async function start({ id, files, functions, routes }: Deploy): Promise<Platform> {
    const folder = join(workFolder, id);
    const publishFolder = join(folder, "publish");
    for (const [path, digest] of Object.entries(files)) {
      const isSettings = path.replace(/^\//, "") === "netlify.toml";
      const file = join(isSettings ? folder : publishFolder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, contentWith(digest));
    }
    const archive = join(folder, "search.zip");
    writeFileSync(archive, contentWith(functions["search"] ?? ""));
    const task = join(folder, "task");
    await unpack(archive, task);
    const started = startFunction(task);
    running.push(started);
    return createPlatform({
      publishFolder,
      configFile: join(folder, "netlify.toml"),
      routes,
      run: (request) => responseOf(started, request),
    });
  }

  /** Answers visitors of an origin; `current` names the deploy that they get. */
  const visitors = (origin: Origin, current: () => string | undefined): RequestListener =>
    answering(async (incoming) => {
      const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host}`);
      const id = current();
      if (id === undefined) return new Response("Not Found", { status: 404 });
      const fault = faults.visit?.(origin, url, id);
      if (fault !== undefined) return fault;
      const deploy = deployWith(id);
      deploy.answers ??= start(deploy);
      const { method = "GET" } = incoming;
      const request = new Request(url, {
        method,
        headers: incoming.headers as Record<string, string>,
        body: method === "POST" ? await text(incoming) : null,
      });
      return (await (await deploy.answers)(request, "reported", "original")).response;
    });

  const { server: siteServer, origin: siteUrl } = await listen(visitors("site", () => publishedId));
  servers.push(siteServer);

  const missing = (digests: Readonly<Record<string, string>>): string[] =>
    [...new Set(Object.values(digests))].filter((digest) => !contents.has(digest));
  const deployJson = (deploy: Deploy) => {
    const required = missing(deploy.files);
    const functions = missing(deploy.functions);
    return {
      id: deploy.id,
      site_id: siteId,
      name: "cases",
      state: required.length + functions.length > 0 ? "uploading" : "ready",
      ssl_url: siteUrl,
      deploy_ssl_url: deploy.url,
      admin_url: "http://127.0.0.1/admin",
      required,
      required_functions: functions,
    };
  };
  const siteJson = () => ({
    id: siteId,
    name: "cases",
    url: siteUrl,
    ssl_url: siteUrl,
    account_id: "account",
    published_deploy: publishedId === undefined ? null : { id: publishedId, locked: isLocked },
  });

  async function createDeploy(): Promise<Deploy> {
    const id = `deploy${deploys.size + 1}`;
    const { server, origin } = await listen(visitors("draft", () => id));
    servers.push(server);
    const deploy = { id, url: origin, files: {}, functions: {}, routes: [], isCancelled: false };
    deploys.set(id, deploy);
    return deploy;
  }

  /** Answers a request to the API that was authorised. */
  async function answer(method: string, path: string, search: URLSearchParams, body: Buffer) {
    const json = (value: unknown) => Response.json(value);
    const [, kind, id, part, partId, action] = path.split("/");
    switch (`${method} ${kind}${part === undefined ? "" : `/${part}`}`) {
      case "GET accounts":
        return json([{ id: "account", slug: "team", name: "Team", default: true }]);
      case "GET accounts/env":
        return json([]);
      case "GET sites":
        return id === siteId ? json(siteJson()) : undefined;
      case "POST sites/deploys":
        if (action === undefined) return json(deployJson(await createDeploy()));
        publishedId = deployWith(partId).id; // …/restore
        return json(deployJson(deployWith(partId)));
      case "PUT sites/deploys": {
        const { files, functions, functions_config } = JSON.parse(body.toString()) as DeployBody;
        const deploy = deployWith(partId);
        deploy.files = files ?? {};
        deploy.functions = functions ?? {};
        deploy.routes = functions_config?.["search"]?.routes ?? [];
        return json(deployJson(deploy));
      }
      case "GET sites/deploys":
        return json(deployJson(deployWith(partId)));
      case "PUT deploys/files":
        contents.set(createHash("sha1").update(body).digest("hex"), body);
        return json({});
      case "PUT deploys/functions":
        // Since August 2026 no function can be created on Node 20.
        if (search.get("runtime") === "nodejs20.x")
          return Response.json({ message: "nodejs20.x is not supported" }, { status: 422 });
        contents.set(createHash("sha256").update(body).digest("hex"), body);
        return json({});
      case "POST deploys/cancel":
        deployWith(id).isCancelled = true;
        return json({});
      default:
        return undefined;
    }
  }

  const { server: api, origin: apiOrigin } = await listen(
    answering(async (incoming) => {
      const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
      const path = url.pathname.replace(/^\/api\/v1/, "");
      const method = incoming.method ?? "GET";
      requests.push(`${method} ${path}`);
      const body = await bodyOf(incoming);
      const fault = await faults.api?.(method, path);
      if (fault !== undefined) return fault;
      if (incoming.headers.authorization !== `Bearer ${token}`)
        return Response.json({ code: 401, message: "Access Denied" }, { status: 401 });
      return (
        (await answer(method, path, url.searchParams, body)) ??
        Response.json({ code: 404, message: "Not Found" }, { status: 404 })
      );
    }),
  );
  servers.push(api);

  return {
    env: { NETLIFY_API_URL: apiOrigin, NETLIFY_AUTH_TOKEN: token, NETLIFY_SITE_ID: siteId },
    siteUrl,
    faults,
    requests,
    deploys: () => [...deploys.keys()],
    published: () => publishedId,
    publish: (id) => {
      publishedId = deployWith(id).id;
    },
    lock: () => {
      isLocked = true;
    },
    stop() {
      for (const one of running) one.stop();
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
