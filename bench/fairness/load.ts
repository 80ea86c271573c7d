import autocannon from "autocannon";
import { serve } from "../helper.ts";

/** The requests that one client offers. */
export interface Load {
  url: string;
  requests: { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string }[];
  connections: number;
  /** Requests a second in all; as many as are answered when undefined. */
  rate?: number;
  seconds: number;
}

/** The answers of one status. Latencies in milliseconds. */
export interface Answers {
  count: number;
  p50: number;
  p99: number;
}

export interface LoadResult {
  /** By status; "error" where no answer came. */
  answers: Record<string, Answers>;
  seconds: number;
}

export type LoadCommands = typeof commands;

const commands = { offer };

async function offer(load: Load): Promise<LoadResult> {
  const latencies = new Map<string, number[]>();
  const run = autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    ...(load.rate !== undefined && { overallRate: load.rate }),
    timeout: 20,
    sampleInt: 100,
    // `{n}` is a number that no other request has.
    requests: load.requests.map(({ body, ...request }) => ({
      ...request,
      ...(body !== undefined && { setupRequest: (sent) => ({ ...sent, body: body.replaceAll("{n}", nextNumber()) }) }),
    })),
  });
  (run as unknown as autocannon.Instance).on("response", (_client, status, _bytes, latency) => {
    const known = latencies.get(String(status));
    if (known) known.push(latency);
    else latencies.set(String(status), [latency]);
  });
  const { errors, duration } = await run;
  const answers = Object.fromEntries([...latencies].map(([status, values]) => [status, describe(values)]));
  return {
    answers: { ...answers, ...(errors > 0 && { error: { count: errors, p50: 0, p99: 0 } }) },
    seconds: duration,
  };
}

function describe(latencies: number[]): Answers {
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  return { count: sorted.length, p50: quantile(0.5), p99: quantile(0.99) };
}

let number = 0;

function nextNumber(): string {
  number += 1;
  return `${process.pid}-${number}`;
}

serve(commands);
