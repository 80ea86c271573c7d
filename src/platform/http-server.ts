import { createServer, STATUS_CODES, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OperatorError } from "./errors.ts";

export interface HttpServer {
  port: number;
  /** Finishes what was begun, at most 10 seconds, and lets nothing new in. */
  stop: () => Promise<void>;
}

const STOP_DEADLINE = 10_000;

/** What the HTTP parser refuses gets a JSON body too. https://nodejs.org/api/http.html#event-clienterror */
const parserStatuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** @throws OperatorError when the address is in use */
export async function startHttpServer(
  listener: RequestListener,
  address: { host: string; port: number },
): Promise<HttpServer> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 }, listener);
  answerMalformedRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === "EADDRINUSE";
      reject(isInUse ? new OperatorError(`Port ${address.port} is in use. Set PORT to another.`) : error);
    });
    server.listen(address.port, address.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server) };
}

function answerMalformedRequests(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    const status = parserStatuses[error.code ?? ""] ?? 400;
    const body = JSON.stringify({ error: STATUS_CODES[status] });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}

async function stop(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}
