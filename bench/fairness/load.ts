import { spawnSync } from "node:child_process";
import { Agent, request as sendRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { serve } from "../helper.ts";
import { quantileOf } from "../report.ts";
import { WARM_UP } from "../constants.ts";

/** The requests that one client offers. */
export interface Load {
  url: string;
  requests: { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string }[];
  connections: number;
  /** The address to send from, if not the system's choice. */
  localAddress?: string;
  /** Requests a second in total, evenly spaced. When undefined, each follows an answer. */
  rate?: number;
  seconds: number;
}

/** Answers with one status. Latencies in milliseconds. */
export interface Answers {
  count: number;
  p50: number;
  p99: number;
}

export interface LoadResult {
  /** By status; "error" where no answer came. */
  answers: Record<string, Answers>;
  /** Successful requests a second before the end. */
  succeeded: number;
}

export type LoadCommands = typeof commands;

const commands = { offer, dawdle, goFirst, goLast };

/** Connections that send a body at a byte a second, and neither read nor close. Ended ones are opened again. */
export interface SlowClients {
  url: string;
  addresses: string[];
  /** The first bytes of each connection, in turns. */
  heads: string[];
  connections: number;
  seconds: number;
}

/** Returns the number of connections that the server ended. */
async function dawdle({ url, addresses, heads, connections, seconds }: SlowClients): Promise<number> {
  const port = Number(new URL(url).port);
  const stopped = new AbortController();
  let ended = 0;
  const open = (index: number) => {
    if (stopped.signal.aborted) return;
    const socket = connect({ port, host: "127.0.0.1", localAddress: addresses[index % addresses.length]! });
    const drip = setInterval(() => socket.write(" "), 1_000);
    stopped.signal.addEventListener("abort", () => socket.destroy());
    socket.on("error", () => undefined).write(heads[index % heads.length]!);
    socket.once("close", () => {
      clearInterval(drip);
      if (!stopped.signal.aborted) ended += 1;
      // A refused connection must not become a flood.
      setTimeout(() => open(index), 1_000);
    });
  };
  for (let index = 0; index < connections; index += 1) open(index);
  await wait(WARM_UP + seconds * 1_000);
  stopped.abort();
  return ended;
}

/** Gives this process the highest priority on the processors. Returns whether the system allows it. */
function goFirst(): boolean {
  return schedule("--fifo", "1");
}

/** Gives this process the lowest priority on the processors. Returns whether the system allows it. */
function goLast(): boolean {
  return schedule("--idle", "0");
}

function schedule(policy: string, priority: string): boolean {
  return spawnSync("chrt", [policy, "--all-tasks", "--pid", priority, String(process.pid)]).status === 0;
}

/**
 * Sends a load with node:http. Autocannon, which the other benchmarks use, sends all requests of a second at its
 * beginning, so every load would arrive in bursts.
 */
async function offer(load: Load): Promise<LoadResult> {
  const { connections, localAddress } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...(localAddress && { localAddress }) });
  const latencies = new Map<string, number[]>();
  const beginning = performance.now() + WARM_UP;
  const end = beginning + load.seconds * 1_000;
  let count = 0;
  let succeeded = 0;
  const ask = async (dueAt: number) => {
    const status = await send(load, count++, agent).catch(() => "error");
    if (dueAt < beginning) return;
    const now = performance.now();
    const known = latencies.get(status) ?? [];
    latencies.set(status, known);
    known.push(now - dueAt);
    if (status.startsWith("2") && now < end) succeeded += 1;
  };
  await (load.rate === undefined ? askAsAnswered(connections, end, ask) : askEvenly(load.rate, end, ask));
  agent.destroy();
  const answers = Object.fromEntries([...latencies].map(([status, values]) => [status, describe(values)]));
  return { answers, succeeded: succeeded / load.seconds };
}

async function askAsAnswered(connections: number, end: number, ask: (dueAt: number) => Promise<void>): Promise<void> {
  const work = async () => {
    while (performance.now() < end) await ask(performance.now());
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** Measures latencies from when a request is due, even if it is sent late. */
async function askEvenly(rate: number, end: number, ask: (dueAt: number) => Promise<void>): Promise<void> {
  const asked: Promise<void>[] = [];
  for (let dueAt = performance.now(); dueAt < end; dueAt += 1_000 / rate) {
    const early = dueAt - performance.now();
    if (early > 1) await wait(early);
    asked.push(ask(dueAt));
  }
  await Promise.all(asked);
}

/** Reads the whole answer and returns its status. */
async function send({ url, requests }: Load, number: number, agent: Agent): Promise<string> {
  const { path, body, ...options } = requests[number % requests.length]!;
  const answered = Promise.withResolvers<string>();
  const sent = sendRequest(new URL(path, url), { ...options, agent, timeout: 20_000 }, (response) => {
    text(response).then(() => answered.resolve(String(response.statusCode)), answered.reject);
  });
  sent.once("timeout", () => sent.destroy()).once("error", answered.reject);
  // `{n}` is replaced by a number unique to the request.
  sent.end(body?.replaceAll("{n}", `${process.pid}-${number}-${Date.now()}`));
  return answered.promise;
}

function describe(latencies: number[]): Answers {
  const quantile = quantileOf(latencies);
  return { count: latencies.length, p50: quantile(0.5), p99: quantile(0.99) };
}

serve(commands);
