import { readFile } from "node:fs/promises";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { expect } from "chai";
import {
  execute,
  getNamedType,
  introspectionFromSchema,
  isEnumType,
  isIntrospectionType,
  isLeafType,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
  type GraphQLNamedType,
} from "graphql";
import { createContext } from "../../src/core/context.ts";
import type { Actor } from "../../src/core/permissions.ts";
import { createSchema } from "../../src/core/schema.ts";
import type { CurrentShop } from "../../src/core/shops/current-shop.ts";
import { AppError } from "../../src/platform/errors.ts";
import { buildShop } from "../support/factories.ts";
import { callOf, fieldsOf } from "../support/schema-calls.ts";
import { useServer } from "../support/server.ts";

const schema = createSchema();

describe("The GraphQL schema", () => {
  async function committed(path: string): Promise<string> {
    return (await readFile(new URL(`../../${path}`, import.meta.url), "utf8")).replaceAll("\r\n", "\n");
  }

  it("is the one in schema.graphql; after a change: npm run generate", async () => {
    expect(await committed("schema.graphql")).to.equal(`${printSchema(lexicographicSortSchema(schema))}\n`);
  });

  it("is the one that the REST face is typed by; after a change: npm run generate", async () => {
    const introspection = minifyIntrospection(introspectionFromSchema(lexicographicSortSchema(schema)));
    const printed = outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true });
    expect(await committed("src/rest/introspection.d.ts")).to.equal(printed);
  });

  it("describes every type, field, argument and value", () => {
    expect(Object.values(schema.getTypeMap()).flatMap(undescribed)).to.deep.equal([]);
  });
});

describe("Permissions of the GraphQL schema", () => {
  const server = useServer();
  let shop: CurrentShop;

  before(async () => {
    shop = { ...(await buildShop(server.em)), trialHasEnded: false };
  });

  /** What a member without any permission gets; undefined when it is no error of ours. */
  async function codeFor(document: string, actor: Actor | undefined): Promise<string | undefined> {
    const parsed = parse(document);
    expect(validate(schema, parsed), document).to.deep.equal([]);
    const contextValue = createContext(server.app.core, actor);
    const { errors } = await execute({ schema, document: parsed, contextValue });
    const original = errors?.[0]?.originalError;
    return original instanceof AppError ? original.code : undefined;
  }

  function stranger(kind: Actor["kind"]): Actor {
    return { kind, id: "nobody", name: "Nobody", memberships: new Map([[shop.id, { shop, permissions: new Set() }]]) };
  }

  async function expectGuarded(document: string): Promise<void> {
    expect(await codeFor(document, stranger("staff")), document).to.equal("FORBIDDEN");
    expect(await codeFor(document, stranger("apiKey")), document).to.equal("FORBIDDEN");
    expect(await codeFor(document, undefined), document).to.equal("UNAUTHENTICATED");
    const elsewhere: Actor = { ...stranger("staff"), memberships: new Map() };
    expect(await codeFor(document, elsewhere), document).to.be.oneOf(["SHOP_NOT_FOUND", undefined]);
  }

  for (const field of fieldsOf(schema, "Shop")) {
    if (isLeafType(getNamedType(field.type))) continue;
    it(`guard Shop.${field.name}`, async () => {
      await expectGuarded(`{ shop(id: "${shop.id}") { ${callOf(field)} } }`);
    });
  }

  for (const field of fieldsOf(schema, "Mutation")) {
    if (!field.args.some(({ name }) => name === "shopId")) continue;
    it(`guard ${field.name}`, async () => {
      await expectGuarded(`mutation { ${callOf(field, { shopId: JSON.stringify(shop.id) })} }`);
    });
  }

  it("leave nothing else that changes a shop", () => {
    const free = fieldsOf(schema, "Mutation").filter(({ args }) => !args.some(({ name }) => name === "shopId"));
    expect(free.map(({ name }) => name)).to.have.members([
      "logIn",
      "logOut",
      "endSession",
      "endOtherSessions",
      "changePassword",
      "acceptInvitation",
    ]);
  });

  it("leave no way to a shop's records around the shop", () => {
    const resources = ["Product", "Order", "Customer", "WebhookEndpoint", "Variant", "Payment"];
    for (const field of fieldsOf(schema, "Query")) {
      expect(getNamedType(field.type).name, field.name).not.to.be.oneOf(resources);
    }
  });
});

/** What lacks a description of the type and what belongs to it. */
function undescribed(type: GraphQLNamedType): string[] {
  if (isIntrospectionType(type)) return [];
  const lacking: string[] = [];
  const note = (name: string, { description }: { description?: string | null }): void => {
    if (!description?.trim()) lacking.push(name);
  };
  // TypeGraphQL has no place for those of the roots, whose names say what they are.
  if (type !== schema.getQueryType() && type !== schema.getMutationType()) note(type.name, type);
  if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
  if (!("getFields" in type)) return lacking;
  for (const field of Object.values(type.getFields())) {
    note(`${type.name}.${field.name}`, field);
    if (!("args" in field)) continue;
    for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name})`, argument);
  }
  return lacking;
}
