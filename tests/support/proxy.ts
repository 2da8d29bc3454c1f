/** A proxy on a loopback port that leads to one server, whatever it is asked for. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect, type AddressInfo } from "node:net";

export interface Proxy {
  /** Host and port. */
  readonly host: string;
  /** Hosts it was asked for so far, with ports. */
  readonly asked: string[];
  stop(): void;
}

/**
 * Starts a proxy.
 *
 * @param port to which all requests go, on 127.0.0.1
 * @param login such as "name:password", which it wants to see
 */
export async function startProxy(port: number, login?: string): Promise<Proxy> {
  const asked: string[] = [];
  const wanted = login && `Basic ${Buffer.from(login).toString("base64")}`;
  const server = createServer((incoming, response) => {
    const { method, headers, url = "" } = incoming;
    if (headers["proxy-authorization"] !== wanted) return response.writeHead(407).end();
    const { host, pathname, search } = new URL(url);
    asked.push(host);
    const path = pathname + search;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    return incoming.pipe(onward).on("error", () => response.destroy());
  });
  server.on("connect", ({ headers, url = "" }, socket) => {
    if (headers["proxy-authorization"] !== wanted)
      return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    asked.push(url);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const onward = connect(port, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    return socket
      .pipe(onward)
      .pipe(socket)
      .on("error", () => onward.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
