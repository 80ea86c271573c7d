import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clock, serve } from "../helper.ts";

// A merchant's receiver: answers 204 at once, except below /hang, where it never answers.

/** The arrival of the first byte of each event, by `webhook-id`. */
let arrivals = new Map<string, number>();
let expected: { count: number; resolve: (at: number) => void } | undefined;
const hanging = new Set<Socket>();

function receive(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (request.url!.startsWith("/hang")) return void hanging.add(request.socket);
  const id = request.headers["webhook-id"] as string;
  if (!arrivals.has(id)) arrivals.set(id, clock());
  request.on("end", () => response.writeHead(204).end());
  if (arrivals.size === expected?.count) expected.resolve(clock());
}

const commands = {
  /** Each of the addresses is an origin of its own. */
  listen: (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, listen)),
  /** Settles when so many different events have come since the last call of `take`. */
  expect: (count: number): Promise<number> =>
    new Promise((resolve) => {
      expected = { count, resolve };
      if (arrivals.size >= count) resolve(clock());
    }),
  /** Answers the arrivals so far, and forgets them. */
  take: (): [string, number][] => {
    const taken = [...arrivals];
    arrivals = new Map();
    expected = undefined;
    return taken;
  },
  /** Ends the requests that hang. */
  release: (): number => {
    const { size } = hanging;
    for (const socket of hanging) socket.destroy();
    hanging.clear();
    return size;
  },
};
export type ReceiverCommands = typeof commands;

function listen(): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, receive);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

serve(commands);
