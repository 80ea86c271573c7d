import type { EntityManager } from "@mikro-orm/postgresql";
import DataLoader from "dataloader";
import type { Kysely } from "kysely";
import type { CoreContext } from "../context.ts";
import type { Database } from "../model/tables.ts";
import type { RowKey } from "./row-key.ts";

/** Reads a value for each key, in their order, with one statement. All keys are of one shop. */
type Load<Key, Value> = (
  database: Kysely<Database>,
  keys: readonly Key[],
  em: EntityManager,
) => Promise<(Value | Error)[]>;

/**
 * The request's DataLoader for a function, made on first use. Nothing is kept after its statement: a request may hold
 * several mutations, and each answers with what it has made of the rows.
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

/** A query reaches one shop at a time, but may reach two: each batch is split by shop. */
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
