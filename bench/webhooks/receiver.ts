import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clock, serve } from "../helper.ts";
import type { Behaviour } from "./settings.ts";

// A merchant's receiver, which answers 204 at once, except below the path of a behaviour.

/** The delay of a slow receiver: a second less than the time-out of an attempt. Milliseconds. */
const SLOW = 9_000;

/** When the first byte of each event arrived, by `webhook-id`. */
let arrivals = new Map<string, number>();
let expected: { count: number; resolve: (at: number) => void } | undefined;
const hanging = new Set<Socket>();

const behaviours: Record<Behaviour, (request: IncomingMessage, response: ServerResponse) => void> = {
  slow: (_request, response) => void setTimeout(() => response.writeHead(200).end(), SLOW),
  hang: ({ socket }) => void hanging.add(socket),
  fail: (request, response) => void request.on("end", () => response.writeHead(500).end()),
};

/** The number of requests below those paths. */
let misbehaved = { total: 0, underWay: 0, mostAtOnce: 0 };

function misbehave(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  misbehaved.total += 1;
  misbehaved.underWay += 1;
  misbehaved.mostAtOnce = Math.max(misbehaved.mostAtOnce, misbehaved.underWay);
  response.on("close", () => (misbehaved.underWay -= 1));
  behaviours[behaviour](request, response);
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const behaviour = request.url!.split("/", 2)[1] as Behaviour;
  if (Object.hasOwn(behaviours, behaviour)) return misbehave(behaviour, request, response);
  const id = request.headers["webhook-id"] as string;
  if (!arrivals.has(id)) arrivals.set(id, clock());
  request.on("end", () => response.writeHead(204).end());
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
  /** Returns the number of requests below a behaviour's path since the last call. */
  countMisbehaved: (): { total: number; mostAtOnce: number } => {
    const { total, underWay, mostAtOnce } = misbehaved;
    misbehaved = { total: 0, underWay, mostAtOnce: underWay };
    return { total, mostAtOnce };
  },
  /** Ends hanging requests. */
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
