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

/** The fields of a selection, with fragments followed wherever they are spread, and what they cost. */
export interface Measures {
  /** Fields of the selection itself. */
  fields: number;
  /** Fields inside each other. */
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
  /** The cost of a page's own fields, which counts once, however many records the page has. */
  once: number;
}

const MUTATION_COST = 10;
/** The cost of finding the rows of a list, beside the rows, where that may be slow: as much as two pages of 250. */
const SLOW_COST = 500;
/** The cost of the total of a list: counting may read every record of the shop. */
const TOTAL_COST = 50;
/** The length of a list that is not paged, which is not known before it is read. */
const ASSUMED_LENGTH = 5;

const nothing: Measures = { fields: 0, depth: 0, aliases: 0, directives: 0, cost: 0, once: 0 };

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
    const measures = measuring.selections(operation.selectionSet, schema.getRootType(operation.operation)!);
    return { ...measures, directives: measures.directives + (operation.directives?.length ?? 0) };
  };
}

/** The types of fields that take a limit: the lists inside them are as long as that. */
function findPageTypes(schema: GraphQLSchema): ReadonlySet<GraphQLNamedType> {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );
  return new Set(fields.filter(takesLimit).map((field) => getNamedType(field.type)));
}

class Measuring {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  /** Each fragment is measured once: fragments that spread fragments would double the work with each step. */
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
    const measures = this.#inside(node, parent);
    return { ...measures, directives: measures.directives + (node.directives?.length ?? 0) };
  }

  #inside(node: SelectionNode, parent: GraphQLNamedType): Measures {
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
    const { directives, selectionSet, typeCondition } = this.#fragments.get(name)!;
    const inside = this.selections(selectionSet, this.schema.getType(typeCondition.name.value)!);
    const measures = { ...inside, directives: inside.directives + (directives?.length ?? 0) };
    this.#measured.set(name, measures);
    return measures;
  }

  #field(node: FieldNode, parent: GraphQLNamedType): Measures {
    const field = findField(parent, node.name.value);
    const type = getNamedType(field.type);
    const below = node.selectionSet ? this.selections(node.selectionSet, type) : nothing;
    const own = { fields: 1, aliases: below.aliases + (node.alias ? 1 : 0), directives: below.directives };
    // graphql-js bounds what is asked of the schema itself by a rule of its own, and it is read from memory.
    if (node.name.value.startsWith("__")) return { ...own, depth: 1, cost: node.selectionSet ? 1 : 0, once: 0 };
    const cost = this.#cost(field, node, parent, below.cost) + below.once;
    const once = node.name.value === "total" && this.pageTypes.has(parent) ? TOTAL_COST : 0;
    return { ...own, depth: 1 + below.depth, cost, once };
  }

  #cost(field: AnyField, node: FieldNode, parent: GraphQLNamedType, below: number): number {
    const isList = isListType(getNullableType(field.type));
    if (parent === this.schema.getMutationType()) {
      const given = this.#arguments(field, node);
      // A list of results has one for each element of the list that is given.
      const results = isList ? Math.max(longestList(given), ASSUMED_LENGTH) : 1;
      return MUTATION_COST + countElements(given) + results * below;
    }
    const times = this.#times(field, node, parent);
    const isOfMany = isList && !this.pageTypes.has(parent);
    const own = ownCost(field) + (takesLimit(field) && isSlowToFind(this.#arguments(field, node)) ? SLOW_COST : 0);
    return isOfMany ? times * (own + below) : own + times * below;
  }

  /** The number of times that the fields below may have to be resolved. */
  #times(field: AnyField, node: FieldNode, parent: GraphQLNamedType): number {
    // The operations refuse limits outside these bounds, with a better message than one about cost.
    if (takesLimit(field)) return Math.min(Math.max(Number(this.#arguments(field, node).limit ?? 1), 1), MAX_LIMIT);
    return isListType(getNullableType(field.type)) && !this.pageTypes.has(parent) ? ASSUMED_LENGTH : 1;
  }

  #arguments(field: AnyField, node: FieldNode): Record<string, unknown> {
    try {
      return getArgumentValues(field, node, this.variables);
    } catch {
      // Null in a variable where the argument takes none: the field will fail before it is resolved.
      return {};
    }
  }
}

/** One for an object; what is declared for a text that may be long, one for each thousand characters. */
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
    fields: left.fields + right.fields,
    depth: Math.max(left.depth, right.depth),
    aliases: left.aliases + right.aliases,
    directives: left.directives + right.directives,
    // Fragments inside fragments can ask for more than a number holds.
    cost: Math.min(left.cost + right.cost, Number.MAX_SAFE_INTEGER),
    once: left.once + right.once,
  };
}

function longestList(given: Record<string, unknown>): number {
  return Math.max(0, ...Object.values(given).map((value) => (Array.isArray(value) ? value.length : 0)));
}

/** Elements of all lists inside the value. */
function countElements(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countElements(inner), own);
}
