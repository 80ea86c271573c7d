import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from "graphql";

/**
 * Names of the fields that are asked of the objects at `path` below the field that is being resolved; empty when
 * nothing is asked of them. A field under @skip or @include counts.
 */
export function requestedFields(info: GraphQLResolveInfo, ...path: string[]): ReadonlySet<string> {
  let fields = info.fieldNodes.flatMap((node) => selectedFields(node, info));
  for (const name of path) {
    fields = fields.filter((field) => field.name.value === name).flatMap((field) => selectedFields(field, info));
  }
  return new Set(fields.map((field) => field.name.value));
}

/** The fields that are asked of the objects of a field, also by fragments and under @skip and @include. */
export function selectedFields(field: FieldNode, info: GraphQLResolveInfo): FieldNode[] {
  return field.selectionSet ? fieldsOf(field.selectionSet, info) : [];
}

function fieldsOf(
  { selections }: SelectionSetNode,
  info: GraphQLResolveInfo,
  // A fragment counts once: those that spread others twice would double the work with each step.
  spread = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    switch (selection.kind) {
      case Kind.FIELD:
        return [selection];
      case Kind.INLINE_FRAGMENT:
        return fieldsOf(selection.selectionSet, info, spread);
      case Kind.FRAGMENT_SPREAD: {
        const name = selection.name.value;
        if (spread.has(name)) return [];
        spread.add(name);
        return fieldsOf(info.fragments[name]!.selectionSet, info, spread);
      }
    }
  });
}
