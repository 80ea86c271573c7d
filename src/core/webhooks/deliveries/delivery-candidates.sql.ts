// Text, since Kysely has no `unnest` with a lateral join over the parts of a union.
import { sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import type { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { topicNames } from "../../model/webhooks/topics.ts";
import type { ListQuery } from "../../queries/list.sql.ts";
import { isOfOwn, isOwn } from "../endpoints/read-webhook-endpoints.ts";
import { MAX_DELIVERIES_COUNTED } from "./webhook-delivery.ts";

/**
 * Finds the ids and times of deliveries for a condition, which ends with an order and a limit. It may return too many,
 * in any order.
 */
type Candidates = (search: Expression<unknown>) => RawBuilder<unknown>;

const outstanding = (columns: string) =>
  sql.raw(
    `select ${columns} from outstanding_deliveries outstanding where outstanding.shop_id = $1 and outstanding.id = deliveries.id`,
  );

/** SQL: the deliveries of each status. */
const sources = {
  // Looked up row by row: a join may read everything outstanding. The planner expects `coalesce` to match half of the
  // rows. For `is null` it expects hardly any, and would read and sort everything.
  [DeliveryStatus.SUCCEEDED]: sql`(
    select *, null::text as error_class from deliveries where not coalesce((${outstanding("true")}), false)
  ) succeeded`,
  [DeliveryStatus.PENDING]: sql`(select * from outstanding_deliveries where status = 'PENDING') pending`,
  [DeliveryStatus.FAILED]: sql`(select * from outstanding_deliveries where status = 'FAILED') failed`,
};

/**
 * Deliveries are written far more often than listed, so a few indexes serve every filter. The first rows of each endpoint,
 * topic and status come from one index and are merged. Parts that a condition excludes are not read.
 */
function candidatesIn(shopId: string, owner: string | undefined, tables: readonly RawBuilder<unknown>[]): Candidates {
  const inTable = (table: RawBuilder<unknown>, search: Expression<unknown>) => sql`
    select found.id, found.created_at from (
      select id from webhook_endpoints where shop_id = ${shopId} and ${isOwn(owner)}
      union all select id from deleted_webhook_endpoints where shop_id = ${shopId} and ${sql.lit(owner === undefined)}
    ) endpoint
    cross join unnest(${sql.lit(`{${topicNames.join(",")}}`)}::text[]) as part_topic
    cross join lateral (
      select id, created_at from ${table}
      where shop_id = ${shopId} and endpoint_id = endpoint.id and topic = part_topic and ${search}
    ) found`;
  return (search) =>
    sql.join(
      tables.map((table) => inTable(table, search)),
      sql` union all `,
    );
}

/** An event has at most as many deliveries as its shop had endpoints, so all are read. */
function candidatesOfEvent(shopId: string, owner: string | undefined): Candidates {
  return (search) => sql`
    select id, created_at from (
      select deliveries.*, coalesce(state.status, ${sql.lit(DeliveryStatus.SUCCEEDED)}) as status, state.error_class
      from deliveries left join lateral (${outstanding("status, error_class")} offset 0) state on true
    ) found
    where shop_id = ${shopId} and ${isOfOwn(shopId, owner)} and ${search}`;
}

/** The filters that select the parts to read. */
interface SourceFilter {
  /** The service token of the endpoints. All endpoints by default, also deleted ones. */
  owner?: string | undefined;
  eventId?: string | null;
  statuses?: readonly DeliveryStatus[] | null;
  errorClass?: ErrorClass | null;
}

function candidatesOf(shopId: string, { owner, eventId, statuses, errorClass }: SourceFilter): Candidates {
  if (eventId != null) return candidatesOfEvent(shopId, owner);
  const wanted = Object.values(DeliveryStatus).filter((status) => statuses?.includes(status) ?? true);
  const isAnything = errorClass == null && wanted.length === Object.keys(sources).length;
  return candidatesIn(shopId, owner, isAnything ? [sql`deliveries`] : wanted.map((status) => sources[status]));
}

/** Finds the deliveries of a page when no index starts with the sort column. */
export function deliverySource(shopId: string, filter: SourceFilter): NonNullable<ListQuery<unknown>["source"]> {
  const candidates = candidatesOf(shopId, filter);
  return {
    ids: ({ conditions, ordering, limit, offset }) => {
      const first = sql`${every(conditions)} order by ${ordering} limit ${limit}::int8 + ${offset}::int8`;
      return sql`(select id from (${candidates(first)}) found order by ${ordering} limit ${limit} offset ${offset})`;
    },
    count: (conditions) => {
      // Sorted, with a limit that the planner does not know and assumes to be small, so that it reads that far in the
      // index. Otherwise it may read and sort a whole part, or the table once per part.
      const most = sql`limit (select ${sql.lit(MAX_DELIVERIES_COUNTED)})`;
      const found = candidates(sql`${every(conditions)} order by created_at ${most}`);
      return sql`select count(*)::float8 from (select from (${found}) found ${most}) counted`;
    },
  };
}

function every(conditions: readonly Expression<SqlBool>[]): RawBuilder<unknown> {
  return sql.join([sql`true`, ...conditions], sql` and `);
}
