import type { EntityManager } from "@mikro-orm/postgresql";
import type { CoreContext } from "../context.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import { authorizedShop, type Author } from "./author.ts";

/** The context of a change in a shop. Functions that need no more of the shop than its id take `Operation<ShopKey>`. */
export interface Operation<InShop extends ShopKey = Shop> {
  em: EntityManager;
  shop: InShop;
  author: Author;
}

export type ShopKey = Pick<Shop, "id">;

/** The operation of a mutation, after the permission check. */
export function operationOf(context: CoreContext, shopId: string): Operation<CurrentShop> {
  return { em: context.orm.em, ...authorizedShop(context, shopId) };
}

/** Runs the work with the operation in a transaction. */
export function inTransaction<InShop extends ShopKey, Result>(
  operation: Operation<InShop>,
  work: (inside: Operation<InShop>) => Promise<Result>,
): Promise<Result> {
  return operation.em.transactional((em) => work({ ...operation, em }));
}
