import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from "node:http";
import type net from "node:net";
import type { Duplex } from "node:stream";
import { boundConnections, type ConnectionLimits } from "./bound-connections.ts";
import { listen, type ListenAddress } from "./listen.ts";

export interface HttpServer {
  port: number;
  /** Closes each connection with its next answer from now on, so that its client goes elsewhere. */
  drain: () => void;
  /** Finishes what was begun, at most 10 seconds, and lets nothing new in. */
  stop: () => Promise<void>;
}

const STOP_DEADLINE = 10_000;

/** The most requests of one connection that wait for answers: hardly any client sends requests ahead. */
const MOST_PIPELINED = 16;

/** Answers requests that the HTTP parser refuses with JSON too. https://nodejs.org/api/http.html#event-clienterror */
const parserStatuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

export interface HttpServerOptions extends ListenAddress {
  /** Sent with every answer, those that are written here too. */
  headers: Map<string, string>;
  connections: ConnectionLimits;
}

/** @throws OperatorError when the address is in use, or not this machine's */
export async function startHttpServer(listener: RequestListener, options: HttpServerOptions): Promise<HttpServer> {
  const { headers, connections } = options;
  const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
  // Node looks every 30 seconds for requests that are over their time.
  const connectionsCheckingInterval = 1_000;
  // Node's own refusals, of a missing host and of expectations, have no body: ours have.
  let isDraining = false;
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval, requireHostHeader: false },
    (request, response) => {
      const { socket } = request;
      // Node goes through all that it has read, also of a connection that is closed.
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
  // Whoever leaves an earlier answer unread does not wait for us, whatever else was asked for behind it.
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
  const url = URL.parse(target);
  return url?.host ? url.pathname + url.search : undefined;
}

/** The answers that a connection still waits for, in their order. */
const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

/**
 * Notes an answer until it is sent, since it would stay in memory with its body. Returns how many the connection waits
 * for.
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
 * Begins with an answer when the one before it is sent, and others had their turn: Node begins with all that a client sends
 * ahead at once, and nobody else would get on meanwhile.
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

/** Refuses to be a proxy: whatever the target is, it allows no methods. Node would close without a word. */
function answerConnect(server: Server, headers: Map<string, string>): void {
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    // Node has let go of the socket, and would not tell the answers before this that it closes.
    socket.once("close", () => unanswered.get(socket)?.forEach((response) => response.emit("close")));
    endWith(socket, 405, new Map([...headers, ["Allow", ""]]));
  });
}

/** Refuses what came on a connection that Node's own server does not answer on any more, and closes it. */
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
  // Behind a whole request: that one is being worked on, and its answer comes first.
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
