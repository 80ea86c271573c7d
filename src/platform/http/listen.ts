import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { OperatorError } from "../errors.ts";

/**
 * Sockets that listen on the port. In each turn of the event loop, Node accepts one connection per socket, so with a
 * single socket new clients and health probes would wait for seconds while the process is busy
 * (https://github.com/nodejs/node/issues/57364).
 */
const SOCKETS = 8;

/** An address to listen on, and the environment variables that set it. */
export interface ListenAddress {
  host: string;
  port: number;
  variables: { host: string; port: string };
}

/** Checks that a server can listen on the address, before the rest of a start. @throws OperatorError */
export async function requireListenable(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listenAt(server, address);
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Makes a server listen. Returns helpers that accept connections for it, and that must be closed with it.
 *
 * @throws OperatorError when the address is in use, or not this machine's
 */
export async function listen(server: HttpServer, address: ListenAddress): Promise<Server[]> {
  await listenAt(server, address);
  if (process.platform !== "linux") return [];
  // The port was free. From here on it is shared between sockets, which would hide that another process uses it.
  const taken = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  const helpers = Array.from({ length: SOCKETS - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
  for (const each of [server, ...helpers]) await listenAt(each, { ...address, port: taken }, true);
  return helpers;
}

async function listenAt(server: Server, address: ListenAddress, reusePort = false): Promise<void> {
  const { host, port } = address;
  server.listen({ host, port, reusePort });
  try {
    await once(server, "listening");
  } catch (error) {
    throw refusalOf(error as NodeJS.ErrnoException, address);
  }
}

function refusalOf(error: NodeJS.ErrnoException, { host, port, variables }: ListenAddress): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new OperatorError(`${variables.port}: Port ${port} is already in use. Choose another one.`);
    case "EACCES":
      return new OperatorError(
        `${variables.port}: This user is not allowed to listen on port ${port}. Choose another one.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new OperatorError(`${variables.host}: ${host} is not an address of this machine. Choose another one.`);
    default:
      return error;
  }
}
