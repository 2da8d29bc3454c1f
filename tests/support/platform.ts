/**
 * A model of how the platform finds the answer to a request: a test double for a live site, small and
 * deterministic. It reads the rules with the platform's own parsers and matcher, takes the routes from
 * the manifest that a real build writes, and walks a request through either reading of the chain.
 *
 * Each step names what it stands for. [chain] https://docs.netlify.com/platform/request-chain/,
 * [functions] https://docs.netlify.com/build/functions/get-started/, [redirects]
 * https://docs.netlify.com/manage/routing/redirects/, [report] kick-js pull request 729.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";
import redirector from "netlify-redirector";

/**
 * How the platform is read: as it is documented, or as it was reported from a live site, where a rule
 * that matches counts as a static match and so comes before a function that prefers static files.
 */
export type Reading = "documented" | "reported";

/** Which URL a function is given after a rewrite. The documentation does not say. */
export type SeenUrl = "original" | "rewritten";

/** A route of the function, as in the manifest of a real build. */
export interface FunctionRoute {
  readonly literal?: string;
  readonly expression?: string;
  readonly prefer_static?: boolean;
}

/** What a site consists of. */
export interface PlatformSite {
  readonly publishFolder: string;
  /** netlify.toml. */
  readonly configFile: string;
  readonly routes: readonly FunctionRoute[];
  readonly run: (request: Request) => Promise<Response>;
}

/** An answer, and whether the function ran for it. */
interface PlatformAnswer {
  readonly response: Response;
  readonly ranFunction: boolean;
}

/** Answers a request as the platform would. */
export type Platform = (
  request: Request,
  reading: Reading,
  seenUrl: SeenUrl,
) => Promise<PlatformAnswer>;

/** Types that the platform gives by a name's ending where no rule sets one. */
const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=UTF-8",
  ".txt": "text/plain; charset=UTF-8",
};

type Header = [name: string, value: string];

/** Sets up the model of a site. */
export async function createPlatform({
  publishFolder,
  configFile,
  routes,
  run,
}: PlatformSite): Promise<Platform> {
  const { redirects, errors } = await parseAllRedirects({
    redirectsFiles: [],
    configRedirects: [],
    minimal: false,
    netlifyConfigPath: configFile,
  });
  const { headers } = await parseAllHeaders({
    headersFiles: [join(publishFolder, "_headers")],
    configHeaders: [],
    minimal: false,
    netlifyConfigPath: configFile,
  });
  if (errors.length > 0) throw new Error(errors.join("\n"));
  const matcher = await redirector.parseJSON(
    JSON.stringify(
      (redirects as { query: object }[]).map(({ query, ...rule }) => ({ ...rule, params: query })),
    ),
    {},
  );

  /** The first rule that matches; later ones are not looked at [redirects, "Rule processing order"]. */
  const ruleFor = ({ pathname, search }: URL) =>
    matcher.match({
      scheme: "https",
      host: "site.example",
      path: pathname,
      query: search.slice(1),
      headers: {},
      cookieValues: {},
      getHeader: () => "",
      getCookie: () => "",
    });

  /** The published file of a path; names with a leading dot are not published (netlify-cli, deploy). */
  function fileFor(pathname: string): string | undefined {
    let path: string;
    try {
      path = decodeURIComponent(pathname);
    } catch {
      return undefined;
    }
    if (path.includes("\0") || /\/\.(?!well-known\/)|^\/_headers$/.test(path)) return undefined;
    // "Pretty URLs": /en is en.html or en/index.html as well [redirects, "Trailing slash"].
    return [path, `${path}.html`, `${path}/index.html`]
      .map((name) => join(publishFolder, name))
      .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
  }

  const claims = (pathname: string): FunctionRoute | undefined =>
    routes.find(({ literal, expression }) =>
      literal === undefined
        ? new RegExp(expression ?? "$^").test(pathname)
        : literal === pathname.replace(/(?<=.)\/$/, ""),
    );

  function fileResponse(request: Request, file: string, pathname: string, status: number) {
    const values = headers
      .filter((rule) => "forRegExp" in rule && rule.forRegExp.test(pathname))
      .flatMap(({ values: ofRule }) => Object.entries(ofRule as Record<string, string>));
    const body = request.method === "HEAD" ? null : readFileSync(file);
    const type = mediaTypes[extname(file)];
    return new Response(body, {
      status,
      headers: [
        ...(type === undefined ? [] : [["Content-Type", type] satisfies Header]),
        ...values,
      ],
    });
  }

  return async (request, reading, seenUrl) => {
    const url = new URL(request.url);
    const file = fileFor(url.pathname);
    const rule = ruleFor(url);
    const isStaticMatch =
      file !== undefined || (reading === "reported" && rule !== null && !rule.force); // [report]

    // "Functions … preferStatic: static files come first" [functions, "path", "preferStatic"].
    const route = claims(url.pathname);
    if (route !== undefined && !(route.prefer_static === true && isStaticMatch))
      return { response: await run(request), ranFunction: true };
    // Header rules are of the path that was asked for [headers, "Limitations": files only].
    const serve = (found: string, status = 200): PlatformAnswer => ({
      response: fileResponse(request, found, url.pathname, status),
      ranFunction: false,
    });
    // "By default, you won't be able to shadow a file that actually exists" [redirects, "Shadowing"].
    if (file !== undefined && rule?.force !== true) return serve(file);
    if (rule !== null) {
      const target = new URL(rule.to, url);
      if (target.search === "") target.search = url.search; // [redirects, "Query parameters"]
      const targetFile = fileFor(target.pathname);
      if (targetFile !== undefined) return serve(targetFile, rule.status);
      // "… the request chain evaluates functions once more after a rewrite" [chain]. Rules are not.
      if (claims(target.pathname) !== undefined)
        return {
          response: await run(seenUrl === "original" ? request : new Request(target, request)),
          ranFunction: true,
        };
    }
    // "404.html … served with status 404" [redirects, "Custom 404"].
    const page = join(publishFolder, "404.html");
    return existsSync(page)
      ? serve(page, 404)
      : { response: new Response(null, { status: 404 }), ranFunction: false };
  };
}
