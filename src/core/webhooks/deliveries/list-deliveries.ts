import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import type { Page, PageRequest } from "../../model/page.ts";
import { anyOf, conditionsOf } from "../../queries/columns.ts";
import { readPage } from "../../queries/list-query.ts";
import type { Selection } from "../../queries/selection.ts";
import { checkCount } from "../../bulk/bulk.ts";
import type { ErrorClass } from "../../model/webhooks/error-class.ts";
import type { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { deliverySource } from "./delivery-candidates.sql.ts";
import { selectDelivery, type ShownDelivery } from "./find-delivery.ts";

export interface ListDeliveriesFilter extends PageRequest {
  endpointId?: string | null;
  eventId?: string | null;
  topic?: string | null;
  /** Matches any of these. */
  statuses?: readonly DeliveryStatus[] | null;
  /** The error class of the last attempt, or of a failure without one. */
  errorClass?: ErrorClass | null;
  /** Inclusive. */
  createdSince?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

/** Lists a shop's deliveries, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listDeliveries(
  database: Kysely<Database>,
  shopId: string,
  filter: ListDeliveriesFilter,
  selection: Selection,
): Promise<Page<ShownDelivery>> {
  const { endpointId, eventId, topic, statuses, errorClass, createdSince, createdBefore, ...page } = filter;
  if (statuses) checkCount("statuses", statuses);
  const conditions = conditionsOf<"delivery_states">(
    ["endpoint_id", "=", endpointId],
    ["event_id", "=", eventId],
    ["topic", "=", topic],
    // Otherwise each status is a separate part.
    ["status", "=", eventId == null || !statuses ? null : anyOf(statuses)],
    ["error_class", "=", errorClass],
    ["created_at", ">=", createdSince],
    ["created_at", "<", createdBefore],
  );
  return readPage(database, {
    ...page,
    shopId,
    table: "delivery_states",
    select: selectDelivery(selection.at("items")),
    selection,
    conditions,
    texts: { endpointId, eventId, topic },
    total: "counted",
    source: deliverySource(shopId, filter),
  });
}
