import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { CredentialStatus } from "../credential.ts";
import type { ApiKey } from "./api-key.entity.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { lockApiKey } from "./lock-api-key.ts";
import { recordAudit } from "../../audit/record-audit.ts";

/** Ends a key for good, and returns it. Does nothing to one that is revoked already. @throws AppError NOT_FOUND */
export async function revokeApiKey(em: EntityManager, shopId: string, author: Author, id: string): Promise<ApiKey> {
  return em.transactional(async (transaction) => {
    const key = await lockApiKey(transaction, shopId, id);
    if (key.revokedAt) return key;
    Object.assign(key, { revokedAt: await databaseTime(transaction), status: CredentialStatus.REVOKED });
    await recordAudit(transaction, shopId, author, { action: AuditAction.API_KEY_REVOKED, target: key });
    return key;
  });
}
