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

const array = (names: readonly string[]) => `unnest('{${names.join(",")}}'::text[])`;

/**
 * A delivery costs three writes to each of its indexes, and there are many more deliveries than looks at them. So one
 * index serves whatever a list is narrowed by: the first of each endpoint, topic and status are found on it and put
 * together. Parts that a condition leaves out are not looked at.
 */
const finding: Finding = {
  statement: (search) => `
    select found.id, found.created_at from webhook_endpoints endpoint
    cross join ${array(topicNames)} as part_topic cross join ${array(Object.values(DeliveryStatus))} as part_status
    cross join lateral (
      select id, created_at from deliveries
      where endpoint_id = endpoint.id and topic = part_topic and status = part_status and ${search}
    ) found where endpoint.shop_id = $1`,
  countAtMost: MAX_DELIVERIES_COUNTED,
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
    ["status = ?", status],
    ["created_at >= ?", createdSince],
    ["created_at < ?", createdBefore],
  ]);
  return readPage(database, {
    ...page,
    shopId,
    table: "deliveries",
    columns: deliveryColumns(fields.item),
    fields: fields.page,
    conditions,
    texts: { endpointId, topic },
    total: "counted",
    finding,
  });
}
