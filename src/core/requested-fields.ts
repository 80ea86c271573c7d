import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from "graphql";

/**
 * Names of the fields that are asked of the objects at `path` below the field that is being resolved; empty when
 * nothing is asked of them. A field under @skip or @include counts.
 */
export function requestedFields(info: GraphQLResolveInfo, ...path: string[]): ReadonlySet<string> {
  let fields = info.fieldNodes.flatMap((node) => subfields(node, info));
  for (const name of path) {
    fields = fields.filter((field) => field.name.value === name).flatMap((field) => subfields(field, info));
  }
  return new Set(fields.map((field) => field.name.value));
}

function subfields(field: FieldNode, info: GraphQLResolveInfo): FieldNode[] {
  return field.selectionSet ? fieldsOf(field.selectionSet, info) : [];
}

function fieldsOf({ selections }: SelectionSetNode, info: GraphQLResolveInfo): FieldNode[] {
  return selections.flatMap((selection) => {
    switch (selection.kind) {
      case Kind.FIELD:
        return [selection];
      case Kind.INLINE_FRAGMENT:
        return fieldsOf(selection.selectionSet, info);
      case Kind.FRAGMENT_SPREAD:
        return fieldsOf(info.fragments[selection.name.value]!.selectionSet, info);
    }
  });
}
