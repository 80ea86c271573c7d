import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { clock, serve } from "../helper.ts";

// A merchant's receiver, which answers 204 at once.

/** When the first byte of each event arrived, by `webhook-id`. */
let arrivals = new Map<string, number>();
let expected: { count: number; resolve: (at: number) => void } | undefined;

function receive(request: IncomingMessage, response: ServerResponse): void {
  const id = request.headers["webhook-id"] as string;
  if (!arrivals.has(id)) arrivals.set(id, clock());
  request.resume().on("end", () => response.writeHead(204).end());
  if (arrivals.size === expected?.count) expected.resolve(clock());
}

const commands = {
  /** Each address is a separate origin. */
  listen: (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, listen)),
  /** Settles when this number of distinct events has arrived since the last `take`. */
  expect: (count: number): Promise<number> =>
    new Promise((resolve) => {
      expected = { count, resolve };
      if (arrivals.size >= count) resolve(clock());
    }),
  /** Returns the arrivals so far and clears them. */
  take: (): [string, number][] => {
    const taken = [...arrivals];
    arrivals = new Map();
    expected = undefined;
    return taken;
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
