import { sql, type EntityManager, type FindOneOptions } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { digestToken } from "../accounts/token.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { mayStillInvite } from "./may-invite.ts";

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
