// Text, since Kysely has no advisory locks, and cannot insert from JSON.
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { invalidInput } from "../model/errors.ts";
import {
  MAX_KEYS,
  MetadataEntry,
  metadataFilterSchema,
  type Metadata,
  type MetadataChange,
} from "../model/metadata.entity.ts";
import type { IdPrefix } from "../model/ids.ts";
import type { DescribedRow } from "../model/shop-row.ts";
import type { ListedTable } from "../model/tables.ts";
import { parseInput } from "../validation/input.ts";
import { jsonRows, type Columns } from "./columns.ts";
import { kysely, query } from "./database.ts";
import type { RowKey } from "./row-key.ts";

const selection = { fields: new Set(["key", "value"]) };

/** SQL: the metadata of the record with this id in the query around it, if it is selected. */
export function metadataOf(
  em: EntityManager,
  id: string,
  { fields }: { fields: ReadonlySet<string> },
): Columns<Pick<DescribedRow, "metadata">> {
  if (!fields.has("metadata")) return {};
  const rows = jsonRows(em, MetadataEntry, { on: `record_id = ${id}`, order: "key", selection });
  return { metadata: rows as RawBuilder<Metadata[]> };
}

/** The prefixes of the ids in tables with metadata, which name the kind of a record. */
const kinds: Partial<Record<ListedTable, IdPrefix>> = { products: "prod", customers: "cus", orders: "ord" };

/** The condition that a record of the table has this value of the key. @throws AppError VALIDATION_FAILED */
export function metadataCondition(shopId: string, table: ListedTable, given: Metadata): Expression<SqlBool> {
  const metadata = { key: given.key, value: given.value };
  const { key, value } = parseInput(metadataFilterSchema, { metadata }).metadata;
  return sql`id in (select record_id from metadata
    where shop_id = ${shopId} and kind = ${kinds[table]} and key = ${key} and value = ${value})`;
}

const select =
  "select record_id as id, key, value from metadata where shop_id = $1 and record_id = any($2) order by key";
const selectKeys = "select distinct key from metadata where shop_id = $1 and kind = $2 order by key limit 200";
const remove =
  "delete from metadata where shop_id = $1 and record_id = $2 and ($3::text[] is null or key = any($3)) returning 1";
const upsert = `insert into metadata (shop_id, record_id, kind, key, value)
  select $1, id, split_part(id, '_', 1), key, value from json_to_recordset($2) given (id text, key text, value text)
  on conflict (shop_id, record_id, key) do update set value = excluded.value`;
const lock = "select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) name";
const findTaken = `select record_id as "recordId", key from metadata
  join json_to_recordset($3) given (key text, value text) using (key, value) where shop_id = $1 and kind = $2 limit 1`;

/** Reads the metadata of records of a shop into them. */
export async function addMetadata(em: EntityManager, records: readonly DescribedRow[]): Promise<void> {
  const values = [records[0]?.shopId, records.map(({ id }) => id)];
  const rows = await query<Metadata & { id: string }>(kysely(em), { text: select }, values);
  const byId = Map.groupBy(rows, ({ id }) => id);
  for (const record of records) record.metadata = byId.get(record.id) ?? [];
}

/** Lists the first 200 keys of a kind of records, so that a file has at most 500 columns. */
export async function listMetadataKeys(em: EntityManager, shopId: string, kind: IdPrefix): Promise<string[]> {
  return (await query<Metadata>(kysely(em), { text: selectKeys }, [shopId, kind])).map(({ key }) => key);
}

type Given = readonly MetadataChange[] | null | undefined;

/** The metadata of a new record, as it is read. */
export function storedMetadata(given: Given): Metadata[] {
  const entries = (given ?? []).filter((entry): entry is Metadata => entry.value !== null);
  return entries.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** Writes the metadata of records of a shop. Runs no statement without any. */
export async function writeMetadata(em: EntityManager, shopId: string, ...records: { id: string; metadata?: Given }[]) {
  const rows = records.flatMap(({ id, metadata }) => storedMetadata(metadata).map((entry) => ({ id, ...entry })));
  if (rows.length > 0) await query(kysely(em), { text: upsert, isPipelined: true }, [shopId, JSON.stringify(rows)]);
}

/** Deletes metadata of a record, all keys by default. Returns the changed field, if any. */
export async function deleteMetadata(em: EntityManager, { shopId, id }: RowKey, keys?: string[]) {
  const rows = await query(kysely(em), { text: remove }, [shopId, id, keys]);
  return rows.length > 0 ? (["metadata"] as const) : [];
}

/** The changes that make a difference to a record with its metadata. */
export function differingMetadata({ metadata = [] }: DescribedRow, given: Given): MetadataChange[] {
  const values = new Map(metadata.map(({ key, value }) => [key, value]));
  return (given ?? []).filter(({ key, value }) => (values.get(key) ?? null) !== value);
}

/** Changes the metadata of a locked record. Returns the changed field, if any. @throws AppError VALIDATION_FAILED */
export async function changeMetadata(em: EntityManager, record: DescribedRow, given: Given) {
  if (!given?.length) return [];
  await addMetadata(em, [record]);
  const metadata = differingMetadata(record, given);
  const keys = new Set(metadata.map(({ key }) => key));
  const kept = record.metadata!.filter(({ key }) => !keys.has(key));
  if (kept.length + storedMetadata(metadata).length > MAX_KEYS) {
    throw invalidInput([{ path: "metadata", code: "too_big", message: `Must have at most ${MAX_KEYS} keys` }]);
  }
  const removed = metadata.filter(({ value }) => value === null).map(({ key }) => key);
  if (removed.length > 0) await deleteMetadata(em, record, removed);
  await writeMetadata(em, record.shopId, { id: record.id, metadata });
  return metadata.length > 0 ? (["metadata"] as const) : [];
}

/**
 * Refuses a new record if another one has the same value of a key that must be unique. Others that create one with this
 * value wait until the transaction ends.
 *
 * @throws AppError VALIDATION_FAILED with the id of the other record
 */
export async function refuseTakenMetadata(
  em: EntityManager,
  { shopId, id }: RowKey,
  { metadata, uniqueMetadata: names }: { metadata?: Given; uniqueMetadata?: string[] | null | undefined },
): Promise<void> {
  if (!names?.length) return;
  const unique = storedMetadata(metadata).filter(({ key }) => names.includes(key));
  const pathOf = (name: string | undefined) => `uniqueMetadata.${names.indexOf(name!)}`;
  const missing = names.find((name) => !unique.some(({ key }) => key === name));
  if (missing !== undefined) {
    throw invalidInput([{ path: pathOf(missing), code: "invalid_value", message: "Must be a key of the metadata" }]);
  }
  const [kind] = id.split("_");
  // In one order, so that no two transactions wait for each other.
  const locks = unique.map(({ key, value }) => JSON.stringify([shopId, kind, key, value]));
  await query(kysely(em), { text: lock }, [locks]);
  const values = [shopId, kind, JSON.stringify(unique)];
  const [taken] = await query<{ recordId: string; key: string }>(kysely(em), { text: findTaken }, values);
  if (!taken) return;
  const { recordId, key } = taken;
  throw invalidInput([{ path: pathOf(key), code: "taken", message: `Is the same in ${recordId}`, recordId }]);
}
