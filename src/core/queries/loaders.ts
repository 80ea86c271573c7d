import DataLoader from "dataloader";
import type { LimitFunction } from "p-limit";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { kysely } from "./database.ts";
import type { Database } from "../model/tables.ts";
import type { ApiKey } from "../model/credentials/api-key.entity.ts";
import { loadApiKeys } from "../credentials/api-keys/load-api-keys.ts";
import { loadPredecessors } from "../credentials/api-keys/load-predecessors.ts";
import { loadCustomerOrderCounts, loadStoreCreditBalances } from "../customers/load-customer-sums.ts";
import { loadOrderCustomers, loadOrderItems, loadPayments, loadRefunds } from "../orders/load-order-parts.ts";
import {
  loadStoreCreditEntries,
  type StoreCreditEntriesKey,
} from "../customers/store-credit/load-store-credit-entries.ts";
import type { StoreCreditEntry } from "../model/customers/customer.entity.ts";
import { loadTitles } from "../products/load-titles.ts";
import type { FieldsKey, RowKey } from "./row-key.ts";
import type { OrderItem } from "../model/orders/order-item.entity.ts";
import type { OrderCustomer } from "../model/orders/order.entity.ts";
import type { Payment, Refund } from "../model/orders/payment.entity.ts";
import { loadActorNames } from "../access/load-actor-names.ts";
import { countFailedDeliveries, type FailedSinceKey } from "../webhooks/replays/count-failed-deliveries.ts";
import type { DeliveryAttempt } from "../webhooks/deliveries/delivery-attempt.ts";
import type { EndpointHealth } from "../webhooks/health/endpoint-health.ts";
import type { HourlyAttempts } from "../webhooks/health/hourly-attempts.ts";
import { loadReplayProgress } from "../webhooks/replays/load-replay-progress.ts";
import type { ReplayProgress } from "../webhooks/replays/replay-progress.ts";
import type { ListedWebhookEndpoint } from "../webhooks/endpoints/list-webhook-endpoints.ts";
import type { DeletedWebhookEndpoint } from "../model/webhooks/deleted-endpoint.entity.ts";
import {
  loadDeletedEndpoints,
  loadDeliveryAttempts,
  loadDeliveryEndpoints,
} from "../webhooks/deliveries/load-delivery-parts.ts";
import { loadHourlyAttempts, type HoursKey } from "../webhooks/health/load-hourly-attempts.ts";
import { loadEndpointHealth, loadWaitingDeliveries } from "../webhooks/health/load-endpoint-health.ts";

type Loader<Value, Key = RowKey> = DataLoader<Key, Value>;

/**
 * Rows that hang from many parents, read with one statement for all of them. Made for each request. Nothing is kept
 * after that statement: a request may hold several mutations, and each answers with what it has made of the rows.
 */
export interface Loaders {
  orderItems: Loader<OrderItem[]>;
  payments: Loader<Payment[]>;
  refunds: Loader<Refund[]>;
  orderCustomers: Loader<OrderCustomer | null>;
  storeCreditBalances: Loader<string>;
  storeCreditEntries: Loader<StoreCreditEntry[], StoreCreditEntriesKey>;
  customerOrderCounts: Loader<number>;
  productTitles: Loader<string | null>;
  variantTitles: Loader<string | null>;
  apiKeys: Loader<ApiKey | null, FieldsKey>;
  predecessors: Loader<string | null>;
  actorNames: Loader<string | null>;
  deliveryEndpoints: Loader<ListedWebhookEndpoint | null, FieldsKey>;
  deletedEndpoints: Loader<DeletedWebhookEndpoint | null>;
  deliveryAttempts: Loader<DeliveryAttempt[], FieldsKey>;
  endpointHealth: Loader<EndpointHealth>;
  waitingDeliveries: Loader<number>;
  hourlyAttempts: Loader<HourlyAttempts[], HoursKey>;
  replayProgress: Loader<ReplayProgress | null>;
  failedDeliveryCounts: Loader<number, FailedSinceKey>;
}

/** `limit` bounds the statements that are sent at once. */
export function createLoaders(em: EntityManager, limit: LimitFunction): Loaders {
  const database = kysely(em);
  // A query reaches one shop at a time, but may reach two: each batch is split by shop.
  const byShop = <Value, Key extends RowKey = RowKey>(
    load: (database: Kysely<Database>, keys: readonly Key[]) => Promise<(Value | Error)[]>,
  ) =>
    new DataLoader<Key, Value>((keys) => loadByShop(keys, (group) => limit(load, database, group)), { cache: false });
  return {
    orderItems: byShop(loadOrderItems),
    payments: byShop(loadPayments),
    refunds: byShop(loadRefunds),
    orderCustomers: byShop(loadOrderCustomers),
    storeCreditBalances: byShop(loadStoreCreditBalances),
    storeCreditEntries: byShop(loadStoreCreditEntries),
    customerOrderCounts: byShop(loadCustomerOrderCounts),
    productTitles: byShop(loadTitles("products")),
    variantTitles: byShop(loadTitles("variants")),
    apiKeys: byShop((_, keys: readonly FieldsKey[]) => loadApiKeys(em, keys)),
    predecessors: byShop(loadPredecessors),
    actorNames: byShop(loadActorNames),
    deliveryEndpoints: byShop((_, keys: readonly FieldsKey[]) => loadDeliveryEndpoints(em, keys)),
    deletedEndpoints: byShop((_, keys) => loadDeletedEndpoints(em, keys)),
    deliveryAttempts: byShop(loadDeliveryAttempts),
    endpointHealth: byShop(loadEndpointHealth),
    waitingDeliveries: byShop(loadWaitingDeliveries),
    hourlyAttempts: byShop(loadHourlyAttempts),
    replayProgress: byShop(loadReplayProgress),
    failedDeliveryCounts: byShop(countFailedDeliveries),
  };
}

async function loadByShop<Value, Key extends RowKey>(
  keys: readonly Key[],
  load: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
): Promise<(Value | Error)[]> {
  const first = keys[0]!;
  if (keys.every((key) => key.shopId === first.shopId)) return load(keys);
  const values = new Map<Key, Value | Error>();
  await Promise.all(
    [...Map.groupBy(keys, (key) => key.shopId).values()].map(async (group) => {
      const loaded = await load(group);
      group.forEach((key, index) => values.set(key, loaded[index]!));
    }),
  );
  return keys.map((key) => values.get(key)!);
}
