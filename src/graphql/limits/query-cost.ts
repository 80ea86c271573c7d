import {
  getArgumentValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { isSlowToFind, MAX_LIMIT } from "../../core/model/page.ts";

/** Measures of a selection, with its fragments expanded. */
export interface Measures {
  aliases: number;
  cost: number;
  /** The cost of a page's own fields, counted once for all of its records. */
  once: number;
}

const MUTATION_COST = 10;
/** The extra cost of a list with rows that may be slow to find: as much as two pages of 250. */
const SLOW_COST = 500;
/** The cost of a list's total, which may read every record of the shop. */
const TOTAL_COST = 50;
/** The assumed length of a list without pages, which is unknown before it is read. */
const ASSUMED_LENGTH = 5;

const nothing: Measures = { aliases: 0, cost: 0, once: 0 };

/** Measures one operation of a valid document. */
export type Measure = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
) => Measures;

export function createMeasure(schema: GraphQLSchema): Measure {
  const pageTypes = findPageTypes(schema);
  return (document, operation, variables) => {
    const measuring = new Measuring(schema, pageTypes, document, variables);
    return measuring.selections(operation.selectionSet, schema.getRootType(operation.operation)!);
  };
}

/** The types of fields with a limit. The limit is the length of the lists inside them. */
function findPageTypes(schema: GraphQLSchema): ReadonlySet<GraphQLNamedType> {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );
  return new Set(fields.filter(takesLimit).map((field) => getNamedType(field.type)));
}

class Measuring {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  /** Measures of fragments, each computed once: nested fragments would otherwise double the work at each level. */
  readonly #measured = new Map<string, Measures>();

  constructor(
    readonly schema: GraphQLSchema,
    readonly pageTypes: ReadonlySet<GraphQLNamedType>,
    document: DocumentNode,
    readonly variables: Record<string, unknown>,
  ) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
  }

  selections({ selections }: SelectionSetNode, parent: GraphQLNamedType): Measures {
    return selections.map((selection) => this.#selection(selection, parent)).reduce(add, nothing);
  }

  #selection(node: SelectionNode, parent: GraphQLNamedType): Measures {
    switch (node.kind) {
      case Kind.FIELD:
        return this.#field(node, parent);
      case Kind.INLINE_FRAGMENT: {
        const condition = node.typeCondition?.name.value;
        return this.selections(node.selectionSet, condition ? this.schema.getType(condition)! : parent);
      }
      case Kind.FRAGMENT_SPREAD:
        return this.#fragment(node.name.value);
    }
  }

  #fragment(name: string): Measures {
    const known = this.#measured.get(name);
    if (known) return known;
    const { selectionSet, typeCondition } = this.#fragments.get(name)!;
    const measures = this.selections(selectionSet, this.schema.getType(typeCondition.name.value)!);
    this.#measured.set(name, measures);
    return measures;
  }

  #field(node: FieldNode, parent: GraphQLNamedType): Measures {
    const field = findField(parent, node.name.value);
    const type = getNamedType(field.type);
    const below = node.selectionSet ? this.selections(node.selectionSet, type) : nothing;
    const aliases = below.aliases + (node.alias ? 1 : 0);
    // graphql-js limits introspection with its own rule, and it is answered from memory.
    if (node.name.value.startsWith("__")) return { aliases, cost: node.selectionSet ? 1 : 0, once: 0 };
    const cost = this.#cost(field, node, parent, below.cost) + below.once;
    const once = node.name.value === "total" && this.pageTypes.has(parent) ? TOTAL_COST : 0;
    return { aliases, cost, once };
  }

  #cost(field: AnyField, node: FieldNode, parent: GraphQLNamedType, below: number): number {
    const isList = isListType(getNullableType(field.type));
    if (parent === this.schema.getMutationType()) {
      const given = this.#arguments(field, node);
      // A mutation that takes a list returns one result per element.
      const results = isList ? Math.max(longestList(given), ASSUMED_LENGTH) : 1;
      return MUTATION_COST + countElements(given) + results * below;
    }
    const times = this.#times(field, node, parent);
    const isOfMany = isList && !this.pageTypes.has(parent);
    const given = field.args.length > 0 ? this.#arguments(field, node) : {};
    const own = ownCost(field) + countElements(given) + (takesLimit(field) && isSlowToFind(given) ? SLOW_COST : 0);
    return isOfMany ? times * (own + below) : own + times * below;
  }

  /** How many times the subfields may be resolved. */
  #times(field: AnyField, node: FieldNode, parent: GraphQLNamedType): number {
    // Operations refuse limits outside these bounds with a clearer message.
    if (takesLimit(field)) return Math.min(Math.max(Number(this.#arguments(field, node).limit ?? 1), 1), MAX_LIMIT);
    return isListType(getNullableType(field.type)) && !this.pageTypes.has(parent) ? ASSUMED_LENGTH : 1;
  }

  #arguments(field: AnyField, node: FieldNode): Record<string, unknown> {
    try {
      return getArgumentValues(field, node, this.variables);
    } catch {
      // A variable is null for a required argument. The field fails before it is resolved.
      return {};
    }
  }
}

/** One for an object; for a long text, its declared complexity, one for each thousand characters. */
function ownCost(field: AnyField): number {
  const { complexity } = field.extensions as { complexity?: number };
  return complexity ?? (isCompositeType(getNamedType(field.type)) ? 1 : 0);
}

// oxlint-disable-next-line typescript/no-explicit-any -- as graphql-js types the fields of a schema
type AnyField = GraphQLField<any, any>;

const metaFields = [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef];

function findField(parent: GraphQLNamedType, name: string): AnyField {
  const fields = "getFields" in parent ? (parent.getFields() as Record<string, AnyField>) : {};
  return fields[name] ?? metaFields.find((field) => field.name === name)!;
}

function takesLimit(field: AnyField): boolean {
  return field.args.some(({ name }) => name === "limit");
}

function add(left: Measures, right: Measures): Measures {
  return {
    aliases: left.aliases + right.aliases,
    // Nested fragments can exceed the largest number.
    cost: Math.min(left.cost + right.cost, Number.MAX_SAFE_INTEGER),
    once: left.once + right.once,
  };
}

function longestList(given: Record<string, unknown>): number {
  return Math.max(0, ...Object.values(given).map((value) => (Array.isArray(value) ? value.length : 0)));
}

/** The number of elements in all lists inside the value. */
function countElements(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countElements(inner), own);
}
