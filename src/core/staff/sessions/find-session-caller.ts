import { sql, type Kysely, type SqlBool } from "kysely";
import { staffMembership } from "../../access/permissions.ts";
import type { Caller } from "../../model/permissions.ts";
import { selectShop, type CurrentShop } from "../../model/shops/current-shop.ts";
import type { Membership } from "../../model/staff/staff.entity.ts";
import type { Database } from "../../model/tables.ts";
import { prepared } from "../../queries/database.ts";
import { digestToken } from "../accounts/token.ts";
import { IS_OPEN } from "./sessions.ts";

/** The age at which `last_seen_at` is updated. */
const isOutdated = sql<boolean>`last_seen_at < now() - interval '1 minute'`;

/** The session, once for each shop of its owner and its sandboxes, and once alone for an owner without one. */
function readSession(database: Kysely<Database>, token: string) {
  return prepared(database, "find session", { digest: digestToken(token) }, (given) =>
    database
      .selectFrom("sessions")
      .innerJoin("staff", "staff.id", "sessions.staff_id")
      .leftJoin("memberships", "memberships.staff_id", "staff.id")
      .leftJoin("shops", (join) => join.on(sql<boolean>`memberships.shop_id in (shops.id, shops.sandbox_of)`))
      .select(["sessions.id as sessionId", "sessions.staff_id as staffId", "email", "role"])
      .select(sql<boolean>`second_factor_at is not null`.as("hasSecondFactor"))
      .select(["muted_notifications as mutedNotifications", isOutdated.as("isOutdated"), ...selectShop])
      .where("token_digest", "=", given.digest)
      .where(sql.raw<SqlBool>(IS_OPEN))
      .orderBy("memberships.created_at")
      .orderBy("shops.id"),
  );
}

type SessionRow = Awaited<ReturnType<typeof readSession>>[number];
type MemberRow = SessionRow & CurrentShop & Pick<Membership, "role" | "mutedNotifications">;

/**
 * Finds the member of staff of a session, with their current role in each shop. Records the use, which keeps the
 * session open. Written in SQL, because every request of a browser runs it.
 */
export async function findSessionCaller(
  database: Kysely<Database>,
  token: string,
  { isUse }: { isUse: boolean },
): Promise<Caller | undefined> {
  const rows = await readSession(database, token);
  const [first] = rows;
  if (!first) return undefined;
  if (isUse && first.isOutdated) {
    await database
      .updateTable("sessions")
      .set({ last_seen_at: sql`now()` })
      .where("id", "=", first.sessionId)
      .where("last_seen_at", "<", sql<Date>`now()`)
      .execute();
  }
  const memberships = rows.filter((row): row is MemberRow => row.id !== null).map(membershipOf);
  const { staffId: id, email: name, hasSecondFactor } = first;
  return { kind: "staff", id, name, hasSecondFactor, memberships: new Map(memberships) };
}

function membershipOf(row: MemberRow) {
  const { sessionId, isOutdated: _, staffId, email, hasSecondFactor, role, mutedNotifications, ...shop } = row;
  const membership = staffMembership(shop, role, hasSecondFactor);
  // A sandbox sends no mail.
  return [shop.id, shop.sandboxOf === null ? { ...membership, mutedNotifications } : membership] as const;
}
