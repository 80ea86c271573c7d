import { expressionBuilder, sql, type Kysely, type SqlBool } from "kysely";
import { Int, ObjectType } from "type-graphql";
import { field, objectOf } from "../../model/fields.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import type { Database } from "../../model/tables.ts";
import { shopParameter } from "../../queries/columns.ts";
import type { RowKey } from "../../queries/row-key.ts";

/** The limit of counting, so that a million cost no more. */
export const MAX_FAILED_COUNTED = 100_000;

/** An endpoint and a time. */
export interface FailedSinceKey extends RowKey {
  since: Date;
}

/** Counts the failed deliveries of endpoints of one shop, up to the limit. */
export async function countFailedDeliveries(
  database: Kysely<Database>,
  endpoints: readonly FailedSinceKey[],
): Promise<number[]> {
  const asked = sql<{ id: string; since: Date; position: number }>`
    unnest(${endpoints.map(({ id }) => id)}::text[], ${endpoints.map(({ since }) => since)}::timestamptz[]) with ordinality`;
  const rows = await database
    .selectFrom(asked.as<"asked">(sql`asked (id, since, position)`))
    .crossJoinLateral((query) =>
      query
        .selectFrom((failed) =>
          // What the index `outstanding_deliveries_failed` holds.
          failed
            .selectFrom("outstanding_deliveries")
            .select("id")
            .where("shop_id", "=", endpoints[0]!.shopId)
            .whereRef("endpoint_id", "=", "asked.id")
            .where(sql<SqlBool>`status = 'FAILED' and not is_test`)
            .whereRef("created_at", ">=", "asked.since")
            .limit(sql.lit(MAX_FAILED_COUNTED))
            .as("counted"),
        )
        .select(sql<number>`count(*)::int`.as("count"))
        .as("failed"),
    )
    .select("failed.count")
    .orderBy("asked.position")
    .execute();
  return rows.map(({ count }) => count);
}

@ObjectType("WebhookReplayProgress", {
  description: "The progress of replayFailedDeliveries. Consecutive requests count as one replay.",
  simpleResolvers: true,
})
export class ReplayProgress extends objectOf({
  startedAt: field(TimestampScalar, "When the replay was first requested."),
  total: field(Int, "The number of deliveries accepted for replay."),
  waiting: field(Int, `The number of deliveries not attempted yet. Counted up to ${MAX_FAILED_COUNTED}.`),
  lastAt: field(
    TimestampScalar,
    "When the last of these deliveries is due, at 50 a second. While the endpoint is paused or suspended, they are sent later, and this time can be in the past.",
  ),
}) {}

/** The interval between replayed deliveries, which leaves room for new ones. Milliseconds. */
export const INTERVAL = 20;

/** SQL: deliveries queued for a replay and not attempted since. Uses the index `outstanding_deliveries_replayed`. */
export function waitingReplays() {
  return expressionBuilder<Database, "webhook_endpoints">()
    .selectFrom("outstanding_deliveries")
    .select("outstanding_deliveries.id")
    .where("outstanding_deliveries.shop_id", "=", shopParameter)
    .whereRef("endpoint_id", "=", "webhook_endpoints.id")
    .where(sql<SqlBool>`is_replayed and status = 'PENDING' and attempted_at is null`);
}

const waiting = sql<number>`(select count(*)::int
  from (${waitingReplays().limit(sql.lit(MAX_FAILED_COUNTED))}) counted)`;

/** SQL: the progress of an endpoint's replay, as JSON. Null when none is running. */
export const replayProgress = sql<ReplayProgress | null>`(select to_json(progress)
  from (select replay_started_at as "startedAt", replay_total as total, ${waiting} as waiting,
    replays_until - ${sql.lit(INTERVAL)} * interval '1 millisecond' as "lastAt") progress
  where waiting > 0)`;
