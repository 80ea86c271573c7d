import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { ServiceToken } from "./service-token.entity.ts";

/** The token, locked until the transaction ends. @throws AppError NOT_FOUND */
export async function lockServiceToken(em: EntityManager, shopId: string, id: string): Promise<ServiceToken> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const token = isId(id) ? await em.findOne(ServiceToken, { shopId, id }, { lockMode }) : null;
  if (!token) throw new AppError("NOT_FOUND", "Service token not found");
  return token;
}
