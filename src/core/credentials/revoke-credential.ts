import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { databaseTime } from "../queries/database-time.ts";
import { CredentialStatus, type Credential } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { lockCredential } from "./lock-credential.ts";

/** Revokes a credential and returns it. Does nothing if it is already revoked. @throws AppError NOT_FOUND */
export async function revokeCredential<Kind extends Credential>(
  operation: Operation<ShopKey>,
  kind: CredentialKind<Kind>,
  id: string,
): Promise<Kind> {
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const credential = await lockCredential(em, kind, shop.id, id);
    if (credential.revokedAt) return credential;
    Object.assign(credential, { revokedAt: await databaseTime(em), status: CredentialStatus.REVOKED });
    await recordAudit(inside, { action: kind.revoked, target: credential });
    return credential;
  });
}
