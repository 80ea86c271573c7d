import { settle } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { playRounds, WARM_UP_ROUNDS } from "../rounds.ts";
import { commitBacklog, makeDeliveries, untilDelivered } from "./backlog.ts";
import { makeEndpoints } from "./endpoints.ts";
import { startHelper } from "../helper.ts";
import { timeEvents } from "./latency.ts";
import { connect, type Stage } from "./stage.ts";
import type { WriterCommands } from "./writer.ts";

const BURST = 100_000;
/** Events in one transaction. */
const CHUNK = 10_000;
/** The rate of the other shop. */
const EVENTS_PER_SECOND = 20;

/** Measures the latency of a shop's events while another shop makes a hundred thousand at once. */
export async function* measureBurst(stage: Stage): AsyncGenerator<Measurement> {
  const { receiver, settings } = stage;
  const writer = await startHelper<WriterCommands>("webhooks/writer", { env: stage.env });
  const worker = await stage.startWorker();
  const client = await connect(stage, stage);
  // Three endpoints for each shop.
  const [busy, others] = [await listen(), await listen()];
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: settings.seconds, posts: false };
  const sides = await playRounds(
    { ...stage, rounds: settings.rounds, warmUp: WARM_UP_ROUNDS },
    {
      alone: async () => {
        await settle(stage);
        return timeEvents(stage, writer, others, pace);
      },
      beside: async () => {
        await settle(stage);
        const deliveries = makeDeliveries(busy, BURST);
        const timing = timeEvents(stage, writer, others, { ...pace, beside: BURST });
        for (let from = 0; from < BURST; from += CHUNK) {
          await commitBacklog(client, deliveries.slice(from, from + CHUNK));
        }
        const latencies = await timing;
        await untilDelivered(client, busy);
        return latencies;
      },
    },
  );
  await worker.stop();
  await writer.stop();
  yield { name: "burst", title: `Events of a shop while another makes ${BURST}`, sides };

  async function listen() {
    return makeEndpoints(stage.app, await receiver.ask("listen", 3));
  }
}
