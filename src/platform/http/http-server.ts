import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Server as NetServer, AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { listen, type ListenAddress } from "./listen.ts";
import { networkOf } from "./client.ts";
import { Counts } from "../counts.ts";

export interface HttpServer {
  port: number;
  /** Closes each connection after its next answer, so that its client reconnects elsewhere. */
  drain: () => void;
  /** Finishes requests in at most 10 seconds and accepts no new ones. */
  stop: () => Promise<void>;
}

const STOP_DEADLINE = 10_000;

/** Requests of one connection that may wait for answers. Hardly any client pipelines. */
const MAX_PIPELINED = 16;

/** The time in which a client may read the answer to a request that it has not sent whole. Milliseconds. */
const LAST_READ = 1_000;

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
      if (trackResponse(socket, response) > MAX_PIPELINED) return socket.destroy();
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
  boundConnections(server, connections, headers);
  answerMalformedRequests(server, headers);
  answerConnect(server, headers);
  const helpers = await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
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

/** Answers a request that has not arrived whole with 408 (RFC 9110, section 15.5.9), and closes its connection. */
export function timeOut(response: ServerResponse): void {
  endWith(
    response.req.socket,
    408,
    new Map(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])),
  );
}

function refuse(response: ServerResponse, status: number): void {
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length };
  response.writeHead(status, { ...headers, Connection: "close" }).end(body);
}

function answerMalformedRequests(server: Server, headers: Map<string, string>): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || socket.destroyed) socket.destroy();
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
    // A client that neither reads nor closes would keep the connection.
    setTimeout(() => socket.destroy(), LAST_READ).unref();
  };
  // An earlier complete request is answered first.
  const pending = lastResponse(socket);
  if (pending?.req.complete && !pending.writableFinished) pending.once("close", answer);
  else answer();
}

async function stop(server: Server, helpers: NetServer[]): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE);
  const closed = [server, ...helpers].map((each) => new Promise((resolve) => each.close(resolve)));
  server.closeIdleConnections();
  await Promise.all(closed);
  clearTimeout(deadline);
}

export interface ConnectionLimits {
  /** Connections in total. Beyond that, the connection that has been idle or unread for longest is closed. */
  most: number;
  /** Connections of one address. Undefined behind proxies, because all clients then share an address. */
  mostOfAddress: number | undefined;
  /**
   * The time without traffic, in milliseconds, after which a connection closes unless its client waits for an answer.
   * Some connections close after half of it.
   */
  silence: number;
}

/** The requests of a connection that have arrived and are not answered. */
function arrivedRequests(socket: Socket): ServerResponse[] {
  return [...(unanswered.get(socket) ?? [])].filter(({ req }) => req.complete);
}

/**
 * Limits the number of connections, and closes those whose client does not read its answer: unread answers stay in
 * memory. It counts connections itself, because `server.maxConnections` ignores those accepted by the helper sockets.
 */
function boundConnections(
  server: Server,
  { silence, most, mostOfAddress = most }: ConnectionLimits,
  headers: Map<string, string>,
): void {
  // A client that leaves an earlier answer unread is not waiting for the server.
  const isUnread = (socket: Socket) => socket.writableLength > 0;
  const isWorking = (socket: Socket) => !isUnread(socket) && arrivedRequests(socket).some((each) => !each.headersSent);
  const isArriving = (socket: Socket) => !isUnread(socket) && lastResponse(socket)?.req.complete === false;
  const isIdle = (socket: Socket) => arrivedRequests(socket).length === 0;
  // Node allows an unread answer twice this time if part of it was read after it was written.
  server.timeout = silence / 2;
  // Node emits the same event when the keep-alive time of an idle connection ends.
  server.on("timeout", (socket) => {
    if (isWorking(socket)) return;
    if (isArriving(socket)) endWith(socket, 408, headers);
    else socket.destroy();
  });
  /** Ordered by their last answer, oldest first. */
  const sockets = new Set<Socket>();
  const counts = new Counts();
  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = networkOf(remoteAddress);
    if (counts.of(address) >= mostOfAddress) return socket.destroy();
    if (sockets.size >= most) {
      const closed = sockets.values().find(isIdle) ?? sockets.values().find(isUnread);
      if (!closed) return socket.destroy();
      sockets.delete(closed.destroy());
    }
    sockets.add(socket);
    counts.add(address, 1);
    socket.once("close", () => {
      sockets.delete(socket);
      counts.add(address, -1);
    });
  });
  server.on("request", ({ socket }, response) => {
    response.once("close", () => {
      if (sockets.delete(socket) && !socket.destroyed) sockets.add(socket);
    });
  });
}
