import { request } from "node:http";
import { isIPv6, type Socket } from "node:net";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import type { ServerUrl } from "../../platform/server-url.ts";
import { codeOf, ConnectFailure, OwnFault, ownFaultOf } from "./failures.ts";

/** The maximum size of the proxy's answer. Bytes. */
const MAX_ANSWER = 16 * 1024;

interface Target {
  /** The name or address in the URL. */
  host: string;
  /** The checked address of the host. */
  address: string;
  port: number;
}

/** Opens a connection to the target's address by a time of `performance.now()`. @throws ConnectFailure, OwnFault */
export type OpenTarget = (target: Target, deadline: number) => Promise<Socket>;

/** A failure of the proxy or of the server, described for the log and for the server's staff. */
class UnclearFailure extends ConnectFailure {
  constructor(
    readonly problem: string,
    errorClass: ErrorClass = ErrorClass.CONNECTION,
    message = "The proxy of this installation could not connect to the server",
  ) {
    super(errorClass, message);
  }
}

/**
 * Opens connections through a forward proxy with CONNECT to the checked address, so the proxy resolves no name.
 *
 * Proxies answer 5xx, or not in time, both for a server that is down and for a fault of the proxy. Such an answer counts
 * as a failure of the server only while the proxy has failed for no other host since its last success.
 */
export function openTunnels(
  { host, port = 80, auth }: ServerUrl,
  connectSocket: (address: { host: string; port: number }) => Socket,
): OpenTarget {
  /** Up to two of the hosts that the proxy did not connect to since it last connected to any. */
  const failing = new Set<string>();
  const credentials = auth && `Basic ${Buffer.from(`${auth.user}:${auth.pass}`).toString("base64")}`;

  return async (target, deadline) => {
    const socket = connectSocket({ host, port }).setNoDelay(true);
    // Never removed, because an unhandled later error would end the process.
    socket.on("error", () => undefined);
    try {
      const status = await askForTunnel(socket, target, credentials, deadline);
      // Of a wrong password, tinyproxy says 401.
      if (status === 407 || status === 401) throw faultOf(`refused the user and password (${status})`);
      if (!isSuccess(status)) throw new UnclearFailure(`answered ${status}`);
      failing.clear();
      return socket;
    } catch (error) {
      socket.destroy();
      throw error instanceof UnclearFailure ? blame(target.host, error) : error;
    }
  };

  function blame(name: string, failure: UnclearFailure): Error {
    if (failing.size < 2) failing.add(name);
    return failing.size === 1 ? failure : faultOf(`${failure.problem}, for several hosts`);
  }
}

/** Sends CONNECT and returns the status of the answer. */
function askForTunnel(
  socket: Socket,
  { address, port }: Target,
  credentials: string | undefined,
  deadline: number,
): Promise<number> {
  const host = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  let isConnected = false;
  socket.once("connect", () => (isConnected = true));
  return new Promise((resolve, reject) => {
    const asked = request({
      method: "CONNECT",
      path: host,
      headers: { host, connection: "keep-alive", ...(credentials && { "proxy-authorization": credentials }) },
      createConnection: () => socket,
      maxHeaderSize: MAX_ANSWER,
    });
    const timeOut = () => {
      const failure = new UnclearFailure("did not answer in time", ErrorClass.TIMEOUT, "No connection in time");
      reject(isConnected ? failure : faultOf("cannot be connected to in time"));
    };
    const timer = setTimeout(timeOut, Math.max(0, deadline - performance.now()));
    asked.on("close", () => clearTimeout(timer));
    asked.on("error", (error) => {
      const code = codeOf(error);
      if (!isConnected) reject(ownFaultOf(error) ?? faultOf(`cannot be connected to (${code})`));
      else if (code.startsWith("HPE_")) reject(faultOf(`did not answer in HTTP (${code})`));
      else reject(new UnclearFailure(`closed the connection (${code})`));
    });
    asked.once("connect", ({ statusCode = 0 }, _, head) => {
      // Undici would open connections without end, because it reads a response before it has sent the request.
      if (head.length > 0 && isSuccess(statusCode)) {
        reject(new ConnectFailure(ErrorClass.PROTOCOL, "The server sent a response without a request"));
      } else resolve(statusCode);
    });
    asked.end();
  });
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

function faultOf(problem: string): OwnFault {
  return new OwnFault(`The proxy of WEBHOOKS_PROXY ${problem}`);
}
