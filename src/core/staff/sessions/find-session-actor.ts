import { sql, type Kysely } from "kysely";
import { runStatement } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { staffMembership } from "../../access/permissions.ts";
import type { Actor } from "../../model/permissions.ts";
import { shopColumns, type CurrentShop } from "../../model/shops/current-shop.ts";
import { IS_OPEN } from "./open-session.ts";
import type { Membership } from "../../model/staff/staff.entity.ts";
import { digestToken } from "./token.ts";

/** The age at which `last_seen_at` is updated. */
const SEEN_INTERVAL = "interval '1 minute'";

type Row = { sessionId: string; isToNote: boolean; staffId: string; email: string; hasSecondFactor: boolean } & (
  | (CurrentShop & Pick<Membership, "role" | "mutedNotifications">)
  // The account belongs to no shop.
  | { id: null }
);

/**
 * Finds the member of staff of a session, with their current role in each shop. Records the use, which keeps the
 * session open. Written in SQL, because every request of a browser runs it.
 */
export async function findSessionActor(
  database: Kysely<Database>,
  token: string,
  { isUse }: { isUse: boolean },
): Promise<Actor | undefined> {
  const rows = await runStatement<Row>(
    database,
    `select sessions.id as "sessionId", sessions.staff_id as "staffId", email, role,
      second_factor_at is not null as "hasSecondFactor",
      muted_notifications as "mutedNotifications",
      last_seen_at < now() - ${SEEN_INTERVAL} as "isToNote", ${shopColumns}
    from sessions
    join staff on staff.id = sessions.staff_id
    left join memberships on memberships.staff_id = staff.id
    left join shops on shops.id = memberships.shop_id
    where token_digest = $1 and ${IS_OPEN}
    order by memberships.created_at, shops.id`,
    [digestToken(token)],
  );
  const [first] = rows;
  if (!first) return undefined;
  if (isUse && first.isToNote) {
    await database
      .updateTable("sessions")
      .set({ last_seen_at: sql`now()` })
      .where("id", "=", first.sessionId)
      .where("last_seen_at", "<", sql<Date>`now()`)
      .execute();
  }
  const memberships = rows.flatMap((row) => (row.id === null ? [] : [membershipOf(row)]));
  const { staffId: id, email: name, hasSecondFactor } = first;
  return { kind: "staff", id, name, hasSecondFactor, memberships: new Map(memberships) };
}

function membershipOf(row: Extract<Row, CurrentShop>) {
  const { sessionId, isToNote, staffId, email, hasSecondFactor, role, mutedNotifications, ...shop } = row;
  const membership = { ...staffMembership(shop, role, hasSecondFactor), mutedNotifications };
  return [shop.id, membership] as const;
}
