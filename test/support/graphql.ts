import { readFileSync } from "node:fs";
import {
  astFromValue,
  buildSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  print,
  type GraphQLArgument,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from "graphql";
import type { TestServer } from "./server.ts";

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  data: any;
  errors: { message: string; path?: string[]; extensions: { code: string } }[];
  extensions: { cost: { requested: number; maximum: number }; idempotentReplays?: (string | number)[][] };
}

/** Sends a GraphQL request. */
export async function askGraphql(
  server: Pick<TestServer, "url">,
  query: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const {
    data,
    errors = [],
    extensions,
  } = (await response.json()) as Pick<GraphqlAnswer, "data" | "errors" | "extensions">;
  return { status: response.status, headers: response.headers, data, errors, extensions };
}

/** Logs in and returns the headers that carry the session. */
export async function logIn(
  server: Pick<TestServer, "url">,
  { email, password }: { email: string; password: string },
): Promise<{ cookie: string }> {
  const { headers } = await askGraphql(
    server,
    "mutation ($email: String!, $password: String!) { logIn(email: $email, password: $password) { id } }",
    { email, password },
  );
  const [cookie = ""] = headers.getSetCookie();
  return { cookie: cookie.split(";")[0]! };
}

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const mutations = schema.getMutationType()!.getFields();
const shopFields = (schema.getType("Shop") as GraphQLObjectType).getFields();

/**
 * A document with a variable for each argument of a mutation or of a field of the shop, and each field of its answer. With
 * `only`, it has just these arguments and no fields, so that an earlier release understands it.
 */
export function documentOf(name: string, only?: readonly string[]): string {
  const { args: all, type } = (mutations[name] ?? shopFields[name])!;
  const args = all.filter((argument) => only?.includes(argument.name) ?? true);
  const given = inBraces(args.map((argument) => `${argument.name}: $${argument.name}`));
  const fields = only && isObjectType(getNamedType(type)) ? "{ __typename }" : fieldsOf(type, 2);
  const field = `${name}${given} ${fields}`;
  return mutations[name]
    ? `mutation ${inBraces(args.map(declare))} { ${field} }`
    : `query ${inBraces(["$shopId: ID!", ...args.map(declare)])} { shop(id: $shopId) { ${field} } }`;
}

/** The answer to such a document. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
export const resultOf = (name: string, data: any): any => (mutations[name] ? data : data.shop)[name];

const inBraces = (parts: string[]) => (parts.length > 0 ? `(${parts.join(", ")})` : "");

function declare({ name, type, defaultValue }: GraphQLArgument): string {
  const value = astFromValue(defaultValue, type);
  return `$${name}: ${type.toString()}${value ? ` = ${print(value)}` : ""}`;
}

/** Every field without arguments, up to a depth. */
function fieldsOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.length > 0) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${fieldsOf(field.type, depth - 1)}`] : [];
  });
  return `{ ${fields.length > 0 ? fields.join(" ") : "__typename"} }`;
}
