import type pg from "pg";
import { progress, settle } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { playRounds, WARM_UP_ROUNDS } from "../rounds.ts";
import { commitBacklog, untilDelivered, makeDeliveries } from "./backlog.ts";
import { makeEndpoints, makeManyEndpoints, type BenchEndpoint } from "./endpoints.ts";
import { clock, startHelper } from "../helper.ts";
import type { LoopCommands } from "./loop.ts";
import { connect, type Stage } from "./stage.ts";

// The loop's concurrency: for one endpoint the worker's, for a hundred the fastest.
const scenarios = [
  { endpoints: 1, concurrency: 20 },
  { endpoints: 100, concurrency: 100 },
  { endpoints: 10_000, concurrency: 100 },
];
/** More endpoints than this share one address. */
const MAX_ADDRESSES = 100;

/**
 * Measures the rate of delivering a backlog: from its commit until each delivery has its attempt stored and no job is
 * left. The worker runs before and after.
 */
export async function* measureThroughput(stage: Stage): AsyncGenerator<Measurement> {
  const { settings } = stage;
  const perSecond = (milliseconds: number) => (settings.deliveries / milliseconds) * 1_000;
  const loop = await startHelper<LoopCommands>("webhooks/loop");
  const client = await connect(stage);
  const worker = await stage.startWorker();
  for (const { endpoints: count, concurrency } of scenarios) {
    const addresses = await stage.receiver.ask("listen", count > MAX_ADDRESSES ? 1 : count);
    const endpoints =
      count > MAX_ADDRESSES
        ? await makeManyEndpoints(stage.app, client, `${addresses[0]}/hooks`, count)
        : await makeEndpoints(stage.app, addresses);
    const sides = await playRounds(
      { ...stage, rounds: settings.rounds, warmUp: WARM_UP_ROUNDS },
      {
        loop: async () => {
          await loop.ask("load", makeDeliveries(endpoints, settings.deliveries));
          const milliseconds = await loop.ask("run", concurrency);
          await stage.receiver.ask("take");
          return { perSecond: perSecond(milliseconds) };
        },
        ours: async () => {
          await settle(stage);
          return { perSecond: perSecond(await deliver(stage, client, endpoints)) };
        },
      },
    );
    const name = count === 1 ? "one endpoint" : `${count.toLocaleString("en")} endpoints`;
    yield { name: `throughput/${count}`, title: `Deliveries to ${name}`, sides };
  }
  await worker.stop();
  await loop.stop();
}

async function deliver(stage: Stage, client: pg.Client, endpoints: BenchEndpoint[]): Promise<number> {
  const deliveries = makeDeliveries(endpoints, stage.settings.deliveries);
  const committedAt = await commitBacklog(client, deliveries);
  const all = await stage.receiver.ask("expect", deliveries.length);
  await untilDelivered(client, endpoints);
  const took = clock() - committedAt;
  progress(`    last arrival after ${(all - committedAt).toFixed(0)} ms, all done after ${took.toFixed(0)} ms`);
  await stage.receiver.ask("take");
  const { rows } = await client.query(
    `select count(*)::int as delivered, count(delivery_attempts.id)::int as attempts
    from delivery_states delivery
    join delivery_attempts on (delivery_attempts.shop_id, delivery_id) = (delivery.shop_id, delivery.id)
    where status = 'SUCCEEDED' and delivery.id = any($1)`,
    [deliveries.map(({ id }) => id)],
  );
  const [{ delivered, attempts }] = rows;
  if (delivered !== deliveries.length || attempts !== deliveries.length) throw new Error(JSON.stringify(rows));
  return took;
}
