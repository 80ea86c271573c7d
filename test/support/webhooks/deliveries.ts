import type { EntityManager } from "@mikro-orm/postgresql";
import { Delivery, DeliveryStatus, Event, OutstandingDelivery } from "../../../src/core/model/webhooks/event.entity.ts";
import type { Topic } from "../../../src/core/model/webhooks/topics.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { query } from "../database.ts";

export interface DeliveryOverrides {
  topic?: Topic;
  body?: string;
  status?: DeliveryStatus;
  attempts?: number;
  responseStatus?: number | null;
  errorClass?: string | null;
  error?: string | null;
  createdAt?: Date;
  attemptedAt?: Date | null;
  nextAttemptAt?: Date | null;
}

/** Stores a delivery with a new event, without a job. */
export async function buildDelivery(
  em: EntityManager,
  endpoint: { shopId: string; id: string },
  overrides: DeliveryOverrides = {},
) {
  const { topic = "product.created", body = "{}", createdAt = new Date(), ...rest } = overrides;
  const { shopId } = endpoint;
  const eventId = newId("evt");
  const state = {
    status: DeliveryStatus.PENDING,
    attempts: 0,
    responseStatus: null,
    errorClass: null,
    error: null,
    attemptedAt: null,
    nextAttemptAt: null,
    ...rest,
  };
  const writer = em.fork();
  await writer.insert(Event, { shopId, id: eventId, topic, body, createdAt });
  const delivery = { shopId, id: newId("whd"), topic, createdAt };
  const row = { ...delivery, event: [shopId, eventId], endpoint: [shopId, endpoint.id] } as const;
  const { status } = state;
  await writer.insert(Delivery, row);
  if (status !== DeliveryStatus.SUCCEEDED) await writer.insert(OutstandingDelivery, { ...row, ...state, status });
  return { ...delivery, ...state, eventId };
}

/** SQL after `with`: inserts deliveries with columns from `rows`. Successful ones have no attempt. */
export const madeDeliveries = (columns: string, rows: string) => `
  made (${columns}) as materialized (${rows}), delivery as (
    insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
    select shop_id, id, event_id, endpoint_id, topic, created_at from made
  ), outstanding as (
    insert into outstanding_deliveries (${columns}) select ${columns} from made where status <> 'SUCCEEDED'
  )`;

/** Logs attempts of a delivery, one a second from `startedAt`. */
export async function buildAttempts(
  databaseUrl: string,
  delivery: { shopId: string; id: string },
  count: number,
  startedAt: Date,
): Promise<void> {
  await query(
    databaseUrl,
    `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, error_class, error,
      response_body, total_ms)
    select $1, id, $2, position, false, $4::timestamptz + position * interval '1 second', 500, 'HTTP_STATUS', 'HTTP 500', 'No.', position
    from unnest($3::text[]) with ordinality as attempts (id, position)`,
    [delivery.shopId, delivery.id, Array.from({ length: count }, () => newId("att")).toReversed(), startedAt],
  );
}

/** Stores the deliveries of a busy endpoint, half a second apart, the last one now. */
export async function buildManyDeliveries(
  databaseUrl: string,
  endpoint: { shopId: string; id: string },
  count: number,
  status: DeliveryStatus,
): Promise<void> {
  await query(
    databaseUrl,
    `with row as (
      select '0' || left(md5(random()::text), 25) as id, now() - (n - 1) * interval '500 milliseconds' as at
      from generate_series(1, $3::int) n
    ), event as (
      insert into events (shop_id, id, topic, body, created_at)
      select $1, 'evt_' || id, 'product.updated', '{}', at from row
    ), ${madeDeliveries(
      "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at",
      "select $1, 'whd_' || id, 'evt_' || id, $2, 'product.updated', $4, 0, at from row",
    )}
    insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, total_ms)
    select shop_id, 'att_' || substr(id, 5), id, 1, false, created_at, 204, 1 from made where status = 'SUCCEEDED'`,
    [endpoint.shopId, endpoint.id, count, status],
  );
}
