import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { progress, settle } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { startHelper, clock, type Helper } from "../helper.ts";
import type { CrowdCommands } from "./crowd.ts";
import { makeCrowd, makeEndpoints, type BenchEndpoint } from "./endpoints.ts";
import { eventsOf, summarize, timeEvents, type Latencies } from "./latency.ts";
import type { ReceiverCommands } from "./receiver.ts";
import type { Behaviour, CrowdSize } from "./settings.ts";
import { connect, type Stage } from "./stage.ts";
import type { WriterCommands } from "./writer.ts";

/** The rate of the calm shop. */
const EVENTS_PER_SECOND = 20;
/** The warm-up with the calm shop alone, because a new worker is slow. Seconds. */
const WARM_UP = 5;
/** How long after the last commit its event is awaited. Milliseconds. */
const PATIENCE = 10_000;
/** The ports that slow endpoints share. Each allows some thousand connections. */
const PORTS = 40;
const MB = 2 ** 20;

/** Seconds between events of an endpoint, and the maximum p99 of the calm shop. */
const crowds: Record<CrowdSize, { period: number; aim: number }> = {
  250: { period: 2, aim: 300 },
  2000: { period: 20, aim: 600 },
};
const MEMORY_AIM = 100;

const descriptions: Record<Behaviour, string> = {
  slow: "answer 200 after 9 s",
  hang: "never answer",
  fail: "answer 500 at once",
};

interface Case {
  size: CrowdSize;
  behaviour: Behaviour;
}

/** The processes shared by all cases. */
interface Processes {
  client: pg.Client;
  writer: Helper<WriterCommands>;
  crowd: Helper<CrowdCommands>;
  slowReceiver: Helper<ReceiverCommands>;
  slowOrigins: string[];
}

interface Result extends Latencies {
  /** Events that did not arrive in time. Their latency is the time-out. */
  missing: number;
  /** The worker's resident memory, in MB. */
  megabytesBefore: number;
  megabytesAtPeak: number;
  /** The number of attempts at slow receivers. */
  attempts: number;
  mostAtOnce: number;
}

/** Measures the latency of a calm shop's events while many endpoints have slow receivers, from their first event. */
export async function* measureSlowReceivers(stage: Stage): AsyncGenerator<Measurement> {
  const slowReceiver = await startHelper<ReceiverCommands>("webhooks/receiver");
  const processes = {
    client: await connect(stage, stage),
    writer: await startHelper<WriterCommands>("webhooks/writer", { env: stage.env }),
    crowd: await startHelper<CrowdCommands>("webhooks/crowd", { env: stage.env }),
    slowReceiver,
    slowOrigins: await slowReceiver.ask("listen", PORTS),
  };
  const { crowds: sizes, behaviours } = stage.settings;
  const cases = sizes.flatMap((size) => behaviours.map((behaviour) => ({ size, behaviour })));
  const alone = [await measureCase(stage, processes, undefined)];
  for (const one of cases) {
    stage.interruption.throwIfAborted();
    const sides = { alone, beside: [await measureCase(stage, processes, one)] };
    const { aim } = crowds[one.size];
    const title = `Events of a calm shop ${nameOf(one)} (aims: p99 ≤ ${aim} ms, ${MEMORY_AIM} MB for 1,000)`;
    yield { name: `slow/${one.size}-${one.behaviour}`, title, sides };
  }
  await clear(processes.client);
  await Promise.all([processes.writer, processes.crowd, slowReceiver].map(({ stop }) => stop()));
}

async function measureCase(stage: Stage, processes: Processes, crowd: Case | undefined): Promise<Result> {
  const { client, writer, slowReceiver } = processes;
  await clear(client);
  const [calm] = await makeEndpoints(stage.app, await stage.receiver.ask("listen", 1));
  const slow = crowd ? await makeCrowd(stage.app, urlsOf(crowd, processes.slowOrigins)) : [];
  await settle(stage);
  const worker = await stage.startWorker();
  await timeEvents(stage, writer, [calm!], { perSecond: EVENTS_PER_SECOND, seconds: WARM_UP, posts: false });
  const { now: before } = await worker.ask("takeMemory");
  await slowReceiver.ask("countMisbehaved");
  const [committed, latencies] = await Promise.all([
    crowd ? commitCrowd(stage, processes, crowd, slow) : 0,
    timeCalm(stage, writer, calm!),
  ]);
  const { peak } = await worker.ask("takeMemory");
  const { total: attempts, mostAtOnce } = await slowReceiver.ask("countMisbehaved");
  await worker.stop();
  if (crowd && attempts === 0) throw new Error("Nothing was sent to the slow receivers");
  progress(`  ${nameOf(crowd)}: p50 ${latencies.p50.toFixed(1)}, p99 ${latencies.p99.toFixed(1)} ms`);
  progress(`    ${committed} events of the crowd, ${attempts} attempts, at most ${mostAtOnce} at once`);
  return { ...latencies, megabytesBefore: before / MB, megabytesAtPeak: peak / MB, attempts, mostAtOnce };
}

/** Removes earlier endpoints, deliveries and jobs. */
async function clear(client: pg.Client): Promise<void> {
  await client.query(
    `truncate webhook_endpoints, events, deliveries, outstanding_deliveries, delivery_attempts, hourly_attempts,
      graphile_worker._private_jobs`,
  );
}

function urlsOf({ size, behaviour }: Case, origins: string[]): string[] {
  return Array.from({ length: Number(size) }, (_, index) => {
    return `${origins[index % origins.length]}/${behaviour}/${index}`;
  });
}

function commitCrowd(stage: Stage, { crowd }: Processes, { size }: Case, slow: BenchEndpoint[]): Promise<number> {
  const perSecond = slow.length / crowds[size].period;
  return crowd.ask("commit", slow, { perSecond, seconds: stage.settings.slowSeconds });
}

async function timeCalm(
  stage: Stage,
  writer: Helper<WriterCommands>,
  calm: BenchEndpoint,
): Promise<Latencies & Pick<Result, "missing">> {
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: stage.settings.slowSeconds, posts: false };
  const committing = await writer.ask("write", [calm], pace);
  await Promise.race([stage.receiver.ask("expect", committing.length), wait(PATIENCE)]);
  const now = clock();
  const arrivals = new Map(await stage.receiver.ask("take"));
  const events = await eventsOf(stage, committing);
  const arrivedAt = committing.map(([productId]) => arrivals.get(events.get(productId)!));
  const latencies = committing.map(([, at], index) => (arrivedAt[index] ?? now) - at);
  return { ...summarize(latencies), missing: arrivedAt.filter((at) => at === undefined).length };
}

function nameOf(crowd: Case | undefined): string {
  return crowd ? `beside ${crowd.size} that ${descriptions[crowd.behaviour]}` : "alone";
}
