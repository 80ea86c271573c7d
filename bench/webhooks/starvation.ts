import { operator } from "../../src/core/access/actor.ts";
import { deleteWebhookEndpoint } from "../../src/core/webhooks/endpoints/delete-webhook-endpoint.ts";
import { settle } from "../open-database.ts";
import type { Measurement } from "../report.ts";
import { playRounds, WARM_UP_ROUNDS } from "../rounds.ts";
import { commitBacklog, makeDeliveries, untilHeardOf } from "./backlog.ts";
import { makeEndpoint, makeEndpoints } from "./endpoints.ts";
import { startHelper } from "../helper.ts";
import { EVENTS_PER_SECOND, timeEvents } from "./latency.ts";
import { connect, type Stage } from "./stage.ts";
import type { WriterCommands } from "./writer.ts";

const HEALTHY = 10;
const WAITING = 10_000;
/** Shorter than the time-out of an attempt, so the endpoint is not known to hang yet. Seconds. */
const TURN = 9;

/** Measures the latency of other endpoints' events while one endpoint hangs with a large backlog. */
export async function* measureStarvation(stage: Stage): AsyncGenerator<Measurement> {
  const { app, receiver } = stage;
  const writer = await startHelper<WriterCommands>("webhooks/writer", { env: stage.env });
  const worker = await stage.startWorker();
  const client = await connect(stage, stage);
  const origins = await receiver.ask("listen", HEALTHY + 1);
  const healthy = await makeEndpoints(app, origins.slice(1));
  const pace = { perSecond: EVENTS_PER_SECOND, seconds: TURN, posts: false };
  const withoutIt = async () => {
    await settle(stage);
    return timeEvents(stage, writer, healthy, pace);
  };
  const withIt = async () => {
    await settle(stage);
    // In the same shop as healthy endpoints.
    const ill = await makeEndpoint(app, healthy[0]!.shopId, `${origins[0]}/hang`, "customer.created");
    await commitBacklog(client, makeDeliveries([ill], WAITING));
    await untilHeardOf(client);
    const latencies = await timeEvents(stage, writer, healthy, pace);
    await deleteWebhookEndpoint({ em: app.core.orm.em, shop: { id: ill.shopId }, actor: operator }, ill.id);
    const hung = await receiver.ask("release");
    if (hung === 0) throw new Error("Nothing hung");
    return latencies;
  };
  const sides = await playRounds(
    { ...stage, rounds: stage.settings.rounds, warmUp: WARM_UP_ROUNDS },
    { without: withoutIt, with: withIt },
  );
  await worker.stop();
  await writer.stop();
  yield { name: "starvation", title: `Events beside an endpoint that hangs with ${WAITING} waiting`, sides };
}
