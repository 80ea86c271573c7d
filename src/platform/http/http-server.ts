import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type net from "node:net";
import type { Duplex } from "node:stream";
import { boundConnections, type ConnectionLimits } from "./bound-connections.ts";
import { listen, type ListenAddress } from "./listen.ts";

export interface HttpServer {
  port: number;
  /** Closes each connection after its next answer, so that its client reconnects elsewhere. */
  drain: () => void;
  /** Finishes requests in at most 10 seconds and accepts no new ones. */
  stop: () => Promise<void>;
}

const STOP_DEADLINE = 10_000;

/** Requests of one connection that may wait for answers. Hardly any client pipelines. */
const MOST_PIPELINED = 16;

/** Statuses for requests that the HTTP parser refuses. https://nodejs.org/api/http.html#event-clienterror */
const parserStatuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

export interface HttpServerOptions extends ListenAddress {
  /** Sent with every answer, including the server's own refusals. */
  headers: Map<string, string>;
  connections: ConnectionLimits;
}

/** @throws OperatorError when the address is in use, or not this machine's */
export async function startHttpServer(listener: RequestListener, options: HttpServerOptions): Promise<HttpServer> {
  const { headers, connections } = options;
  const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
  // By default Node checks only every 30 seconds for requests past their time-out.
  const connectionsCheckingInterval = 1_000;
  // Node answers a missing host and expectations without a body, so both are refused here.
  let isDraining = false;
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval, requireHostHeader: false },
    (request, response) => {
      const { socket } = request;
      // Node also handles requests that it has read from a connection that is closed by now.
      if (socket.destroyed) return;
      const earlier = lastResponse(socket);
      if (trackResponse(socket, response) > MOST_PIPELINED) return socket.destroy();
      response.setHeaders(headers);
      if (isDraining) response.setHeader("Connection", "close");
      const hosts = request.headersDistinct.host?.length ?? 0;
      // RFC 9112, section 3.2: one, or none before HTTP/1.1.
      const target = originForm(request.url ?? "");
      const isMissingHost = hosts === 0 && request.httpVersion !== "1.0";
      if (hosts > 1 || isMissingHost || target === undefined) return refuse(response, 400);
      const framingFault = checkTransferEncoding(request);
      if (framingFault !== undefined) return refuse(response, framingFault);
      request.url = target;
      const answer = () => listener(request, response);
      if (earlier) afterPrevious(earlier, socket, answer);
      else answer();
    },
  );
  server.on("checkExpectation", (_request, response) => {
    response.setHeaders(headers);
    refuse(response, 417);
  });
  // A client that leaves an earlier answer unread is not waiting for the server.
  const isWorking = (socket: net.Socket) => socket.writableLength === 0 && lastResponse(socket)?.headersSent === false;
  const isIdle = (socket: net.Socket) => ![...(unanswered.get(socket) ?? [])].some(({ req }) => req.complete);
  const isUnread = (socket: net.Socket) => socket.writableLength > 0;
  boundConnections(server, connections, { isWorking, isIdle, isUnread });
  answerMalformedRequests(server, headers);
  answerConnect(server, headers);
  const helpers = await listen(server, options);
  return {
    port: (server.address() as net.AddressInfo).port,
    drain: () => (isDraining = true),
    stop: () => stop(server, helpers),
  };
}

/** The path and query of a request target, which may be absolute (RFC 9112, section 3.2.2). */
function originForm(target: string): string | undefined {
  if (target.startsWith("/")) return target;
  // URL parsers take the first part of the path for a missing host. RFC 9110, section 4.2.4: no user.
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#@\\]+([/?#]|$)/i.test(target)) return undefined;
  const url = URL.parse(target);
  return url?.host ? url.pathname + url.search : undefined;
}

/**
 * The status that refuses a transfer coding (RFC 9112, section 6.1). Node's parser refuses a request whose last coding
 * is not chunked, or that also has a length, with 400.
 */
function checkTransferEncoding({ headers, httpVersion }: IncomingMessage): 400 | 501 | undefined {
  const text = headers["transfer-encoding"];
  if (text === undefined) return undefined;
  const codings = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (codings.pop() !== "chunked") return undefined;
  if (httpVersion === "1.0" || codings.includes("chunked")) return 400;
  return codings.length === 0 ? undefined : 501;
}

/** The answers that a connection still waits for, in order. */
const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

/**
 * Tracks a response until it is sent, and returns the number that the connection waits for. Each unsent response stays
 * in memory with its body.
 */
function trackResponse(socket: Duplex, response: ServerResponse): number {
  const responses = unanswered.get(socket) ?? new Set();
  unanswered.set(socket, responses.add(response));
  response.once("close", () => responses.delete(response));
  return responses.size;
}

function lastResponse(socket: Duplex): ServerResponse | undefined {
  return [...(unanswered.get(socket) ?? [])].at(-1);
}

/**
 * Starts an answer after the previous one is sent and other connections had a turn. Node would start all pipelined
 * requests at once and delay everyone else's.
 */
function afterPrevious(earlier: ServerResponse, socket: Duplex, answer: () => void): void {
  earlier.once("close", () =>
    setImmediate(() => {
      if (socket.writable) answer();
    }),
  );
}

function refuse(response: ServerResponse, status: number): void {
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length };
  response.writeHead(status, { ...headers, Connection: "close" }).end(body);
}

function answerMalformedRequests(server: Server, headers: Map<string, string>): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else endWith(socket, parserStatuses[error.code ?? ""] ?? 400, headers);
  });
}

/** Refuses CONNECT with 405 and an empty Allow. Node would close the connection without an answer. */
function answerConnect(server: Server, headers: Map<string, string>): void {
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    // Node no longer owns the socket, and would not report its end to the earlier responses.
    socket.once("close", () => unanswered.get(socket)?.forEach((response) => response.emit("close")));
    endWith(socket, 405, new Map([...headers, ["Allow", ""]]));
  });
}

/** Answers and closes a connection that Node's server no longer handles. */
function endWith(socket: Duplex, status: number, headers: Map<string, string>): void {
  const answer = () => {
    if (!socket.writable) return socket.destroy();
    const body = JSON.stringify({ error: STATUS_CODES[status] });
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}Content-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
  // An earlier complete request is answered first.
  const pending = lastResponse(socket);
  if (pending?.req.complete && !pending.writableFinished) pending.once("close", answer);
  else answer();
}

async function stop(server: Server, helpers: net.Server[]): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE);
  const closed = [server, ...helpers].map((each) => new Promise((resolve) => each.close(resolve)));
  server.closeIdleConnections();
  await Promise.all(closed);
  clearTimeout(deadline);
}
