import type { AuthChecker } from "type-graphql";
import type { Shop } from "../model/shops/shop.entity.ts";
import { requireMembership, requirePermission } from "./permissions.ts";
import type { Actor, Permission } from "../model/permissions.ts";
import { requireReadableAnswer } from "./readable-answer.ts";

/**
 * Checks `@Authorized(permission)` on fields of a shop and on mutations, which have the argument `shopId`. Without a
 * permission, it admits every member of the shop.
 */
export const authChecker: AuthChecker<{ actor: Actor | undefined }, Permission> = (
  { root, args, context, info },
  permissions,
) => {
  const isOfShop = info.parentType.name === "Shop";
  const shopId = isOfShop ? (root as Shop).id : (args.shopId as string);
  const { actor } = requireMembership(context.actor, shopId);
  for (const permission of permissions) requirePermission(actor, shopId, permission);
  // API keys only run the fixed documents of REST. The specification defines their answers.
  if (!isOfShop && actor.kind !== "apiKey") requireReadableAnswer(actor, shopId, info);
  return true;
};
