import { createHash, randomBytes } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { projections } from "../database.ts";
import { permissionsByRole, type Actor, type ShopMembership } from "../permissions.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { Session, type Staff } from "./staff.entity.ts";

const SESSION_HOURS = 12;

// Verified when nobody has the address, so that both answers take the same time.
const nobody = hashPassword(randomBytes(16).toString("hex"));

/** Staff as they are shown: without the password hash. */
export type PublicStaff = Omit<Staff, "passwordHash">;

/**
 * Opens a session for 12 hours.
 *
 * @throws AppError UNAUTHENTICATED, the same whether the address or the password is wrong
 */
export async function logIn(
  em: EntityManager,
  email: string,
  password: string,
): Promise<{ token: string; expiresAt: Date; staff: PublicStaff }> {
  const found = await projections(em)
    .selectFrom("staff")
    .select(["id", "email", "password_hash", "created_at as createdAt"])
    .where((eb) => eb(eb.fn<string>("lower", ["email"]), "=", email.toLowerCase()))
    .executeTakeFirst();
  const matches = await verifyPassword(password, found?.password_hash ?? (await nobody));
  if (!found || !matches) throw new AppError("UNAUTHENTICATED", "E-mail or password is wrong");
  const token = randomBytes(32).toString("base64url");
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + SESSION_HOURS * 3_600_000);
  const { password_hash: _passwordHash, ...staff } = found;
  const writer = em.fork();
  await writer
    .persist(
      writer.create(Session, {
        id: newId("ses"),
        tokenDigest: digestToken(token),
        staffId: staff.id,
        createdAt,
        lastSeenAt: createdAt,
        expiresAt,
      }),
    )
    .flush();
  return { token, expiresAt, staff };
}

export async function logOut(em: EntityManager, token: string): Promise<void> {
  await em.fork().nativeDelete(Session, { tokenDigest: digestToken(token) });
}

/** The member of staff whose session this is, with their role in each of their shops. */
export async function findSessionActor(em: EntityManager, token: string): Promise<Actor | undefined> {
  const database = projections(em);
  const session = await database
    .selectFrom("sessions")
    .innerJoin("staff", "staff.id", "sessions.staff_id")
    .select(["staff_id", "email"])
    .where("token_digest", "=", digestToken(token))
    .where("expires_at", ">", new Date())
    .executeTakeFirst();
  if (!session) return undefined;
  const rows = await database
    .selectFrom("memberships")
    .innerJoin("shops", "shops.id", "memberships.shop_id")
    .select(["role", "shops.id as id", "name", "plan", "trial_ends_at as trialEndsAt", "currency", "oversells"])
    .select("shops.created_at as createdAt")
    .where("staff_id", "=", session.staff_id)
    .execute();
  const memberships = rows.map(({ role, ...shop }): [string, ShopMembership] => [
    shop.id,
    { shop: shop as Shop, permissions: new Set(permissionsByRole[role]) },
  ]);
  return { kind: "staff", id: session.staff_id, name: session.email, memberships: new Map(memberships) };
}

function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
