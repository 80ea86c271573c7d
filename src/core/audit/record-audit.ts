import { newId } from "../model/ids.ts";
import type { Operation, ShopKey } from "../access/operation.ts";
import { databaseTime } from "../queries/database-time.ts";
import { AuditEntry, type AuditAction } from "../model/shops/audit-entry.entity.ts";

/** Details of a change, by name; never a secret. */
export type AuditDetails = Record<string, string>;

/** Longer values are cut off. */
const MAX_VALUE_LENGTH = 200;

/**
 * Describes the values that both have: the new ones by name, and the old ones as `oldName`. Never for personal data,
 * because the log outlives it.
 */
export function describeChange<Row extends object>(before: Partial<Row>, after: Partial<Row>): AuditDetails {
  const names = (Object.keys(before) as (keyof Row & string)[]).filter((name) => name in after);
  const values = names.flatMap((name) => [
    [`old${name.charAt(0).toUpperCase()}${name.slice(1)}`, textOf(before[name])],
    [name, textOf(after[name])],
  ]);
  return Object.fromEntries(values);
}

function textOf(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(", ") : value;
  const characters = Array.from(String(text ?? ""));
  const isLong = characters.length > MAX_VALUE_LENGTH;
  return isLong ? `${characters.slice(0, MAX_VALUE_LENGTH).join("")}…` : characters.join("");
}

/**
 * Adds an audit entry in the transaction of the change. Entries must not contain secrets: more people can read the log,
 * and for longer, than the records.
 */
export async function recordAudit(
  { em, shop, actor }: Operation<ShopKey>,
  entry: { action: AuditAction; target: { id: string; name: string }; details?: AuditDetails; at?: Date },
): Promise<void> {
  await em.insert(AuditEntry, {
    shopId: shop.id,
    id: newId("aud"),
    action: entry.action,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    targetId: entry.target.id,
    targetName: entry.target.name,
    details: entry.details ?? {},
    address: actor.address,
    userAgent: actor.userAgent,
    createdAt: entry.at ?? (await databaseTime(em)),
  });
}
