import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clock, serve } from "../helper.ts";
import type { Behaviour } from "./settings.ts";

// A merchant's receiver: answers 204 at once, except below the path of a behaviour.

/** The time that a slow receiver takes: a second less than an attempt may. Milliseconds. */
const SLOW = 9_000;

/** The arrival of the first byte of each event, by `webhook-id`. */
let arrivals = new Map<string, number>();
let expected: { count: number; resolve: (at: number) => void } | undefined;
const hanging = new Set<Socket>();

const behaviours: Record<Behaviour, (request: IncomingMessage, response: ServerResponse) => void> = {
  slow: (_request, response) => void setTimeout(() => response.writeHead(200).end(), SLOW),
  hang: ({ socket }) => void hanging.add(socket),
  fail: (request, response) => void request.on("end", () => response.writeHead(500).end()),
};

/** The requests below those paths. */
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
  /** Counts the requests below the path of a behaviour, since the last call. */
  countMisbehaved: (): { total: number; mostAtOnce: number } => {
    const { total, underWay, mostAtOnce } = misbehaved;
    misbehaved = { total: 0, underWay, mostAtOnce: underWay };
    return { total, mostAtOnce };
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
