import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { newId } from "../../src/core/model/ids.ts";
import { BUSY } from "../../src/core/webhooks/events/record-event.sql.ts";
import type { BenchEndpoint } from "./endpoints.ts";
import { clock } from "../helper.ts";

const POLL = 2;
/** Milliseconds. */
const PATIENCE = 60_000;

/** An event with its delivery to one endpoint. */
export interface BenchDelivery extends Omit<BenchEndpoint, "id"> {
  id: string;
  eventId: string;
  endpointId: string;
  body: string;
  createdAt: string;
  /** False when `recordEvent` would add none, because the endpoint is busy. */
  needsJob: boolean;
}

/** Makes events like those of `recordEvent`, one each millisecond until now, for the endpoints in turn. */
export function makeDeliveries(endpoints: BenchEndpoint[], count: number): BenchDelivery[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const { id: endpointId, ...endpoint } = endpoints[index % endpoints.length]!;
    const { shopId, topic } = endpoint;
    const eventId = newId("evt");
    const createdAt = new Date(now - count + index).toISOString();
    const data = { productId: newId("prod"), handle: `stoneware-mug-no-${index + 1}` };
    const body = JSON.stringify({ id: eventId, topic, shopId, createdAt, data });
    const needsJob = index / endpoints.length <= BUSY;
    return { ...endpoint, id: newId("whd"), eventId, endpointId, body, createdAt, needsJob };
  });
}

const statements = [
  `insert into events (shop_id, id, topic, body, created_at)
  select "shopId", "eventId", topic, body, "createdAt" from made`,
  `insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
  select "shopId", id, "eventId", "endpointId", topic, "createdAt" from made`,
  `insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, status, attempts,
    next_attempt_at)
  select "shopId", id, "eventId", "endpointId", topic, "createdAt", 'PENDING', 0, "createdAt" from made`,
  `select graphile_worker.add_jobs(array(
    select (row('send-webhooks', json_build_object('shopId', "shopId", 'endpointId', "endpointId"),
      null, null, null, null, null, array["endpointId"])::graphile_worker.job_spec) from made where "needsJob"
  ))`,
].map(
  (text) => `with made as (
    select * from json_to_recordset($1)
    as made ("shopId" text, id text, "eventId" text, "endpointId" text, topic text, body text,
      "createdAt" timestamptz, "needsJob" boolean)
  ) ${text}`,
);

/** Inserts the rows and jobs of as many changes in one transaction, and returns when it was committed. */
export async function commitBacklog(client: pg.Client, deliveries: BenchDelivery[]): Promise<number> {
  const made = JSON.stringify(deliveries);
  await client.query("begin");
  for (const statement of statements) await client.query(statement, [made]);
  await client.query("commit");
  return clock();
}

/**
 * Waits until nothing is due or being sent at these endpoints, and no job is left. @throws Error when that takes too
 * long
 */
export async function untilDelivered(client: pg.Client, endpoints: BenchEndpoint[]): Promise<void> {
  const deadline = clock() + PATIENCE;
  while (!(await isDelivered(client, endpoints))) {
    if (clock() > deadline) throw new Error("The worker does not come to an end");
    await wait(POLL);
  }
}

async function isDelivered(client: pg.Client, endpoints: BenchEndpoint[]): Promise<boolean> {
  const { rows } = await client.query(
    // A busy endpoint's last job only looks again, a second later.
    `select not exists (
      select from graphile_worker._private_jobs where payload->>'endpointId' is not null and payload->>'until' is null
    )
    and not exists (
      select from unnest($1::text[], $2::text[]) as asked (shop, endpoint) cross join lateral (
        select from outstanding_deliveries where shop_id = shop and endpoint_id = endpoint and status = 'PENDING'
          and next_attempt_at <= now() limit 1
      ) due
    ) as delivered`,
    [endpoints.map(({ shopId }) => shopId), endpoints.map(({ id }) => id)],
  );
  return rows[0].delivered;
}
