import { readFileSync } from "node:fs";
import {
  buildSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLObjectType,
} from "graphql";

const shopType = buildSchema(readFileSync("schema.graphql", "utf8")).getType("Shop") as GraphQLObjectType;

/** A document for each field of a shop that needs no arguments, with the fields below it except the left out ones. */
export function shopReads(leftOut: ReadonlySet<string> = new Set()): string[] {
  /** Fields of the type that need no arguments, and those of their types. Of a list, its oldest records. */
  function selectionOf(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).flatMap((field) => {
      const fieldType = getNamedType(field.type);
      if (field.args.some(isRequiredArgument) || leftOut.has(field.name)) return [];
      if (isLeafType(fieldType)) return [field.name];
      if (depth === 0 || !isObjectType(fieldType) || fieldType.name === "Shop") return [];
      return [`${field.name}${firstOf(field.args)} ${selectionOf(fieldType, depth - 1)}`];
    });
    return `{ __typename ${fields.join(" ")} }`;
  }

  return Object.values(shopType.getFields()).flatMap((field) => {
    const type = getNamedType(field.type);
    if (field.args.some(isRequiredArgument) || leftOut.has(field.name)) return [];
    const selection = isObjectType(type) ? selectionOf(type, 2) : "";
    return `query ($id: ID!) { shop(id: $id) { ${field.name}${firstOf(field.args)} ${selection} } }`;
  });
}

function firstOf(args: readonly { name: string }[]): string {
  const has = (wanted: string) => args.some(({ name }) => name === wanted);
  if (!has("limit")) return "";
  return has("order") ? "(limit: 3, order: ASC)" : "(limit: 3)";
}
