import { Kind, type FieldNode, type OperationDefinitionNode, type SelectionSetNode } from "graphql";

/**
 * Names a valid operation by its distinct root fields. A single field below `shop` is included, as in `shop.products`,
 * and fragments are `…`. The operation's own name is not used, because it may be any text.
 */
export function operationFields({ selectionSet }: OperationDefinitionNode): string[] {
  return [...new Set(selected(selectionSet).map((field) => (field ? nameOf(field) : "…")))];
}

function nameOf({ name, selectionSet }: FieldNode): string {
  const [only, ...others] = name.value === "shop" ? selected(selectionSet) : [];
  return only && others.length === 0 ? `shop.${only.name.value}` : name.value;
}

/** The fields of a selection, undefined for fragments, and without `__typename`, which many clients add. */
function selected(selectionSet: SelectionSetNode | undefined): (FieldNode | undefined)[] {
  const selections = selectionSet?.selections.map((node) => (node.kind === Kind.FIELD ? node : undefined)) ?? [];
  return selections.filter((field) => field?.name.value !== "__typename");
}
