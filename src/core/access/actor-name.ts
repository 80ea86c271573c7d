import type { CoreContext } from "../context.ts";
import { loaderOf } from "../queries/loader-of.ts";
import type { Kysely } from "kysely";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

/**
 * Loads the name of a record's actor, in one statement for many records. Not with the record: its statement runs on the
 * shop's node of a cluster, and staff and credentials are on the coordinator.
 */
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
