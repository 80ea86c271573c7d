import { sql, type Kysely } from "kysely";
import type { AuthChecker } from "type-graphql";
import type { CoreContext } from "../context.ts";
import type { Database } from "../model/tables.ts";
import type { Shop } from "../model/shops/shop.entity.ts";
import { requireMembership, requirePermission } from "./permissions.ts";
import type { Caller, Needed } from "../model/permissions.ts";
import { getNamedType, isObjectType, type FieldNode, type GraphQLOutputType, type GraphQLResolveInfo } from "graphql";
import { selectedFields } from "../queries/selection.ts";

/**
 * Checks `@Authorized(permission)` on fields of a shop and on mutations, which have the argument `shopId`. Without a
 * permission, it admits every member of the shop.
 */
export const authChecker: AuthChecker<Pick<CoreContext, "caller" | "database">, Needed> = (
  { root, args, context, info },
  requirements,
) => {
  const isOfShop = info.parentType.name === "Shop";
  const shopId = isOfShop ? (root as Shop).id : (args.shopId as string);
  const { caller, membership } = requireMembership(context.caller, shopId);
  for (const required of requirements) requirePermission(caller, shopId, required);
  // API keys only run the fixed documents of REST. The specification defines their answers.
  if (!isOfShop && caller.kind !== "apiKey") requireReadableAnswer(caller, shopId, info);
  return membership.shop.isIdle ? noteUse(context.database, shopId) : true;
};

/** Notes that a sandbox is used, because an unused one is deleted. */
async function noteUse(database: Kysely<Database>, id: string): Promise<boolean> {
  await database
    .updateTable("shops")
    .set({ sandbox_used_at: sql`now()` })
    .where("id", "=", id)
    .execute();
  return true;
}

/** Fields shown without permission to read the record: they identify it and its version. */
export const SHOWN_TO_WRITERS: ReadonlySet<string> = new Set(["id", "version", "__typename"]);

/**
 * Checks, before a mutation starts, that its answer selects only what the caller may read. Fields under @skip or
 * @include count.
 *
 * @throws AppError FORBIDDEN
 */
export function requireReadableAnswer(caller: Caller, shopId: string, info: GraphQLResolveInfo): void {
  checkSelection(info.returnType, info.fieldNodes);

  function checkSelection(output: GraphQLOutputType, nodes: readonly FieldNode[]): void {
    const type = getNamedType(output);
    if (!isObjectType(type)) return;
    const { readableWith } = type.extensions as { readableWith?: Needed };
    for (const node of nodes.flatMap((above) => selectedFields(above, info.fragments))) {
      const name = node.name.value;
      if (SHOWN_TO_WRITERS.has(name)) continue;
      if (readableWith) requirePermission(caller, shopId, readableWith);
      else checkSelection(type.getFields()[name]!.type, [node]);
    }
  }
}
