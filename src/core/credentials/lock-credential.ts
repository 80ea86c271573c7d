import { LockMode, type EntityManager, type FilterQuery } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import type { Credential } from "../model/credentials/credential.ts";
import type { CredentialKind } from "./credential-kind.ts";

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
