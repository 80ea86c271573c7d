import { connect, isIP, SocketAddress, type Socket } from "node:net";
import { connect as secure, createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { ErrorClass } from "../../core/model/webhooks/error-class.ts";
import { hostOf, isLoopbackHost } from "../../core/webhooks/endpoints/target-url.ts";
import { isLoopbackAddress, isPublicAddress } from "../../platform/public-address.ts";
import type { ServerUrl } from "../../platform/server-url.ts";
import { ConnectFailure, describeFailure, describeLookupFailure, OwnFault, ownFaultOf } from "./failures.ts";
import { openTunnels, type OpenTarget } from "./open-tunnels.ts";
import { resolveName } from "./resolve-name.ts";

/** The time-out of DNS look-up and connection together. Milliseconds. */
const CONNECT_TIMEOUT = 3_000;
/** The time-out of the first address when there is another. Milliseconds. */
const FIRST_ADDRESS_TIMEOUT = 1_000;
const TLS_TIMEOUT = 5_000;
const LOOPBACK = ["127.0.0.1", "::1"];

/** Durations of the phases of opening a connection, null for phases not reached. Milliseconds. */
export interface ConnectTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
}

export interface ConnectOptions {
  /** Allows this machine as a target, for development. */
  allowLoopback: boolean;
  /** Resolves all addresses of a name. */
  lookup?: (name: string) => Promise<string[]>;
  /** Connects to a numeric address. */
  connectSocket?: (address: { host: string; port: number }) => Socket;
  /** Has the trusted authorities. The default ones without it. */
  secureContext?: SecureContext | undefined;
  /** The proxy through which all connections go. Its own address may be private. */
  proxy?: ServerUrl | undefined;
}

/** Connects, and records timings on the way, which show where it failed. @throws ConnectFailure, OwnFault */
export type ConnectTarget = (origin: URL, timings: ConnectTimings) => Promise<Socket>;

/**
 * Connects to webhook targets at public addresses only. The name is resolved once, each address is checked, and the
 * connection goes to a checked address, with the name for TLS. So DNS cannot change between check and connection.
 */
export function createTargetConnector(options: ConnectOptions): ConnectTarget {
  const { lookup = (name: string) => resolveName(name), connectSocket = connect } = options;
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (options.allowLoopback && isLoopbackAddress(address));
  const openTarget = options.proxy ? openTunnels(options.proxy, connectSocket) : openDirectly;

  return async (origin, timings) => {
    const host = hostOf(origin);
    const isSecure = origin.protocol === "https:";
    const port = Number(origin.port || (isSecure ? 443 : 80));
    const deadline = performance.now() + CONNECT_TIMEOUT;
    const addresses = await addressesOf(host);
    if (addresses.length === 0) throw new ConnectFailure(ErrorClass.DNS, "The host name has no address");
    if (!addresses.every(isAllowed)) throw refusal();
    const socket = await timed(timings, "connect", () => open(host, candidatesOf(addresses), port, deadline));
    return isSecure ? timed(timings, "tls", () => secureSocket(socket, host, options.secureContext)) : socket;

    async function addressesOf(name: string): Promise<string[]> {
      if (isIP(name) !== 0) return [name];
      if (options.allowLoopback && isLoopbackHost(name)) return LOOPBACK;
      return timed(timings, "dns", () => lookUp(name, deadline));
    }
  };

  async function lookUp(name: string, deadline: number): Promise<string[]> {
    try {
      return await within(deadline, lookup(name));
    } catch (error) {
      const isKnown = error instanceof ConnectFailure || error instanceof OwnFault;
      throw isKnown ? error : (ownFaultOf(error) ?? new ConnectFailure(ErrorClass.DNS, describeLookupFailure(error)));
    }
  }

  async function open(host: string, addresses: string[], port: number, deadline: number): Promise<Socket> {
    const [address, ...others] = addresses as [string, ...string[]];
    const patience = others.length > 0 ? Math.min(deadline, performance.now() + FIRST_ADDRESS_TIMEOUT) : deadline;
    try {
      return await openTarget({ host, address, port }, patience);
    } catch (error) {
      const isWorthAnother = error instanceof ConnectFailure && error.errorClass !== ErrorClass.TARGET_REFUSED;
      if (others.length === 0 || !isWorthAnother) throw error;
      // Without IPv6 on this machine, the first failure counts.
      return open(host, others, port, deadline).catch((another) => {
        throw another instanceof OwnFault ? error : another;
      });
    }
  }

  async function openDirectly({ address, port }: Parameters<OpenTarget>[0], deadline: number): Promise<Socket> {
    const socket = connectSocket({ host: address, port });
    await settled(socket, "connect", ErrorClass.CONNECTION, deadline);
    if (isSame(socket.remoteAddress, address)) return socket.setNoDelay(true);
    socket.destroy();
    throw refusal();
  }
}

/** Trusts authorities, in PEM, in addition to the default ones. Takes some 40 ms, because it parses all of them. */
export function trustAlso(authorities: string[]): SecureContext {
  return createSecureContext({ ca: [...getCACertificates("default"), ...authorities] });
}

/** Picks one address of each family, because a host may have addresses of an unreachable family. */
function candidatesOf(addresses: string[]): string[] {
  const [first] = addresses as [string, ...string[]];
  const other = addresses.find((address) => isIP(address) !== isIP(first));
  return other === undefined ? [first] : [first, other];
}

/** Upgrades a connection to TLS, and checks the certificate against the name as written. */
async function secureSocket(socket: Socket, host: string, secureContext: SecureContext | undefined): Promise<Socket> {
  // RFC 6066, section 3: the server name must not be an address.
  const servername = isIP(host) === 0 ? host : "";
  const secured = secure({
    socket,
    host,
    servername,
    ALPNProtocols: ["http/1.1"],
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(secureContext && { secureContext }),
  });
  try {
    await settled(secured, "secureConnect", ErrorClass.TLS, performance.now() + TLS_TIMEOUT);
    return secured;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Waits until a socket is ready, and destroys it on failure. @throws ConnectFailure, OwnFault */
function settled(
  socket: Socket,
  event: "connect" | "secureConnect",
  errorClass: ErrorClass,
  deadline: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (failure: ConnectFailure | OwnFault) => {
      clearTimeout(timer);
      socket.destroy();
      reject(failure);
    };
    const stage = event === "connect" ? "connection" : "TLS handshake";
    const timer = setTimeout(() => fail(timeout(stage)), Math.max(0, deadline - performance.now()));
    // Never removed, because an unhandled later error would end the process.
    socket.on("error", (error) => fail(ownFaultOf(error) ?? new ConnectFailure(errorClass, describeFailure(error))));
    socket.once("close", () => fail(new ConnectFailure(errorClass, "Closed while connecting")));
    socket.once(event, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function within<Value>(deadline: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeout("DNS response")), Math.max(0, deadline - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function timed<Value>(
  timings: ConnectTimings,
  phase: keyof ConnectTimings,
  work: () => Promise<Value>,
): Promise<Value> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    timings[phase] = performance.now() - startedAt;
  }
}

function isSame(remote: string | undefined, address: string): boolean {
  if (remote === undefined || isIP(remote) !== isIP(address)) return false;
  return canonical(remote) === canonical(address);
}

function canonical(address: string): string {
  return new SocketAddress({ address, family: isIP(address) === 4 ? "ipv4" : "ipv6" }).address;
}

function refusal(): ConnectFailure {
  return new ConnectFailure(ErrorClass.TARGET_REFUSED, "The host name resolves to an address that is not public");
}

function timeout(missing: string): ConnectFailure {
  return new ConnectFailure(ErrorClass.TIMEOUT, `No ${missing} in time`);
}
