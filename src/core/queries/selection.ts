import {
  getOperationAST,
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from "graphql";
import { createParameterDecorator } from "type-graphql";

type Fragments = GraphQLResolveInfo["fragments"];

/** The fields that a document asks of the objects of one of its fields. A field under @skip or @include counts. */
export class Selection {
  /** The names of the fields; empty when nothing is asked of the objects. */
  readonly fields: ReadonlySet<string>;
  /** Names what is read for the field, where the document is fixed. */
  readonly name: string | undefined;
  readonly #nodes: readonly FieldNode[];
  readonly #fragments: Fragments;
  readonly #below = new Map<string, Selection>();

  constructor(nodes: readonly FieldNode[], fragments: Fragments, name?: string) {
    this.#nodes = nodes.flatMap((node) => selectedFields(node, fragments));
    this.#fragments = fragments;
    this.fields = new Set(this.#nodes.map((node) => node.name.value));
    this.name = name;
  }

  /** The fields that are asked of the objects of a field of these objects. */
  at(field: string): Selection {
    let below = this.#below.get(field);
    if (!below) {
      below = new Selection(
        this.#nodes.filter((node) => node.name.value === field),
        this.#fragments,
      );
      this.#below.set(field, below);
    }
    return below;
  }
}

const known = new WeakMap<FieldNode, Selection>();
const names = new WeakMap<FieldNode, string>();

/** The selection of the field that is being resolved. Computed once for each field of a document. */
export function selectionOf({ fieldNodes, fragments }: GraphQLResolveInfo): Selection {
  const [node, ...others] = fieldNodes as [FieldNode, ...FieldNode[]];
  // Which of several are merged may depend on variables.
  if (others.length > 0) return new Selection(fieldNodes, fragments);
  let selection = known.get(node);
  if (!selection) {
    selection = new Selection(fieldNodes, fragments, names.get(node));
    known.set(node, selection);
  }
  return selection;
}

/** The selection of the field, as a parameter of its resolver. */
export const Selected = () => createParameterDecorator(({ info }) => selectionOf(info));

/** Names the fields of a fixed document, so that PostgreSQL prepares what is read for them. */
export function nameSelections(document: DocumentNode): void {
  const operation = getOperationAST(document)!.name!.value;
  visit(document, { Field: (node) => void names.set(node, `${operation} ${node.name.value}`) });
}

/** The fields that are asked of the objects of a field, also by fragments and under @skip and @include. */
export function selectedFields(field: FieldNode, fragments: Fragments): FieldNode[] {
  return field.selectionSet ? fieldsOf(field.selectionSet, fragments) : [];
}

function fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  // A fragment counts once: those that spread others twice would double the work with each step.
  spread = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    switch (selection.kind) {
      case Kind.FIELD:
        return [selection];
      case Kind.INLINE_FRAGMENT:
        return fieldsOf(selection.selectionSet, fragments, spread);
      case Kind.FRAGMENT_SPREAD: {
        const name = selection.name.value;
        if (spread.has(name)) return [];
        spread.add(name);
        return fieldsOf(fragments[name]!.selectionSet, fragments, spread);
      }
    }
  });
}
