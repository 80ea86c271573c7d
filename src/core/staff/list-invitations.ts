import type { Kysely } from "kysely";
import { runStatement, type Database } from "../database.ts";
import type { PublicInvitation } from "./invite-member.ts";

/** The shop's invitations that were neither used nor revoked, the oldest first. */
export function listInvitations(database: Kysely<Database>, shopId: string): Promise<PublicInvitation[]> {
  const text = `select shop_id as "shopId", id, email, role, invited_by as "invitedBy", created_at as "createdAt",
    expires_at as "expiresAt" from invitations where shop_id = $1 order by created_at, id`;
  return runStatement(database, text, [shopId]);
}
