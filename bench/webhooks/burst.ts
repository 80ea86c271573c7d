import { commitBacklog, makeDeliveries, untilDelivered } from "./backlog.ts";
import { makeEndpoints } from "./endpoints.ts";
import { startHelper } from "../helper.ts";
import { describeLatencies, timeEvents } from "./latency.ts";
import { playRounds, WARM_UP_ROUNDS } from "./rounds.ts";
import { connect, settle, type Stage } from "./stage.ts";
import type { WriterCommands } from "./writer.ts";

const BURST = 100_000;
/** Events in one transaction. */
const CHUNK = 10_000;
/** The rate of the other shop. */
const EVENTS_PER_SECOND = 20;

/** Measures the latency of a shop's events while another shop makes a hundred thousand at once. */
export async function measureBurst(stage: Stage): Promise<Record<string, string>[]> {
  const { receiver, settings } = stage;
  const writer = await startHelper<WriterCommands>("webhooks/writer", { env: stage.env });
  const worker = await stage.startWorker();
  const client = await connect(stage, stage);
  // Three endpoints for each shop.
  const [busy, others] = [await listen(), await listen()];
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: settings.seconds, posts: false };
  const rounds = await playRounds(
    { ...stage, warmUp: WARM_UP_ROUNDS, unit: "ms (p50, p99, max)" },
    {
      baseline: async () => {
        await settle(stage);
        return timeEvents(stage, writer, others, pace);
      },
      ours: async () => {
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
  return [
    { "events of a shop, ms": "alone", ...describeLatencies(rounds.baseline) },
    { "events of a shop, ms": "while another makes 100,000", ...describeLatencies(rounds.ours) },
  ];

  async function listen() {
    return makeEndpoints(stage.app, await receiver.ask("listen", 3));
  }
}
