import type { EntityManager } from "@mikro-orm/postgresql";
import { ErrorClass } from "../../../src/core/model/webhooks/error-class.ts";
import { Delivery, DeliveryStatus, Event, OutstandingDelivery } from "../../../src/core/model/webhooks/event.entity.ts";
import type { Topic } from "../../../src/core/model/webhooks/topics.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { histogramOf } from "../../../src/core/webhooks/health/duration-histogram.ts";
import type { AttemptResult } from "../../../src/jobs/sending/attempt-delivery.ts";
import type { DueDelivery } from "../../../src/jobs/sending/read-due-deliveries.sql.ts";
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

/** SQL: the deliveries of the shop `$1` with their states. One that succeeded has the rest of its last successful attempt. */
export const SELECT_DELIVERIES = `
  select id, event_id, endpoint_id, is_test, status, coalesce(attempts, success.number) as attempts,
    coalesce(state.response_status, success.response_status) as response_status, error_class, error,
    coalesce(attempted_at, success.started_at) as attempted_at, next_attempt_at
  from delivery_states state left join lateral (
    select number, response_status, started_at from delivery_attempts
    where status = 'SUCCEEDED' and delivery_attempts.shop_id = $1 and delivery_id = state.id
      and delivery_attempts.error_class is null
    order by delivery_attempts.id desc limit 1
  ) success on true
  where shop_id = $1`;

/** Counts successful attempts of these durations, in milliseconds, within the hour that began `hoursAgo` hours before this one. */
export async function buildCountedHour(
  databaseUrl: string,
  endpoint: { shopId: string; id: string },
  durations: number[],
  hoursAgo = 0,
): Promise<void> {
  await query(
    databaseUrl,
    `insert into hourly_attempts (shop_id, endpoint_id, hour, attempts, failures, durations)
    values ($1, $2, date_trunc('hour', now(), 'UTC') - $3 * interval '1 hour', $4, 0, $5)`,
    [endpoint.shopId, endpoint.id, hoursAgo, durations.length, histogramOf(durations)],
  );
}

/** The result of an attempt that was answered with this status. */
export function buildAttemptResult(delivery: Partial<DueDelivery>, status: number): AttemptResult {
  const isSuccess = status < 300;
  return {
    id: newId("att"),
    delivery: delivery as DueDelivery,
    startedAt: new Date(),
    requestHeaders: [],
    outcome: {
      status,
      errorClass: isSuccess ? null : ErrorClass.HTTP_STATUS,
      error: isSuccess ? null : `Responded with ${status}`,
      responseBody: "",
      responseHeaders: [],
      isSent: true,
      retryAfter: null,
      timings: { dns: null, connect: null, tls: null, firstByte: 1, total: 1 },
    },
  };
}

/** Adds jobs of a task for different endpoints in one statement, because thousands of single ones take seconds. */
export async function addJobs(databaseUrl: string, task: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `select graphile_worker.add_jobs(array(
      select row($1::text, json_build_object('shopId', 'shop', 'endpointId', 'whe_' || n),
        null, null, null, null, null, null)::graphile_worker.job_spec from generate_series(1, $2::int) n
    ))`,
    [task, count],
  );
}
