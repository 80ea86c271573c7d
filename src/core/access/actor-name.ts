import type { CoreContext } from "../context.ts";
import { loaderOf } from "../queries/loader-of.ts";
import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

/** The description of a field with the name of the actor of a change. */
export const ACTOR_NAME =
  "The email address of the staff member, or the name of the service or API key. Null if actorId is null.";

/** Loads the name of a record's actor, in one statement for many records. */
export async function actorName(context: CoreContext, shopId: string, id: string | null): Promise<string | null> {
  return id === null ? null : loaderOf(context, loadActorNames).load({ shopId, id });
}

/**
 * Loads the email addresses of staff, including former members, and the names of API keys and service tokens. All
 * actors belong to one shop.
 */
export async function loadActorNames(
  database: Kysely<Database>,
  actors: readonly RowKey[],
): Promise<(string | null)[]> {
  const { shopId } = actors[0]!;
  const named = (table: "api_keys" | "service_tokens") =>
    database.selectFrom(table).select(["id", "name"]).where("shop_id", "=", shopId).where("id", "=", idIn(actors));
  const rows = await database
    .selectFrom("staff")
    .select(["id", "email as name"])
    .where("id", "=", idIn(actors))
    .unionAll(named("api_keys"))
    .unionAll(named("service_tokens"))
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return actors.map(({ id }) => names.get(id) ?? null);
}
