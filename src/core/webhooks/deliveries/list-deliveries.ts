import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import type { Page, PageRequest } from "../../model/page.ts";
import { conditionsOf, readPage, type CandidateQuery, type PageFields } from "../../queries/list-query.ts";
import { checkCount } from "../../bulk/bulk.ts";
import type { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { deliveryColumns } from "./find-delivery.ts";
import { topicNames } from "../../model/webhooks/topics.ts";
import { MAX_DELIVERIES_COUNTED, type WebhookDelivery } from "./webhook-delivery.ts";

export interface ListDeliveriesFilter extends PageRequest {
  endpointId?: string | null;
  eventId?: string | null;
  topic?: string | null;
  /** Any of them. */
  statuses?: readonly DeliveryStatus[] | null;
  /** The error of the last attempt, or of what kept it from being made. */
  errorClass?: ErrorClass | null;
  /** Inclusive. */
  createdSince?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

const outstanding = (columns: string) =>
  `select ${columns} from outstanding_deliveries outstanding where outstanding.shop_id = $1 and outstanding.id = deliveries.id`;

/** SQL: the deliveries of each status. */
const sources = {
  // Looked up row by row: a join may read everything outstanding. The planner expects `coalesce` to match half the rows;
  // of `is null` it expects hardly any, and would read and sort everything.
  [DeliveryStatus.SUCCEEDED]: `(
    select *, null::text as error_class from deliveries where not coalesce((${outstanding("true")}), false)
  ) succeeded`,
  [DeliveryStatus.PENDING]: "(select * from outstanding_deliveries where status = 'PENDING') pending",
  [DeliveryStatus.FAILED]: "(select * from outstanding_deliveries where status = 'FAILED') failed",
};

/**
 * Deliveries are written far more often than listed, so a few indexes serve every filter. The first rows of each endpoint,
 * topic and status come from one index and are merged. Parts that a condition excludes are not read.
 */
function candidatesIn(tables: readonly string[]): CandidateQuery {
  const findingInOne = (table: string, search: string) => `
      select found.id, found.created_at from (
        select id from webhook_endpoints where shop_id = $1
        union all select id from deleted_webhook_endpoints where shop_id = $1
      ) endpoint
      cross join unnest('{${topicNames.join(",")}}'::text[]) as part_topic
      cross join lateral (
        select id, created_at from ${table}
        where shop_id = $1 and endpoint_id = endpoint.id and topic = part_topic and ${search}
      ) found`;
  return {
    statement: (search) => tables.map((table) => findingInOne(table, search)).join(" union all "),
    countAtMost: MAX_DELIVERIES_COUNTED,
  };
}

/** An event has no more deliveries than its shop had endpoints: they are all looked at. */
const candidatesOfEvent: CandidateQuery = {
  statement: (search) => `
    select id, created_at from (
      select deliveries.*, coalesce(state.status, '${DeliveryStatus.SUCCEEDED}') as status, state.error_class
      from deliveries left join lateral (${outstanding("status, error_class")} offset 0) state on true
    ) found
    where shop_id = $1 and ${search}`,
  countAtMost: MAX_DELIVERIES_COUNTED,
};

function candidatesOf({ eventId, statuses, errorClass }: ListDeliveriesFilter): CandidateQuery {
  if (eventId != null) return candidatesOfEvent;
  const wanted = Object.values(DeliveryStatus).filter((status) => statuses?.includes(status) ?? true);
  const isAnything = errorClass == null && wanted.length === Object.keys(sources).length;
  return candidatesIn(isAnything ? ["deliveries"] : wanted.map((status) => sources[status]));
}

/** A shop's deliveries, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listDeliveries(
  database: Kysely<Database>,
  shopId: string,
  filter: ListDeliveriesFilter,
  fields: PageFields,
): Promise<Page<WebhookDelivery>> {
  const { endpointId, eventId, topic, statuses, errorClass, createdSince, createdBefore, ...page } = filter;
  if (statuses) checkCount("statuses", statuses);
  const conditions = conditionsOf([
    ["endpoint_id = ?", endpointId],
    ["event_id = ?", eventId],
    ["topic = ?", topic],
    // Elsewhere each status is a part of its own.
    ["status = any(?)", eventId == null ? null : statuses],
    ["error_class = ?", errorClass],
    ["created_at >= ?", createdSince],
    ["created_at < ?", createdBefore],
  ]);
  return readPage(database, {
    ...page,
    shopId,
    table: "delivery_states",
    columns: deliveryColumns(fields.item),
    fields: fields.page,
    conditions,
    texts: { endpointId, eventId, topic },
    total: "counted",
    candidates: candidatesOf(filter),
  });
}
