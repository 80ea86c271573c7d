import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { OperatorError } from "../errors.ts";

/**
 * Sockets that listen at the port. In each turn of its event loop Node accepts one connection of each, so that with one
 * socket a busy process lets new clients, and probes of its health, wait for seconds
 * (https://github.com/nodejs/node/issues/57364).
 */
const SOCKETS = 8;

interface Address {
  host: string;
  port: number;
}

/**
 * Makes a server listen. What it returns accepts connections for the server too, and is to be closed with it.
 *
 * @throws OperatorError when the address is in use
 */
export async function listen(server: HttpServer, { host, port }: Address): Promise<Server[]> {
  await listenAt(server, { host, port });
  if (process.platform !== "linux") return [];
  // The port is ours alone, as has been seen: from now on it is shared, which would hide that it is in use.
  const taken = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  const helpers = Array.from({ length: SOCKETS - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
  for (const each of [server, ...helpers]) await listenAt(each, { host, port: taken, reusePort: true });
  return helpers;
}

async function listenAt(server: Server, options: Address & { reusePort?: boolean }): Promise<void> {
  server.listen(options);
  try {
    await once(server, "listening");
  } catch (error) {
    const isInUse = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    throw isInUse ? new OperatorError(`Port ${options.port} is in use. Choose another.`) : error;
  }
}
