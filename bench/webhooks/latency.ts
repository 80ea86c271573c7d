import pg from "pg";
import { settle } from "../open-database.ts";
import type { Figures, Measurement } from "../report.ts";
import { playRounds, WARM_UP_ROUNDS } from "../rounds.ts";
import { makeEndpoints, type BenchEndpoint } from "./endpoints.ts";
import { startHelper, type Helper } from "../helper.ts";
import { quantile } from "./figures.ts";
import type { Stage } from "./stage.ts";
import type { Pace, WriterCommands } from "./writer.ts";

const ENDPOINTS = 10;
export const EVENTS_PER_SECOND = 200;

/** Milliseconds from the start of the commit to the first byte at the receiver. */
export interface Latencies extends Figures {
  p50: number;
  p99: number;
  max: number;
}

/**
 * Measures the time from an event to its delivery, compared with a process that posts its events itself after the
 * commit.
 */
export async function* measureLatency(stage: Stage): AsyncGenerator<Measurement> {
  const writer = await startHelper<WriterCommands>("webhooks/writer", { env: stage.env });
  const worker = await stage.startWorker();
  const endpoints = await makeEndpoints(stage.app, await stage.receiver.ask("listen", ENDPOINTS));
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: stage.settings.seconds };
  // No endpoint subscribes when the writer posts, so its events are only rows.
  const unheard = endpoints.map((endpoint) => ({ ...endpoint, topic: "order.paid" as const }));
  const takeTurn = async (subscribers: BenchEndpoint[], posts: boolean) => {
    await settle(stage);
    return timeEvents(stage, writer, subscribers, { ...pace, posts });
  };
  const sides = await playRounds(
    { ...stage, rounds: stage.settings.rounds, warmUp: WARM_UP_ROUNDS },
    { "posts its own events": () => takeTurn(unheard, true), ours: () => takeTurn(endpoints, false) },
  );
  await worker.stop();
  await writer.stop();
  yield { name: "latency", title: `Commit → first byte, ${EVENTS_PER_SECOND} events/s`, sides };
}

/** @throws when an event does not arrive */
export async function timeEvents(
  stage: Stage,
  writer: Helper<WriterCommands>,
  endpoints: BenchEndpoint[],
  pace: Pace,
): Promise<Latencies> {
  await stage.receiver.ask("take");
  const committing = await writer.ask("write", endpoints, pace);
  await stage.receiver.ask("expect", committing.length + (pace.beside ?? 0));
  const arrivals = new Map(await stage.receiver.ask("take"));
  const names = pace.posts ? new Map(committing.map(([id]) => [id, id])) : await eventsOf(stage, committing);
  return summarize(committing.map(([productId, at]) => arrivals.get(names.get(productId)!)! - at));
}

export function summarize(latencies: number[]): Latencies {
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), max: Math.max(...latencies) };
}

/** The events of the products. */
export async function eventsOf(stage: Stage, committing: [string, number][]): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ product: string; id: string }>(
    `select posted.product, events.id from events cross join lateral (select body::json -> 'data' ->> 'productId' as product) posted
    where posted.product = any($1)`,
    [committing.map(([productId]) => productId)],
  );
  await client.end();
  return new Map(rows.map(({ product, id }) => [product, id]));
}
