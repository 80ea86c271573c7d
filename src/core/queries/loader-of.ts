import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { CoreContext } from "../context.ts";
import type { Database } from "../model/tables.ts";
import type { RowKey } from "./row-key.ts";
import DataLoader from "dataloader";

/** Reads a value for each key, in order, with one statement. All keys belong to one shop. */
type Load<Key, Value> = (
  database: Kysely<Database>,
  keys: readonly Key[],
  em: EntityManager,
) => Promise<(Value | Error)[]>;

/**
 * The request's DataLoader for a function, created on first use. Values are not cached after their statement, because
 * each mutation of a request must return current rows.
 */
export function loaderOf<Key extends RowKey, Value>(
  { loaders, limit, database, orm }: CoreContext,
  load: Load<Key, Value>,
): DataLoader<Key, Value> {
  const known = loaders.get(load) as DataLoader<Key, Value> | undefined;
  if (known) return known;
  const loadGroup = (keys: readonly Key[]) => limit(() => load(database, keys, orm.em));
  const loader = new DataLoader<Key, Value>((keys) => loadByShop(keys, loadGroup), { cache: false });
  loaders.set(load, loader);
  return loader;
}

/** Splits each batch by shop, because a request may read several shops. */
async function loadByShop<Key extends RowKey, Value>(
  keys: readonly Key[],
  loadGroup: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
): Promise<(Value | Error)[]> {
  const values = new Map<Key, Value | Error>();
  await Promise.all(
    [...Map.groupBy(keys, ({ shopId }) => shopId).values()].map(async (group) => {
      const loaded = await loadGroup(group);
      group.forEach((key, index) => values.set(key, loaded[index]!));
    }),
  );
  return keys.map((key) => values.get(key)!);
}
