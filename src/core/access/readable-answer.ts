import { getNamedType, isObjectType, type FieldNode, type GraphQLOutputType, type GraphQLResolveInfo } from "graphql";
import { selectedFields } from "../queries/selection.ts";
import { requirePermission } from "./permissions.ts";
import type { Actor, Permission } from "../model/permissions.ts";

/** Fields that the author of a change may see without permission to read: they identify the record and its version. */
const SHOWN_TO_WRITERS: ReadonlySet<string> = new Set(["id", "version", "__typename"]);

/**
 * Checks that a mutation's answer shows no more of a record than the caller may read, before the mutation begins. A
 * field under @skip or @include counts.
 *
 * @throws AppError FORBIDDEN
 */
export function requireReadableAnswer(actor: Actor, shopId: string, info: GraphQLResolveInfo): void {
  checkSelection(info.returnType, info.fieldNodes);

  function checkSelection(output: GraphQLOutputType, nodes: readonly FieldNode[]): void {
    const type = getNamedType(output);
    if (!isObjectType(type)) return;
    const { readableWith } = type.extensions as { readableWith?: Permission };
    for (const node of nodes.flatMap((above) => selectedFields(above, info.fragments))) {
      const name = node.name.value;
      if (SHOWN_TO_WRITERS.has(name)) continue;
      if (readableWith) requirePermission(actor, shopId, readableWith);
      else checkSelection(type.getFields()[name]!.type, [node]);
    }
  }
}
