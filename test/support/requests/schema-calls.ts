import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from "graphql";

export type SchemaField = GraphQLField<unknown, unknown>;

export function fieldsOf(schema: GraphQLSchema, type: "Shop" | "Query" | "Mutation"): SchemaField[] {
  const found = schema.getType(type);
  return found && "getFields" in found ? (Object.values(found.getFields()) as SchemaField[]) : [];
}

/** The field in a document, with a value for each required argument. */
export function callOf(field: SchemaField, known: Record<string, string> = {}): string {
  const given = field.args
    .filter(isRequiredArgument)
    .map(({ name, type }) => `${name}: ${known[name] ?? literal(type)}`);
  const parameters = given.length > 0 ? `(${given.join(", ")})` : "";
  return `${field.name}${parameters}${isLeafType(getNamedType(field.type)) ? "" : " { __typename }"}`;
}

/** A sample value of the type, as a literal. */
function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType as GraphQLInputType);
  if (isListType(type)) return "[]";
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${fields.map((field) => `${field.name}: ${literal(field.type)}`).join(", ")} }`;
  }
  const scalars: Record<string, string> = { Int: "1", Float: "1", Boolean: "true", Decimal: '"1"' };
  return scalars[type.name] ?? (type.name === "Timestamp" ? '"2026-01-31T09:30:00.000Z"' : '"x"');
}
