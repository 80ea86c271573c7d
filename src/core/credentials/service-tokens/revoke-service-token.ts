import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import type { Author } from "../../access/author.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { ServiceToken } from "./service-token.entity.ts";

/** Ends a token for good, and returns it. Does nothing to one that is revoked already. @throws AppError NOT_FOUND */
export async function revokeServiceToken(
  em: EntityManager,
  shopId: string,
  author: Author,
  id: string,
): Promise<ServiceToken> {
  return em.transactional(async (transaction) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const token = isId(id) ? await transaction.findOne(ServiceToken, { shopId, id }, { lockMode }) : null;
    if (!token) throw new AppError("NOT_FOUND", "Service token not found");
    if (token.revokedAt) return token;
    token.revokedAt = await databaseTime(transaction);
    await recordAudit(transaction, shopId, author, { action: AuditAction.SERVICE_TOKEN_REVOKED, target: token });
    return token;
  });
}
