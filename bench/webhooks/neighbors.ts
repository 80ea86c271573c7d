import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { settle } from "../open-database.ts";
import { startHelper } from "../helper.ts";
import type { Measurement } from "../report.ts";
import { playRounds } from "../rounds.ts";
import { commitBacklog, makeDeliveries } from "./backlog.ts";
import { makeEndpoints, makeManyEndpoints, type BenchEndpoint } from "./endpoints.ts";
import { timeEvents } from "./latency.ts";
import { connect, type Stage } from "./stage.ts";
import type { WriterCommands } from "./writer.ts";

const CALM = 50;
const EVENTS_PER_SECOND = 40;
/** Rows of one statement, which has a bounded size. */
const CHUNK = 20_000;

interface Load {
  endpoints: number;
  /** What the receiver does: see `behave`. */
  path: string;
  scheme?: "https";
  /** Deliveries that are due before the worker starts, since committing them takes seconds. */
  backlog?: number;
  /** Deliveries that become due as the turn begins. */
  due?: number;
  /** Deliveries that become due each second. */
  perSecond?: number;
}

const loads: Record<string, Load> = {
  "10,000 endpoints, all due": { endpoints: 10_000, path: "answer-204", due: 10_000 },
  "10,000 endpoints, 500 a second": { endpoints: 10_000, path: "answer-204", perSecond: 500 },
  "200,000 due at one endpoint": { endpoints: 1, path: "answer-204", backlog: 200_000 },
  "200,000 due at 25 endpoints of a shop": { endpoints: 25, path: "answer-204", backlog: 200_000 },
  "250 slow receivers": { endpoints: 250, path: "slow-204", due: 5_000, perSecond: 250 },
  "250 hanging receivers": { endpoints: 250, path: "hang", due: 5_000, perSecond: 250 },
  "410 of 1,000": { endpoints: 1_000, path: "answer-410", perSecond: 300 },
  "429 of 1,000": { endpoints: 1_000, path: "answer-429", perSecond: 300 },
  "503 of 1,000": { endpoints: 1_000, path: "answer-503", perSecond: 300 },
  "301 of 1,000": { endpoints: 1_000, path: "answer-301", perSecond: 300 },
  "resets of 1,000": { endpoints: 1_000, path: "reset", perSecond: 300 },
  "failing TLS of 1,000": { endpoints: 1_000, path: "answer-204", scheme: "https", perSecond: 300 },
};

/** Measures the deliveries of calm shops alone, beside others, and after they became quiet. */
export async function* measureNeighbors(stage: Stage): AsyncGenerator<Measurement> {
  const writer = await startHelper<WriterCommands>("webhooks/writer", stage.env);
  const client = await connect(stage);
  const calm = await makeEndpoints(stage.app, await stage.receiver.ask("listen", CALM));
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: stage.settings.seconds, posts: false };
  const [address] = await stage.receiver.ask("listen", 1);
  for (const [title, load] of Object.entries(loads).filter(([name]) => name.includes(stage.settings.load))) {
    const url = address!.replace("http", load.scheme ?? "http");
    // Each turn has new endpoints, and a new worker, because the states of earlier ones last.
    const takeTurn = async (perTurn?: Load) => {
      const endpoints = perTurn
        ? await makeManyEndpoints(stage.app, client, `${url}/${perTurn.path}`, perTurn.endpoints)
        : [];
      await commit(client, endpoints, perTurn?.backlog);
      const worker = await stage.startWorker();
      await settle(stage);
      // Connections and code are warm.
      await timeEvents(stage, writer, calm, { ...pace, seconds: 1 });
      const stopping = new AbortController();
      const loading = perTurn && play(client, endpoints, perTurn, stopping.signal);
      const figures = await timeEvents(stage, writer, calm, pace);
      stopping.abort();
      await loading;
      const after = await timeEvents(stage, writer, calm, pace);
      await worker.stop();
      for (const table of ["outstanding_deliveries", "graphile_worker._private_jobs"])
        await client.query(`truncate ${table}`);
      return { ...figures, "p50 after": after.p50!, "p99 after": after.p99! };
    };
    const { rounds } = stage.settings;
    const sides = await playRounds(
      { ...stage, rounds, warmUp: 0 },
      { alone: () => takeTurn(), beside: () => takeTurn(load) },
    );
    yield { name: `neighbors/${title}`, title: `Calm shops beside ${title}`, sides };
  }
  await writer.stop();
}

async function commit(client: pg.Client, endpoints: BenchEndpoint[], due = 0): Promise<void> {
  const deliveries = makeDeliveries(endpoints, due);
  for (let from = 0; from < due; from += CHUNK) await commitBacklog(client, deliveries.slice(from, from + CHUNK));
}

async function play(client: pg.Client, endpoints: BenchEndpoint[], load: Load, signal: AbortSignal): Promise<void> {
  const { due, perSecond = 0 } = load;
  await commit(client, endpoints, due);
  if (perSecond === 0) return;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const from = (turn * perSecond) % endpoints.length;
    const next = [...endpoints.slice(from), ...endpoints.slice(0, from)].slice(0, perSecond);
    await commitBacklog(client, makeDeliveries(next, perSecond));
    await wait(1_000, undefined, { signal }).catch(() => undefined);
  }
}
