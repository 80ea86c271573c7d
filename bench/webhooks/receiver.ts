import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { clock, serve } from "../helper.ts";

// A merchant's receiver. It answers 204 at once, and does what it is asked for at other paths.

/** The wait before a slow answer. Milliseconds. */
const SLOW = 9_000;

/** When the first byte of each event arrived at `/hooks`, by `webhook-id`. */
let arrivals = new Map<string, number>();
let expected: { count: number; resolve: (at: number) => void } | undefined;

function receive(request: IncomingMessage, response: ServerResponse): void {
  const [behavior, status] = request.url!.slice(1).split("-");
  if (behavior !== "hooks") return void behave(request, response, behavior!, Number(status));
  const id = request.headers["webhook-id"] as string;
  if (!arrivals.has(id)) arrivals.set(id, clock());
  request.resume().on("end", () => response.writeHead(204).end());
  if (arrivals.size === expected?.count) expected.resolve(clock());
}

function behave(request: IncomingMessage, response: ServerResponse, behavior: string, status: number): void {
  if (behavior === "reset") return void request.socket.resetAndDestroy();
  request.resume();
  const answer = () => response.writeHead(status, { "retry-after": "3600", location: "/hooks" }).end();
  if (behavior === "answer") request.on("end", answer);
  if (behavior === "slow") setTimeout(answer, SLOW);
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
