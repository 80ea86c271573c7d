import type { AuthChecker } from "type-graphql";
import type { Shop } from "../model/shops/shop.entity.ts";
import { requireMembership, requirePermission } from "./permissions.ts";
import type { Caller, Permission } from "../model/permissions.ts";
import { requireReadableAnswer } from "./readable-answer.ts";

/**
 * Checks `@Authorized(permission)` on fields of a shop and on mutations, which have the argument `shopId`. Without a
 * permission, it admits every member of the shop.
 */
export const authChecker: AuthChecker<{ caller: Caller | undefined }, Permission> = (
  { root, args, context, info },
  permissions,
) => {
  const isOfShop = info.parentType.name === "Shop";
  const shopId = isOfShop ? (root as Shop).id : (args.shopId as string);
  const { caller } = requireMembership(context.caller, shopId);
  for (const permission of permissions) requirePermission(caller, shopId, permission);
  // API keys only run the fixed documents of REST. The specification defines their answers.
  if (!isOfShop && caller.kind !== "apiKey") requireReadableAnswer(caller, shopId, info);
  return true;
};
