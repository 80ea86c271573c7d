import { getNamedType, isLeafType, isObjectType, type GraphQLOutputType, type GraphQLSchema } from "graphql";

const DEPTH = 2;

/** A document that runs the mutation with a variable for each argument, and selects its result. */
export function mutationDocument(schema: GraphQLSchema, name: string): string {
  const field = schema.getMutationType()!.getFields()[name]!;
  const variables = field.args.map((argument) => `$${argument.name}: ${argument.type.toString()}`);
  const given = field.args.map((argument) => `${argument.name}: $${argument.name}`);
  const inBraces = (parts: string[]) => (parts.length > 0 ? `(${parts.join(", ")})` : "");
  return `mutation ${inBraces(variables)} { ${name}${inBraces(given)} ${selection(field.type, DEPTH)} }`;
}

/** Every field without arguments, up to a depth. */
function selection(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.length > 0) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${selection(field.type, depth - 1)}`] : [];
  });
  return `{ ${["__typename", ...fields].join(" ")} }`;
}
