import type { EntityManager } from "@mikro-orm/postgresql";
import { createParameterDecorator, ID } from "type-graphql";
import { selectionOf, type Selection } from "../queries/selection.ts";
import { transactional } from "../queries/transaction.ts";
import type { CoreContext } from "../context.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import type { Topic } from "../model/webhooks/topics.ts";
import { operator, type Actor } from "./actor.ts";

/** The context of a change in a shop. Functions that only need the shop's id take `Operation<ShopKey>`. */
export interface Operation<InShop extends ShopKey = Shop> {
  em: EntityManager;
  shop: InShop;
  actor: Actor;
  /** True if changes record no events. */
  isSilent?: boolean;
  /** Collects the events that are recorded, if it is set. */
  recorded?: { topic: Topic; body: string }[];
}

export type ShopKey = Pick<Shop, "id">;

/** The operation of a mutation, with the fields that its answer selects. */
export interface AnsweredOperation extends Operation<CurrentShop> {
  selection: Selection;
}

const kinds = { apiKey: "SERVICE", service: "SERVICE", staff: "STAFF" } as const;

/** The operation of a mutation in the shop of its argument `shopId`, which `check` may refuse. */
export const ShopOperation = (check?: (shop: CurrentShop) => void) =>
  createParameterDecorator<CoreContext>(
    ({ context, args, info }): AnsweredOperation => {
      const operation = operationOf(context, args.shopId);
      check?.(operation.shop);
      return { ...operation, selection: selectionOf(info) };
    },
    { arg: { name: "shopId", typeFunc: () => ID, options: { description: "The shop." } } },
  );

/** The operation of a field: the permission check has found its author and shop. */
export function operationOf({ orm, caller, origin }: CoreContext, shopId: string): Operation<CurrentShop> {
  const { kind, id, name, memberships } = caller!;
  const { shop, permissions } = memberships.get(shopId)!;
  return { em: orm.em, shop, actor: { kind: kinds[kind], id, name, permissions, ...origin } };
}

/** The operation of an operator's command. */
export function asOperator(em: EntityManager, shopId: string): Operation<ShopKey> {
  return { em, shop: { id: shopId }, actor: operator };
}

/** Runs the work with the operation in a transaction. */
export function inTransaction<InShop extends ShopKey, Result>(
  operation: Operation<InShop>,
  work: (inside: Operation<InShop>) => Promise<Result>,
): Promise<Result> {
  return transactional(operation.em, (em) => work({ ...operation, em }));
}
