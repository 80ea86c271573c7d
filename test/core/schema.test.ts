import { readFile } from "node:fs/promises";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { expect } from "chai";
import {
  getNamedType,
  introspectionFromSchema,
  isEnumType,
  isIntrospectionType,
  lexicographicSortSchema,
  printSchema,
  type GraphQLNamedType,
} from "graphql";
import { createSchema } from "../../src/core/schema.ts";
import { fieldsOf } from "../support/requests/schema-calls.ts";

const schema = createSchema();

describe("The GraphQL schema", () => {
  async function committed(path: string): Promise<string> {
    return (await readFile(new URL(`../../${path}`, import.meta.url), "utf8")).replaceAll("\r\n", "\n");
  }

  it("matches schema.graphql; after a change: npm run generate", async () => {
    expect(await committed("schema.graphql")).to.equal(`${printSchema(lexicographicSortSchema(schema))}\n`);
  });

  it("matches the types of the REST API; after a change: npm run generate", async () => {
    const introspection = minifyIntrospection(introspectionFromSchema(lexicographicSortSchema(schema)));
    const printed = outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true });
    expect(await committed("schema.introspection.d.ts")).to.equal(printed);
  });

  it("describes every type, field, argument and value", () => {
    expect(Object.values(schema.getTypeMap()).flatMap(undescribed)).to.deep.equal([]);
  });

  it("reaches a shop's records only through the shop", () => {
    const resources = ["Product", "Order", "Customer", "WebhookEndpoint", "Variant", "Payment"];
    for (const field of fieldsOf(schema, "Query")) {
      expect(getNamedType(field.type).name, field.name).not.to.be.oneOf(resources);
    }
  });
});

/** The parts of a type, including itself, without a description. */
function undescribed(type: GraphQLNamedType): string[] {
  if (isIntrospectionType(type)) return [];
  const lacking: string[] = [];
  const check = (name: string, { description }: { description?: string | null }): void => {
    if (!description?.trim()) lacking.push(name);
  };
  // TypeGraphQL cannot describe the root types.
  if (type !== schema.getQueryType() && type !== schema.getMutationType()) check(type.name, type);
  if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
  if (!("getFields" in type)) return lacking;
  for (const field of Object.values(type.getFields())) {
    check(`${type.name}.${field.name}`, field);
    if (!("args" in field)) continue;
    for (const argument of field.args) check(`${type.name}.${field.name}(${argument.name})`, argument);
  }
  return lacking;
}
