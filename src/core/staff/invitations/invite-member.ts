import { sql } from "@mikro-orm/postgresql";
import { z } from "zod";
import { emailAddress } from "../../../platform/mail/email-address.ts";
import type { CoreServices } from "../../context.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { sendMails, tokenOwner } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import { hasAddress } from "../accounts/account.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { Membership, Role } from "../../model/staff/staff.entity.ts";
import { countInvitation } from "../throttle/mail-throttle.ts";
import { digestToken, generateToken } from "../accounts/token.ts";

/** The lifetime of an invitation: a week. Milliseconds. */
const LIFETIME = 7 * 86_400_000;
/** The maximum number of invitations, because their list has no pages. */
const MAX_INVITATIONS = 100;

const inviteMemberSchema = z.strictObject({ email: emailAddress, role: z.enum(Role) });

/**
 * Invites an address to a shop, and replaces its earlier invitation. Expired invitations are deleted. The token is only
 * mailed to the address. Without mail it is returned once.
 *
 * @throws AppError VALIDATION_FAILED, also when they are a member already; SHOP_NOT_FOUND; LIMIT_REACHED when 100
 *   others wait; RATE_LIMITED when too many mails were asked for
 */
export async function inviteMember(
  operation: Operation<ShopKey>,
  { encryption, sendsMail }: Pick<CoreServices, "encryption" | "sendsMail">,
  request: z.input<typeof inviteMemberSchema>,
): Promise<{ invitation: Invitation; token: string | null }> {
  const { email, role } = parseInput(inviteMemberSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em, shop, actor } = inside;
    // Concurrent invitations and joins run one after another.
    await lockShop(em, shop.id);
    if ((await em.count(Membership, { shopId: shop.id, staff: hasAddress(email) })) > 0) {
      throw invalidInput([{ path: "email", code: "invalid_value", message: "Is already a member of this shop" }]);
    }
    const useless = [hasAddress(email), { expiresAt: { $lte: sql.now() } }];
    await em.nativeDelete(Invitation, { shopId: shop.id, $or: useless });
    if ((await em.count(Invitation, { shopId: shop.id })) >= MAX_INVITATIONS) {
      const hint = "Revoke invitations that you no longer need, or wait until some are accepted or expire.";
      throw new AppError("LIMIT_REACHED", `A shop can have at most ${MAX_INVITATIONS} pending invitations`, { hint });
    }
    const token = generateToken();
    const createdAt = await databaseTime(em);
    const invitation = em.create(Invitation, {
      shopId: shop.id,
      id: newId("inv"),
      email,
      role,
      tokenDigest: digestToken(token),
      invitedBy: actor.id,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + LIFETIME),
    });
    em.persist(invitation);
    const target = { id: invitation.id, name: email };
    await recordAudit(inside, { action: AuditAction.MEMBER_INVITED, target, details: { role } });
    if (!sendsMail) return { invitation, token };
    await countInvitation(em, shop.id, email);
    const sealedToken = encryption.seal(token, tokenOwner(invitation));
    await sendMails(em, [{ mail: "INVITATION", shopId: shop.id, invitationId: invitation.id, sealedToken }]);
    return { invitation, token: null };
  });
}
