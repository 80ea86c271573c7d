import type pg from "pg";
import { startHelper } from "../helper.ts";
import { settle } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { WARM_UP_ROUNDS } from "../rounds.ts";
import { makeCrowd } from "./endpoints.ts";
import type { LoopCommands } from "./loop.ts";
import { connect, type Stage } from "./stage.ts";
import { raceLoop } from "./throughput.ts";

const CONCURRENCY = 100;
/** The number of origins of the endpoints. Both sides connect to each, so file descriptors limit it. */
const ORIGINS = 2_500;
/** The number of jobs that leave empty pages. */
const JOBS = 10_000;
const AIM = 0.2;

/**
 * Measures the rate for one event to each of many endpoints, all in one transaction. In half of the rounds,
 * PostgreSQL's statistics show an empty table of jobs, as after a vacuum that could not free the pages of a burst.
 */
export async function* measureFan(stage: Stage): AsyncGenerator<Measurement> {
  const { settings } = stage;
  const origins = await stage.receiver.ask("listen", ORIGINS);
  const urls = Array.from({ length: settings.deliveries }, (_, index) => `${origins[index % ORIGINS]}/hooks/${index}`);
  const endpoints = await makeCrowd(stage.app, urls);
  const loop = await startHelper<LoopCommands>("webhooks/loop");
  const client = await connect(stage, stage);
  const worker = await stage.startWorker();
  const rounds = Math.ceil(settings.fanRounds / 2);
  const race = (warmUp: number, prepare: () => Promise<void>) =>
    raceLoop({ ...stage, loop, client, rounds, warmUp }, { endpoints, concurrency: CONCURRENCY, prepare });
  const settled = await race(WARM_UP_ROUNDS, () => settle(stage));
  const misled = await race(0, async () => {
    await settle(stage);
    await misleadPlanner(client);
  });
  await worker.stop();
  await loop.stop();
  const title = `An event at each of ${settings.deliveries} endpoints (aim: ratio ≥ ${AIM})`;
  yield { name: "fan/as-analysed", title: `${title}, jobs as analysed`, sides: settled };
  yield { name: "fan/misled", title: `${title}, no jobs but pages of them`, sides: misled };
}

/** Leaves empty pages in the table of jobs, and matching statistics. */
async function misleadPlanner(client: pg.Client): Promise<void> {
  await client.query("begin");
  await client.query(
    `select graphile_worker.add_jobs(array(
      select row('send-webhooks', '{}', null, now() + interval '1 day', null, null, null, null)::graphile_worker.job_spec
      from generate_series(1, $1)
    ))`,
    [JOBS],
  );
  await client.query("delete from graphile_worker._private_jobs where run_at > now() + interval '1 hour'");
  await client.query("commit");
  await client.query("vacuum (truncate false) graphile_worker._private_jobs");
  const { rows } = await client.query(
    "select relpages, reltuples from pg_class where oid = 'graphile_worker._private_jobs'::regclass",
  );
  if (rows[0].relpages === 0 || rows[0].reltuples !== 0)
    throw new Error(`The statistics are ${JSON.stringify(rows[0])}`);
}
