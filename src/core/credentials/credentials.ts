import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { describeChange, recordAudit } from "../audit/record-audit.ts";
import { line } from "../model/text.ts";
import { parseInput } from "../validation/input.ts";
import { type Credential, CredentialStatus } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { databaseTime } from "../queries/database-time.ts";
import { LockMode, type EntityManager, type FilterQuery } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { apiKeyName } from "../shops/sandbox-rules.ts";

/** The name of a credential. */
export const credentialName = line({ max: 255 });

const renameSchema = z.strictObject({ name: credentialName });

/**
 * Renames a credential, also an expired or revoked one.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function renameCredential<Kind extends Credential>(
  operation: Operation,
  kind: CredentialKind<Kind>,
  id: string,
  request: z.input<typeof renameSchema>,
): Promise<void> {
  const input = parseInput(renameSchema, request);
  const name = kind.table === "api_keys" ? apiKeyName(operation.shop, input.name) : input.name;
  await inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const credential = await lockCredential(em, kind, shop.id, id);
    if (credential.name === name) return;
    const target = { id: credential.id, name: credential.name };
    const details = describeChange(target, { name });
    credential.name = name;
    await recordAudit(inside, { action: kind.updated, target, details });
  });
}

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

/** Locks a credential until the transaction ends. @throws AppError NOT_FOUND */
export async function lockCredential<Kind extends Credential>(
  em: EntityManager,
  { entity, title }: CredentialKind<Kind>,
  shopId: string,
  id: string,
): Promise<Kind> {
  const key = { shopId, id } as FilterQuery<Kind>;
  const credential = isId(id) ? await em.findOne(entity, key, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
  if (!credential) throw new AppError("NOT_FOUND", `${title} not found`);
  return credential;
}

/** The expiry of a new credential: a future time, or null for never. */
export function credentialEnd(now: Date) {
  return z
    .date()
    .refine((instant) => instant > now, "Must be in the future")
    .nullish()
    .transform((instant) => instant ?? null);
}
