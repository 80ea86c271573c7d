import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { text } from "../model/text.ts";
import { parseInput } from "../validation/input.ts";
import type { Credential } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { lockCredential } from "./lock-credential.ts";

/** The name of a credential. */
export const credentialName = text({ min: 1, max: 255, trim: true });

const renameSchema = z.strictObject({ name: credentialName });

/**
 * Renames a credential, also an expired or revoked one, and returns it.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function renameCredential<Kind extends Credential>(
  operation: Operation<ShopKey>,
  kind: CredentialKind<Kind>,
  id: string,
  request: z.input<typeof renameSchema>,
): Promise<Kind> {
  const { name } = parseInput(renameSchema, request);
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const credential = await lockCredential(em, kind, shop.id, id);
    if (credential.name === name) return credential;
    const target = { id: credential.id, name: credential.name };
    credential.name = name;
    await recordAudit(inside, { action: kind.updated, target, details: { name } });
    return credential;
  });
}
