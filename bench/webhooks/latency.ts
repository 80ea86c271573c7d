import pg from "pg";
import { settle } from "../open-database.ts";
import { quantileOf, type Figures, type Measurement } from "../report.ts";
import { playRounds, WARM_UP_ROUNDS } from "../rounds.ts";
import { makeEndpoints, type BenchEndpoint } from "./endpoints.ts";
import { startHelper, type Helper } from "../helper.ts";
import type { Stage } from "./stage.ts";
import type { Pace, WriterCommands } from "./writer.ts";

const ENDPOINTS = 10;
const EVENTS_PER_SECOND = 200;

/**
 * Measures the time from an event to its delivery, compared with a process that posts its events itself after the
 * commit.
 */
export async function* measureLatency(stage: Stage): AsyncGenerator<Measurement> {
  const writer = await startHelper<WriterCommands>("webhooks/writer", stage.env);
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

/** Milliseconds from the start of a commit to the first byte at the receiver. @throws when an event does not arrive */
export async function timeEvents(
  stage: Stage,
  writer: Helper<WriterCommands>,
  endpoints: BenchEndpoint[],
  pace: Pace,
): Promise<Figures> {
  await stage.receiver.ask("take");
  const committing = await writer.ask("write", endpoints, pace);
  await stage.receiver.ask("expect", committing.length);
  const arrivals = new Map(await stage.receiver.ask("take"));
  const names = pace.posts ? new Map(committing.map(([id]) => [id, id])) : await eventsOf(stage, committing);
  const latencies = committing.map(([productId, at]) => arrivals.get(names.get(productId)!)! - at);
  const quantile = quantileOf(latencies);
  return { p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) };
}

/** The events of the products. */
async function eventsOf(stage: Stage, committing: [string, number][]): Promise<Map<string, string>> {
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
