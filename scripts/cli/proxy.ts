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
 * @param env is changed, for the programs that are started with it: its proxy is what Node itself uses there, in small
 *   letters. With capital letters, the Netlify CLI sends a part of its requests by a way of its own, which knows no
 *   password and no exceptions, and prints the URL where it fails. A proxy that is not used is removed.
 * @returns why the proxy is not used, without its URL, which may have a password; undefined where none is named, too
 */
export function useProxy(env: NodeJS.ProcessEnv): string | undefined {
  const taken = (name: string): string => {
    const value = env[name.toLowerCase()] || env[name] || "";
    for (const one of [name.toLowerCase(), name]) delete env[one];
    return value;
  };
  const [plain = "", secure = ""] = ["HTTP_PROXY", "HTTPS_PROXY"].map((name) =>
    taken(name).replace(/^(?!\w+:\/\/)(?=.)/, "http://"),
  );
  const except = taken("NO_PROXY");
  if (plain + secure === "" || except.trim() === "*") return undefined;
  // With this, Node has read the names itself, when it started.
  const isRead = env["NODE_USE_ENV_PROXY"] === "1";
  if (!isRead && setGlobalProxyFromEnv === undefined)
    return `the proxy that HTTP_PROXY or HTTPS_PROXY names is not used by Node ${process.versions.node}, but by 24.14 and newer.`;
  const used = {
    http_proxy: plain,
    https_proxy: secure,
    no_proxy: [except, direct].filter(Boolean).join(","),
  };
  try {
    if (!isRead) setGlobalProxyFromEnv?.(used);
  } catch {
    return "what HTTP_PROXY or HTTPS_PROXY names is not used as a proxy: it must be a URL such as http://proxy.example:8080.";
  }
  Object.assign(env, used, { NODE_USE_ENV_PROXY: "1" });
  return undefined;
}
