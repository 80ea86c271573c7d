import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  astFromValue,
  print,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
} from "graphql";
import type { Field } from "./fields.ts";

export const SCHEMA_INTRODUCTION =
  "`POST /graphql` serves a shop’s staff, tills, storefronts and internal tools, with a session or a service token. API keys do not work here. A caller reads a shop’s records through `Query.shop`.";

/** An operation or a type. Its id is a schema coordinate, such as `Mutation.createOrder` or `Order`. */
export interface SchemaEntry {
  id: string;
  title: string;
  /** Such as "mutation" or "input". */
  kind: string;
  description: string;
  /** What an operation returns. */
  returns?: TypeLink;
  /** The arguments, fields or values. */
  fields: Field[];
  fieldsTitle: string;
}

/** A type as text, and the id of its entry. */
type TypeLink = Pick<Field, "type" | "typeId">;

/** A part of the schema: operations before types. */
export interface SchemaPart {
  id: string;
  title: string;
  entries: SchemaEntry[];
}

/** The parts, and what the names of their operations and types have. The first that matches counts. */
const parts: [title: string, names: RegExp][] = [
  ["Products", /product|variant/i],
  ["Stock", /stock/i],
  ["Orders", /(?<!Sort)order|payment|refund|fulfill|discount|channel|quote/i],
  ["Customers", /customer|storeCredit/i],
  ["Staff", /staff|member|invit|session|factor|password|log(?:In|Out)|leave|viewer|role|permission|notif|recovery/i],
  ["Credentials", /apiKey|serviceToken|credential|scope/i],
  ["Webhooks", /webhook|deliver|testEvent/i],
  ["Logs", /audit|requests?$|requestPage|actor/i],
  ["Shop", /shop|plan/i],
  ["Shared types", /./],
];

/** The schema by noun. */
export function readSchema(schema: GraphQLSchema): SchemaPart[] {
  const roots = [schema.getQueryType()!, schema.getMutationType()!];
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .toSorted((left, right) => left.name.localeCompare(right.name));
  const others = types.filter((type) => !roots.some((root) => root === type));
  const owners = [roots[0]!, ...others.filter(isObjectType), roots[1]!];
  const entries = [
    ...owners.flatMap((owner) =>
      fieldsOf(owner)
        .filter((field) => isOperation(roots, owner, field))
        .map((field) => operationEntry(roots, owner, field)),
    ),
    ...others.map((type) => typeEntry(type, (field) => !isOperation(roots, type, field))),
  ];
  const byPart = Map.groupBy(entries, ({ id }) => parts.find(([, names]) => names.test(id))![0]);
  return parts.flatMap(([title]) => {
    const found = byPart.get(title);
    return found ? [{ id: title.toLowerCase().replaceAll(" ", "-"), title, entries: found }] : [];
  });
}

type ObjectField = GraphQLField<unknown, unknown>;

const fieldsOf = (type: GraphQLObjectType): ObjectField[] => Object.values(type.getFields());

/** Returns true for fields with a separate section: those of the roots, and those with arguments. */
const isOperation = (
  roots: readonly GraphQLNamedType[],
  owner: GraphQLNamedType,
  { args }: { args?: readonly unknown[] },
) => roots.includes(owner) || (args ?? []).length > 0;

function operationEntry(
  [query, mutation]: GraphQLObjectType[],
  owner: GraphQLObjectType,
  field: ObjectField,
): SchemaEntry {
  const isRoot = owner === query || owner === mutation;
  return {
    id: `${owner.name}.${field.name}`,
    title: isRoot ? field.name : `${owner.name}.${field.name}`,
    kind: owner === mutation ? "mutation" : owner === query ? "query" : "field",
    description: field.description ?? "",
    returns: linkOf(field.type),
    fields: field.args.map((argument) => inputField(argument, isRequiredArgument(argument))),
    fieldsTitle: "Arguments",
  };
}

function typeEntry(type: GraphQLNamedType, isShown: (field: ObjectField) => boolean): SchemaEntry {
  const { name, description } = type;
  const entry = { id: name, title: name, description: description ?? "" };
  if (isEnumType(type)) {
    const fields = type.getValues().map((value) => plainField(value.name, { type: "" }, value.description));
    return { ...entry, kind: "enum", fields, fieldsTitle: "Values" };
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((field) => inputField(field, isRequiredInputField(field)));
    return { ...entry, kind: "input", fields, fieldsTitle: "Fields" };
  }
  if (isScalarType(type)) return { ...entry, kind: "scalar", fields: [], fieldsTitle: "" };
  const shown = fieldsOf(type as GraphQLObjectType).filter(isShown);
  const fields = shown.map((field) => plainField(field.name, linkOf(field.type), field.description));
  return { ...entry, kind: "type", fields, fieldsTitle: "Fields" };
}

const plainField = (name: string, type: TypeLink, description: string | null | undefined): Field => ({
  name,
  ...type,
  isRequired: false,
  description: description ?? "",
  notes: "",
  children: [],
});

function inputField(input: GraphQLArgument | GraphQLInputField, isRequired: boolean): Field {
  const fallback = input.defaultValue === undefined ? undefined : astFromValue(input.defaultValue, input.type);
  const notes = fallback ? `Default: \`${print(fallback)}\`.` : "";
  return { ...plainField(input.name, linkOf(input.type), input.description), isRequired, notes };
}

function linkOf(type: GraphQLType): TypeLink {
  const named = getNamedType(type);
  return { type: String(type), ...(!isSpecifiedScalarType(named) && { typeId: named.name }) };
}
