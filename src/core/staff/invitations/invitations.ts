import { sql, LockMode, type EntityManager, type FindOneOptions } from "@mikro-orm/postgresql";
import { z } from "zod";
import { emailAddress } from "../../../platform/mail/email-address.ts";
import { findLostAuthority } from "../../access/lost-authority.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { permissionsByRole } from "../../access/permissions.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { CoreServices } from "../../context.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { newId, isId } from "../../model/ids.ts";
import { Permission } from "../../model/permissions.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { Membership, Role } from "../../model/staff/staff.entity.ts";
import { sendMails, tokenOwner } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { requireNoSandbox } from "../../shops/sandbox-rules.ts";
import { lockShop, requireShop } from "../../shops/shops.ts";
import { parseInput } from "../../validation/input.ts";
import { hasAddress } from "../accounts/account.ts";
import { digestToken, generateToken } from "../accounts/token.ts";
import { countInvitation } from "../throttle/mail-throttle.ts";

/** The permission to invite. It allows granting every role. */
export const INVITE = Permission.SETTINGS;
/** The lifetime of an invitation: a week. Milliseconds. */
const LIFETIME = 7 * 86_400_000;
/** The maximum number of invitations, because their list has no pages. */
const MAX_INVITATIONS = 100;

const lockMode = LockMode.PESSIMISTIC_WRITE;

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
    requireNoSandbox(await lockShop(em, shop.id), "staff");
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

/** Lists a shop's open invitations, oldest first. */
export function listInvitations(em: EntityManager, shopId: string): Promise<Invitation[]> {
  const orderBy = { createdAt: "asc", id: "asc" } as const;
  return em.find(Invitation, { shopId }, { orderBy, disableIdentityMap: true });
}

/** Finds the invitation of a token. @throws AppError NOT_FOUND, the same for every token that cannot be used */
export async function findInvitation(
  em: EntityManager,
  token: string,
  options: FindOneOptions<Invitation>,
): Promise<Invitation> {
  const valid = { tokenDigest: digestToken(token), expiresAt: { $gt: sql.now() } };
  const invitation = await em.findOne(Invitation, valid, options);
  // The inviter may have lost the right, or lack a second factor now.
  if (invitation && (await mayStillInvite(em, invitation))) return invitation;
  const hint = "It may have expired, or been used, replaced or revoked. Ask for a new invitation.";
  throw new AppError("NOT_FOUND", "Invitation not found", { hint });
}

/** Revokes an invitation. Returns false when the shop has none with this id. */
export async function revokeInvitation(operation: Operation<ShopKey>, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const invitation = await em.findOne(Invitation, { shopId: shop.id, id }, { lockMode });
    if (!invitation) return false;
    await revoke(inside, invitation);
    return true;
  });
}

/** Revokes a member's invitations to a shop, in the transaction in which they lose the right to invite. */
export async function revokeInvitationsBy(operation: Operation<ShopKey>, invitedBy: string): Promise<void> {
  const { em, shop } = operation;
  const invitations = await em.find(Invitation, { shopId: shop.id, invitedBy }, { lockMode });
  for (const invitation of invitations) await revoke(operation, invitation);
}

async function revoke(operation: Operation<ShopKey>, { shopId, id, email }: Invitation): Promise<void> {
  await operation.em.nativeDelete(Invitation, { shopId, id });
  await recordAudit(operation, { action: AuditAction.INVITATION_REVOKED, target: { id, name: email } });
}

/** Returns true when a role has the permission to invite. */
export function mayInvite(role: Role): boolean {
  return permissionsByRole[role].includes(INVITE);
}

/** Returns true when the inviter may still invite. An operator always may. */
export async function mayStillInvite(em: EntityManager, { shopId, invitedBy }: Invitation): Promise<boolean> {
  if (invitedBy === null) return true;
  const inviter = { kind: "STAFF", id: invitedBy, name: null } as const;
  return (await findLostAuthority(em, await requireShop(em, shopId), inviter, [INVITE])) === undefined;
}
