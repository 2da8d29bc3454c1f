/** The proxy that the environment names: commands send their requests through it, as npm, git and curl do. */
import * as http from "node:http";

/** Servers on this machine are asked directly. */
const direct = "localhost,127.0.0.1,[::1]";

/** Node has this from 24.14 on, and the types of the oldest Node do not. Throws where a URL is none. */
const { setGlobalProxyFromEnv } = http as {
  readonly setGlobalProxyFromEnv?: (env: Readonly<Record<string, string>>) => unknown;
};

/**
 * Sends all later requests of this process through the proxy that an environment names in `HTTP_PROXY`, `HTTPS_PROXY`
 * and `NO_PROXY` (`*` for none), in small or capital letters. A host and a port alone are a proxy's as well.
 *
 * @returns why the proxy is not used, without its URL, which may have a password; undefined where none is named, too
 */
export function useProxy(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  const [plain = "", secure = ""] = ["HTTP_PROXY", "HTTPS_PROXY"].map((name) =>
    named(name).replace(/^(?!\w+:\/\/)(?=.)/, "http://"),
  );
  const isUsed = plain + secure !== "" && named("NO_PROXY").trim() !== "*";
  if (!isUsed || env["NODE_USE_ENV_PROXY"] === "1") return undefined;
  if (setGlobalProxyFromEnv === undefined)
    return `the proxy that HTTP_PROXY or HTTPS_PROXY names is not used by Node ${process.versions.node}, but by 24.14 and newer.`;
  const excepted = [named("NO_PROXY"), direct].filter(Boolean).join(",");
  try {
    setGlobalProxyFromEnv({ HTTP_PROXY: plain, HTTPS_PROXY: secure, NO_PROXY: excepted });
    return undefined;
  } catch {
    return "what HTTP_PROXY or HTTPS_PROXY names is not used as a proxy: it must be a URL such as http://proxy.example:8080.";
  }
}
