import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../access/author.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { parseInput, text } from "../validation/input.ts";
import type { Credential } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { lockCredential } from "./lock-credential.ts";

/** The name of a credential, for people. */
export const credentialName = text({ min: 1, max: 255, trim: true });

const renameSchema = z.strictObject({ name: credentialName });

/**
 * Gives a credential another name, whether it has ended or not, and returns it.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function renameCredential<Kind extends Credential>(
  em: EntityManager,
  kind: CredentialKind<Kind>,
  shopId: string,
  author: Author,
  id: string,
  request: z.input<typeof renameSchema>,
): Promise<Kind> {
  const { name } = parseInput(renameSchema, request);
  return em.transactional(async (transaction) => {
    const credential = await lockCredential(transaction, kind, shopId, id);
    if (credential.name === name) return credential;
    const target = { id: credential.id, name: credential.name };
    credential.name = name;
    await recordAudit(transaction, shopId, author, { action: kind.updated, target, details: { name } });
    return credential;
  });
}
