import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { conditionsOf, readPage, type Finding, type PageFields } from "../read-page.ts";
import { DeliveryStatus } from "./event.entity.ts";
import { deliveryColumns } from "./find-delivery.ts";
import { topicNames } from "./topics.ts";
import { MAX_DELIVERIES_COUNTED, type WebhookDelivery } from "./webhook-delivery.ts";

export interface ListDeliveriesFilter extends PageRequest {
  endpointId?: string | null;
  topic?: string | null;
  status?: DeliveryStatus | null;
  /** Inclusive. */
  createdSince?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

// Each is looked up as the list comes to it: by a join, PostgreSQL may read all that are outstanding. Of what is coalesced
// it believes that half is so, and of `is null` that hardly any is, so that it would read and sort everything.
const succeeded = `(
  select * from deliveries where not coalesce((
    select true from outstanding_deliveries outstanding
    where outstanding.shop_id = deliveries.shop_id and outstanding.id = deliveries.id
  ), false)
) succeeded`;

/**
 * There are many more deliveries than looks at them. So one index of each of the two tables serves whatever a list is
 * narrowed by: the first of each endpoint and topic are found on it and put together. Parts that a condition leaves out
 * are not looked at.
 */
function findingIn(table: string): Finding {
  return {
    statement: (search) => `
      select found.id, found.created_at from webhook_endpoints endpoint
      cross join unnest('{${topicNames.join(",")}}'::text[]) as part_topic
      cross join lateral (
        select id, created_at from ${table} where endpoint_id = endpoint.id and topic = part_topic and ${search}
      ) found where endpoint.shop_id = $1`,
    countAtMost: MAX_DELIVERIES_COUNTED,
  };
}

const findings = {
  ANY: findingIn("deliveries"),
  [DeliveryStatus.SUCCEEDED]: findingIn(succeeded),
  [DeliveryStatus.PENDING]: findingIn("outstanding_deliveries"),
  [DeliveryStatus.FAILED]: findingIn("outstanding_deliveries"),
};

/** A shop's deliveries, newest first unless told. @throws AppError VALIDATION_FAILED */
export function listDeliveries(
  database: Kysely<Database>,
  shopId: string,
  { endpointId, topic, status, createdSince, createdBefore, ...page }: ListDeliveriesFilter,
  fields: PageFields,
): Promise<Page<WebhookDelivery>> {
  const conditions = conditionsOf([
    ["endpoint_id = ?", endpointId],
    ["topic = ?", topic],
    ["status = ?", status === DeliveryStatus.SUCCEEDED ? null : status],
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
    texts: { endpointId, topic },
    total: "counted",
    finding: findings[status ?? "ANY"],
  });
}
