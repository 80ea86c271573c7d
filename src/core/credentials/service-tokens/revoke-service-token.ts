import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { CredentialStatus } from "../credential.ts";
import { lockServiceToken } from "./lock-service-token.ts";
import type { ServiceToken } from "./service-token.entity.ts";

/** Ends a token for good, and returns it. Does nothing to one that is revoked already. @throws AppError NOT_FOUND */
export async function revokeServiceToken(
  em: EntityManager,
  shopId: string,
  author: Author,
  id: string,
): Promise<ServiceToken> {
  return em.transactional(async (transaction) => {
    const token = await lockServiceToken(transaction, shopId, id);
    if (token.revokedAt) return token;
    Object.assign(token, { revokedAt: await databaseTime(transaction), status: CredentialStatus.REVOKED });
    await recordAudit(transaction, shopId, author, { action: AuditAction.SERVICE_TOKEN_REVOKED, target: token });
    return token;
  });
}
