import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ID } from "type-graphql";
import { z } from "zod";
import { mayRead, type Actor } from "../../access/actor.ts";
import { CREDENTIAL_IS_ACTIVE } from "../../model/credentials/credential.ts";
import { editable } from "../../model/editable.ts";
import { invalidInput, type InputIssue } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { Permission } from "../../model/permissions.ts";
import { topicFields } from "../../model/webhooks/topics.ts";
import { anyOf } from "../../queries/columns.ts";
import { kysely } from "../../queries/database.ts";

/** The maximum number of actors that an endpoint leaves out. */
const MAX_IGNORED = 50;

/** What an endpoint leaves out. */
export const filterFields = {
  fields: editable([String], z.array(z.enum(topicFields)).nullish(), {
    description:
      "All fields that the endpoint asks for, such as product.updated.price, of topics that it subscribes to. An event that changed none of its topic's is not delivered. A topic without fields is always delivered. WebhookTopic.fields lists them. Null is like omitting it.",
  }),
  ignoredActorIds: editable([ID], z.array(z.string()).max(MAX_IGNORED).nullish(), {
    description: `The IDs of all API keys, service tokens and staff whose changes are not delivered. At most ${MAX_IGNORED}. The successor of an API key is added when the key is rotated. Null is like omitting it.`,
  }),
};

const permissions = {
  order: Permission.READ_ORDERS,
  product: Permission.READ_PRODUCTS,
  customer: Permission.READ_CUSTOMERS,
};

/** The permission to read the records of a topic, or of a field such as product.updated.price. */
export function permissionOfTopic(name: string): Permission {
  return permissions[name.split(".")[0] as keyof typeof permissions];
}

/** @throws AppError VALIDATION_FAILED for topics and fields of records that the actor may not read */
export function requireReadable(
  actor: Actor,
  request: { topics?: readonly string[] | null; fields?: readonly string[] | null },
): void {
  const issues = (["topics", "fields"] as const).flatMap((path) =>
    (request[path] ?? []).flatMap((name, index): InputIssue[] => {
      const permission = permissionOfTopic(name);
      if (mayRead(actor, permission)) return [];
      return [{ path: `${path}.${index}`, code: "forbidden", message: `Requires the permission ${permission}` }];
    }),
  );
  if (issues.length > 0) throw invalidInput(issues);
}

const isOfTopic = (field: string) => (topic: string) => field.startsWith(`${topic}.`);

/**
 * Returns each field once, in the order of the topics. A list that is not given loses the fields of other topics.
 *
 * @throws AppError VALIDATION_FAILED for a given field whose topic the endpoint does not subscribe to
 */
export function chooseFields(
  topics: readonly string[],
  given: readonly string[] | null | undefined,
  stored: readonly string[] = [],
): string[] {
  const issues = (given ?? []).flatMap((field, index): InputIssue[] => {
    if (topics.some(isOfTopic(field))) return [];
    const message = "Must be a field of a topic that the endpoint subscribes to";
    return [{ path: `fields.${index}`, code: "invalid_value", message }];
  });
  if (issues.length > 0) throw invalidInput(issues);
  return topicFields.filter((field) => (given ?? stored).includes(field) && topics.some(isOfTopic(field)));
}

/**
 * Returns each actor once, with the API keys that replace these or are replaced by them during an overlap. The shop must
 * be locked, so that no key is rotated before the commit.
 *
 * @param stored the ids that the endpoint has, which may be revoked since
 * @throws AppError VALIDATION_FAILED for ids that are no active credential or member of the shop
 */
export async function findActors(
  em: EntityManager,
  shopId: string,
  given: readonly string[],
  stored: readonly string[] = [],
): Promise<string[]> {
  const ids = [...new Set(given)];
  const named = anyOf(ids.filter((id) => isId(id)));
  const database = kysely(em);
  const isActive = sql.raw<boolean>(CREDENTIAL_IS_ACTIVE);
  const none = sql<string | null>`null`.as("successorId");
  const tokens = database.selectFrom("service_tokens").select(["id", none]).where("id", "=", named).where(isActive);
  const staff = database.selectFrom("memberships").select(["staff_id as id", none]).where("staff_id", "=", named);
  const found = await database
    .selectFrom("api_keys")
    .select(["id", "successor_id as successorId"])
    .where("shop_id", "=", shopId)
    .where((eb) => eb.or([eb("id", "=", named), eb("successor_id", "=", named)]))
    .where(isActive)
    .unionAll(tokens.where("shop_id", "=", shopId))
    .unionAll(staff.where("shop_id", "=", shopId))
    .execute();
  const known = new Set(found.map(({ id }) => id).concat(stored));
  const issues = given.flatMap((id, index): InputIssue[] => {
    if (known.has(id)) return [];
    const message = "The shop has no active API key, service token or staff member with this ID";
    return [{ path: `ignoredActorIds.${index}`, code: "not_found", message }];
  });
  if (issues.length > 0) throw invalidInput(issues);
  const rotated = found.flatMap(({ id, successorId }) => (successorId === null ? [id] : [id, successorId]));
  return [...new Set([...ids, ...rotated])].toSorted();
}
