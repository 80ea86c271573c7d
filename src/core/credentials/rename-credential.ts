import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../access/author.ts";
import type { AuditAction } from "../audit/audit-entry.entity.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { parseInput, text } from "../validation/input.ts";
import type { Credential } from "./credential.ts";

/** The name of a credential, for people. */
export const credentialName = text({ min: 1, max: 255, trim: true });

const renameSchema = z.strictObject({ name: credentialName });

/**
 * Gives a credential another name, whether it has ended or not, and returns it. `lock` finds it in the transaction.
 *
 * @throws AppError VALIDATION_FAILED; what `lock` throws
 */
export async function renameCredential<Kind extends Credential>(
  em: EntityManager,
  author: Author,
  action: AuditAction,
  lock: (em: EntityManager) => Promise<Kind>,
  request: z.input<typeof renameSchema>,
): Promise<Kind> {
  const { name } = parseInput(renameSchema, request);
  return em.transactional(async (transaction) => {
    const credential = await lock(transaction);
    if (credential.name === name) return credential;
    const target = { id: credential.id, name: credential.name };
    credential.name = name;
    await recordAudit(transaction, credential.shopId, author, { action, target, details: { name } });
    return credential;
  });
}
