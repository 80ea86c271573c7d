import type { Kysely } from "kysely";
import { runStatement, type Database } from "../database.ts";
import { permissionsByRole, type Actor, type ShopMembership } from "../permissions.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { IDLE_TIME } from "./open-session.ts";
import type { Role } from "./staff.entity.ts";
import { digestToken } from "./token.ts";

/** How old `last_seen_at` may become before it is written again. Milliseconds. */
const SEEN_INTERVAL = 60_000;

type Row = { sessionId: string; lastSeenAt: Date; staffId: string; email: string } & (
  | (Shop & { role: Role })
  // Of somebody who belongs to no shop now.
  | { id: null }
);

/** The member of staff whose session this is, with their role in each of their shops, as it is now. */
export async function findSessionActor(database: Kysely<Database>, token: string): Promise<Actor | undefined> {
  const now = Date.now();
  const rows = await runStatement<Row>(
    database,
    `select sessions.id as "sessionId", last_seen_at as "lastSeenAt", sessions.staff_id as "staffId", email, role,
      shops.id, name, plan, trial_ends_at as "trialEndsAt", currency, oversells, shops.created_at as "createdAt"
    from sessions
    join staff on staff.id = sessions.staff_id
    left join memberships on memberships.staff_id = staff.id
    left join shops on shops.id = memberships.shop_id
    where token_digest = $1 and expires_at > $2 and last_seen_at > $3
    order by memberships.created_at, shops.id`,
    [digestToken(token), new Date(now), new Date(now - IDLE_TIME)],
  );
  const [first] = rows;
  if (!first) return undefined;
  if (first.lastSeenAt.getTime() <= now - SEEN_INTERVAL) {
    const text = "update sessions set last_seen_at = $2 where id = $1 and last_seen_at < $2";
    await runStatement(database, text, [first.sessionId, new Date(now)]);
  }
  const memberships = rows.flatMap((row) => (row.id === null ? [] : [membershipOf(row)]));
  return { kind: "staff", id: first.staffId, name: first.email, memberships: new Map(memberships) };
}

function membershipOf({ sessionId, lastSeenAt, staffId, email, role, ...shop }: Extract<Row, Shop>) {
  const membership: ShopMembership = { shop, role, permissions: new Set(permissionsByRole[role]) };
  return [shop.id, membership] as const;
}
