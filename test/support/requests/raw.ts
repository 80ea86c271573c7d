import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Answer } from "../client.ts";
import { assertDocumented } from "./openapi-validator.ts";
import type { TestServer } from "../server.ts";

export interface RawOptions {
  /** Sent unchanged, one line each. Names may repeat. */
  headers?: [name: string, value: string][];
  body?: string | Buffer;
}

export interface RawAnswer extends Answer {
  /** The body as received. */
  bytes: Buffer;
}

/** Calls the REST API without what `fetch` adds or decodes, and checks the answer against the served document. */
export async function callRaw(
  server: TestServer,
  method: string,
  path: string,
  { headers = [], body }: RawOptions = {},
): Promise<RawAnswer> {
  const lines = [["Host", new URL(server.url).host], ["Connection", "close"], ...headers];
  if (body !== undefined) lines.push(["Content-Length", String(Buffer.byteLength(body))]);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${server.url}/api/v1${path}`, { method, headers: lines.flat(), agent: false }, resolve);
    sent.on("error", reject);
    sent.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const received = readHeaders(response);
  const text = decode(bytes, received.get("content-encoding")).toString();
  const json = text === "" ? undefined : JSON.parse(text);
  const answer = { status: response.statusCode!, headers: received, text, json, bytes };
  await assertDocumented(server, method, path, answer);
  return answer;
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  return headers;
}

function decode(bytes: Buffer, encoding: string | null): Buffer {
  if (bytes.length === 0 || encoding === null) return bytes;
  return encoding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}

/** Sends bytes over a plain socket and returns everything received until the server closes it. */
export async function sendBytes(server: TestServer, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write(bytes, "latin1");
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
