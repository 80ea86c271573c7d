import { connect, type Socket } from "node:net";
import type { Answer } from "../client.ts";
import type { TestServer } from "../server.ts";

export function openSocket(server: TestServer): Socket {
  return connect(Number(new URL(server.url).port), "127.0.0.1");
}

export interface ExchangeOptions {
  /** Closes this side after the last byte. */
  end?: boolean;
  /** Reads nothing before the last byte is sent, like simple clients. */
  writeFirst?: boolean;
  /** The time that the server has to close. Milliseconds. */
  deadline?: number;
}

/**
 * Writes bytes unchanged to a new connection (text as latin1) and reads until the server closes it.
 *
 * @throws Error when the connection is still open at the deadline, five seconds by default, or the answer is not HTTP
 */
export async function exchange(
  server: TestServer,
  bytes: string | Buffer | (string | Buffer)[],
  { end = false, writeFirst = false, deadline = 5_000 }: ExchangeOptions = {},
): Promise<Answer[]> {
  const socket = openSocket(server);
  const received: Buffer[] = [];
  const closed = new Promise<boolean>((resolve) => {
    // A reset closes the connection too. Bytes received before still count.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(true));
    setTimeout(() => resolve(false), deadline).unref();
  });
  const parts = [bytes].flat().map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part));
  const written = new Promise<unknown>((resolve) => socket.write(Buffer.concat(parts), resolve));
  if (writeFirst) await written;
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  if (end) socket.end();
  const wasClosed = await closed;
  socket.destroy();
  const text = Buffer.concat(received).toString("latin1");
  if (!wasClosed) throw new Error(`The connection is still open; so far ${JSON.stringify(text.slice(0, 500))}`);
  return parseAnswers(text);
}

/** @throws Error when there is an incomplete answer */
function parseAnswers(text: string): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
    if (end < 0 || status === undefined) throw new Error(`Not an answer: ${JSON.stringify(rest.slice(0, 500))}`);
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    const body = readBody(headers, rest.slice(end + 4));
    rest = body.rest;
    const json = body.text === "" ? undefined : (JSON.parse(body.text) as unknown);
    if (!status.startsWith("1")) answers.push({ status: Number(status), headers, text: body.text, json });
  }
  return answers;
}

function readBody(headers: Headers, bytes: string): { text: string; rest: string } {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes);
  const length = Number(headers.get("content-length") ?? "0");
  if (bytes.length < length) throw new Error(`An answer was cut short: ${JSON.stringify(bytes.slice(0, 500))}`);
  return { text: Buffer.from(bytes.slice(0, length), "latin1").toString(), rest: bytes.slice(length) };
}

function readChunks(bytes: string): { text: string; rest: string } {
  let body = "";
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.slice(0, end), 16);
    body += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + 2 + size + 2);
    if (size === 0) return { text: Buffer.from(body, "latin1").toString(), rest };
  }
}
