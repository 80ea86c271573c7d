import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { ApiKey } from "./api-key.entity.ts";

/** The key, locked until the transaction ends. @throws AppError NOT_FOUND */
export async function lockApiKey(em: EntityManager, shopId: string, id: string): Promise<ApiKey> {
  const key = isId(id) ? await em.findOne(ApiKey, { shopId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
  if (!key) throw new AppError("NOT_FOUND", "API key not found");
  return key;
}
