import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../access/author.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { databaseTime } from "../queries/database-time.ts";
import { CredentialStatus, type Credential } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { lockCredential } from "./lock-credential.ts";

/** Ends a credential for good, and returns it. Does nothing to one that is revoked already. @throws AppError NOT_FOUND */
export async function revokeCredential<Kind extends Credential>(
  em: EntityManager,
  kind: CredentialKind<Kind>,
  shopId: string,
  author: Author,
  id: string,
): Promise<Kind> {
  return em.transactional(async (transaction) => {
    const credential = await lockCredential(transaction, kind, shopId, id);
    if (credential.revokedAt) return credential;
    Object.assign(credential, { revokedAt: await databaseTime(transaction), status: CredentialStatus.REVOKED });
    await recordAudit(transaction, shopId, author, { action: kind.revoked, target: credential });
    return credential;
  });
}
