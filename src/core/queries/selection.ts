import {
  getOperationAST,
  Kind,
  parse,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { createParameterDecorator } from "type-graphql";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { CoreContext } from "../context.ts";
import type { BuiltQuery } from "./database.ts";

type Fragments = GraphQLResolveInfo["fragments"];

/** The fields that a document selects from the objects of one field. Fields under @skip or @include count. */
export class Selection {
  /** The names of the fields. Empty if none are selected. */
  readonly fields: ReadonlySet<string>;
  /** The name of the query that reads the field, for a fixed document. */
  readonly name: string | undefined;
  /** The queries that read it, by variant. */
  readonly queries = new Map<string, BuiltQuery>();
  readonly #nodes: readonly FieldNode[];
  readonly #fragments: Fragments;
  readonly #below = new Map<string, Selection>();

  constructor(nodes: readonly FieldNode[], fragments: Fragments, name?: string) {
    this.#nodes = nodes.flatMap((node) => selectedFields(node, fragments));
    this.#fragments = fragments;
    this.fields = new Set(this.#nodes.map((node) => node.name.value));
    this.name = name;
  }

  /** The selection of these fields, for a read without a document. */
  static of(fields: string, name?: string): Selection {
    const [operation] = parse(`{ read { ${fields} } }`).definitions as [OperationDefinitionNode];
    return new Selection(operation.selectionSet.selections as FieldNode[], {}, name);
  }

  /** The fields selected from the objects of a nested field. */
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

/** The selection of the current field. Computed once for each field of a document. */
export function selectionOf({ fieldNodes, fragments }: GraphQLResolveInfo): Selection {
  const [node, ...others] = fieldNodes as [FieldNode, ...FieldNode[]];
  // Which fields are merged may depend on variables.
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

/** Names the fields of a fixed document, so that PostgreSQL prepares their queries. */
export function nameSelections(document: DocumentNode): void {
  const operation = getOperationAST(document)!.name!.value;
  visit(document, { Field: (node) => void names.set(node, `${operation} ${node.name.value}`) });
}

/** The selected fields, including those in fragments and under @skip and @include. */
export function selectedFields(field: FieldNode, fragments: Fragments): FieldNode[] {
  return field.selectionSet ? fieldsOf(field.selectionSet, fragments) : [];
}

function fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  // Each fragment counts once: nested fragments would double the work at each level.
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

/** Runs a read of the shop whose field is resolved, for the fields that the document selects. */
export type ShopReader = <Input, Result>(
  read: (em: EntityManager, shopId: string, input: Input, selection: Selection) => Promise<Result>,
  input: Input,
) => Promise<Result>;

/** The reader of a field of `Shop`, within the bound on concurrent statements. */
export const ReadsShop = () =>
  createParameterDecorator<CoreContext>(
    ({ root, context, info }): ShopReader =>
      (read, input) =>
        context.limit(read, context.orm.em, root.id, input, selectionOf(info)),
  );
