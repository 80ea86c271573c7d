import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { z } from "zod";
import { invalidInput } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Caller } from "../caller.ts";
import { AuditAction } from "../credentials/audit-entry.entity.ts";
import { recordAudit } from "../credentials/record-audit.ts";
import { projections, runStatement, type Database } from "../database.ts";
import { parseInput } from "../input.ts";
import { lockShop } from "../shops/lock-shop.ts";
import type { Invitation } from "./invitation.entity.ts";
import { Role } from "./staff.entity.ts";
import { digestToken, generateToken } from "./token.ts";

/** How long an invitation can be accepted. */
const LIFETIME = "interval '7 days'";

const inviteMemberSchema = z.strictObject({ email: z.email().max(254), role: z.enum(Role) });

export type PublicInvitation = Omit<Invitation, "tokenDigest">;

/**
 * Invites whoever has the address. An earlier invitation of theirs to this shop is replaced. The token in the
 * answer exists nowhere else.
 *
 * @throws AppError VALIDATION_FAILED, also when they are a member already; SHOP_NOT_FOUND
 */
export async function inviteMember(
  em: EntityManager,
  shopId: string,
  caller: Caller,
  request: z.input<typeof inviteMemberSchema>,
): Promise<{ invitation: PublicInvitation; token: string }> {
  const { email, role } = parseInput(inviteMemberSchema, request);
  return em.transactional(async (transaction) => {
    const database = projections(transaction);
    // Who joins or is invited at the same moment takes turns.
    await lockShop(transaction, shopId);
    await refuseMember(database, shopId, email);
    const token = generateToken();
    const invitation = { shopId, id: newId("inv"), email, role, invitedBy: caller.id };
    const [times] = await runStatement<Pick<Invitation, "createdAt" | "expiresAt">>(
      database,
      `insert into invitations (shop_id, id, email, role, token_digest, invited_by, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, now(), now() + ${LIFETIME})
      on conflict (shop_id, lower(email)) do update set id = excluded.id, email = excluded.email,
        role = excluded.role, token_digest = excluded.token_digest, invited_by = excluded.invited_by,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      returning created_at as "createdAt", expires_at as "expiresAt"`,
      [shopId, invitation.id, email, role, digestToken(token), caller.id],
    );
    const target = { id: invitation.id, name: email };
    await recordAudit(transaction, shopId, caller, { action: AuditAction.MEMBER_INVITED, target, details: { role } });
    return { invitation: { ...invitation, ...times! }, token };
  });
}

async function refuseMember(database: Kysely<Database>, shopId: string, email: string): Promise<void> {
  const members = await runStatement(
    database,
    "select 1 from memberships join staff on staff.id = staff_id where shop_id = $1 and lower(email) = $2",
    [shopId, email.toLowerCase()],
  );
  if (members.length === 0) return;
  throw invalidInput([{ path: "email", code: "invalid_value", message: "Is a member of this shop already" }]);
}
