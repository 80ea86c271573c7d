import DataLoader from "dataloader";
import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import { loadCustomerOrderCounts, loadStoreCreditBalances } from "./customers/load-customer-sums.ts";
import { loadOrderCustomers, loadOrderItems, loadPayments, loadRefunds } from "./orders/load-order-parts.ts";
import { loadStoreCreditEntries, type StoreCreditEntriesKey } from "./customers/load-store-credit-entries.ts";
import type { StoreCreditEntry } from "./customers/customer.entity.ts";
import type { RowKey } from "./row-key.ts";
import type { OrderItem } from "./orders/order-item.entity.ts";
import type { OrderCustomer } from "./orders/order.entity.ts";
import type { Payment, Refund } from "./orders/payment.entity.ts";

/** Rows that hang from many parents, read with one statement for all of them. Made for each request. */
export interface Loaders {
  orderItems: DataLoader<RowKey, OrderItem[], string>;
  payments: DataLoader<RowKey, Payment[], string>;
  refunds: DataLoader<RowKey, Refund[], string>;
  orderCustomers: DataLoader<RowKey, OrderCustomer | null, string>;
  storeCreditBalances: DataLoader<RowKey, string, string>;
  storeCreditEntries: DataLoader<StoreCreditEntriesKey, StoreCreditEntry[], string>;
  customerOrderCounts: DataLoader<RowKey, number, string>;
}

export function createLoaders(database: Kysely<Database>): Loaders {
  // A query reaches one shop at a time, but may reach two: each batch is split by shop.
  const byShop = <Value, Key extends RowKey = RowKey>(
    load: (database: Kysely<Database>, keys: readonly Key[]) => Promise<Value[]>,
    cacheKeyFn: (key: Key) => string = (key) => key.id,
  ) => new DataLoader<Key, Value, string>((keys) => loadByShop(keys, (group) => load(database, group)), { cacheKeyFn });
  return {
    orderItems: byShop(loadOrderItems),
    payments: byShop(loadPayments),
    refunds: byShop(loadRefunds),
    orderCustomers: byShop(loadOrderCustomers),
    storeCreditBalances: byShop(loadStoreCreditBalances),
    storeCreditEntries: byShop(loadStoreCreditEntries, ({ id, limit }) => `${id} ${limit}`),
    customerOrderCounts: byShop(loadCustomerOrderCounts),
  };
}

async function loadByShop<Value, Key extends RowKey>(
  keys: readonly Key[],
  load: (keys: readonly Key[]) => Promise<Value[]>,
): Promise<Value[]> {
  const first = keys[0]!;
  if (keys.every((key) => key.shopId === first.shopId)) return load(keys);
  const values = new Map<Key, Value>();
  await Promise.all(
    [...Map.groupBy(keys, (key) => key.shopId).values()].map(async (group) => {
      const loaded = await load(group);
      group.forEach((key, index) => values.set(key, loaded[index]!));
    }),
  );
  return keys.map((key) => values.get(key)!);
}
