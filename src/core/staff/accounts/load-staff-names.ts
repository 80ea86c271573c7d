import type { Kysely } from "kysely";
import type { Database } from "../../queries/database.ts";
import { anyOf, type RowKey } from "../../queries/row-key.ts";

/** The e-mail address of each person, who may have left the shop by now. */
export async function loadStaffNames(database: Kysely<Database>, staff: readonly RowKey[]): Promise<(string | null)[]> {
  const rows = await database.selectFrom("staff").select(["id", "email"]).where("id", "=", anyOf(staff)).execute();
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  return staff.map(({ id }) => emails.get(id) ?? null);
}
