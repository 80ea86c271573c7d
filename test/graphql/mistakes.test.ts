import { expect } from "chai";
import { askGraphql } from "../support/graphql.ts";
import { useWorld } from "../support/world.ts";

/** The most mistakes of a document that are named. */
const MOST = 5;

describe("An operation with many mistakes", () => {
  const { server, shop, session } = useWorld({ config: { graphqlIntrospection: true } });

  it("gets errors for the first unknown fields, without suggestions", async () => {
    const fields = Array.from({ length: 480 }, (_, index) => `nam${index}`);
    const { errors } = await askGraphql(server, `{ viewer { ${fields.join(" ")} } }`, {}, await session());
    const messages = errors.map(({ message }) => message);
    expect(messages.filter((message) => message.startsWith("Cannot query field"))).to.have.length(MOST);
    expect(messages).to.have.length(MOST + 1);
    expect(messages.at(-1)).to.include("Too many validation errors");
    expect(messages.join(" ")).not.to.include("Did you mean");
  });

  it("gets an error for the first mistake in its variables", async () => {
    const text =
      "mutation ($id: ID!, $input: CreateCustomerInput!) { createCustomer(shopId: $id, input: $input) { id } }";
    const input = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`nam${index}`, 1]));
    const { errors } = await askGraphql(server, text, { id: shop.id, input }, await session());
    expect(errors).to.have.length(1);
    expect(errors[0]!.extensions.code).to.equal("BAD_USER_INPUT");
    expect(errors[0]!.message).to.include('of required type "String!" was not provided');
  });
});

describe("A name that reaches mails, headers and logs", () => {
  const { refusal } = useWorld();
  const kinds: Record<string, (name: string) => [mutation: string, variables: Record<string, unknown>, path: string]> =
    {
      shop: (name) => ["updateShop", { input: { name } }, "name"],
      "API key": (name) => ["createApiKey", { input: { name, scopes: ["READ_PRODUCTS"] } }, "name"],
      "service token": (name) => ["createServiceToken", { input: { name, permissions: ["READ_PRODUCTS"] } }, "name"],
      endpoint: (description) => [
        "createWebhookEndpoint",
        { input: { url: "https://receiver.example/", topics: ["order.paid"], description } },
        "description",
      ],
      "pull endpoint": (description) => [
        "createPullEndpoint",
        { input: { topics: ["order.paid"], description } },
        "description",
      ],
      file: (fileName) => ["createImport", { input: { kind: "PRODUCTS", fileName, fileSize: 1 } }, "fileName"],
    };

  for (const [kind, changeOf] of Object.entries(kinds)) {
    it(`is one line without characters that reorder text: ${kind}`, async () => {
      for (const inside of ["\r\n", "\t", "\u001b[2J", "\u0085", "\u2028", "\u202e", "\u2066"]) {
        const [mutation, variables, path] = changeOf(`Good${inside}name`);
        const refused = await refusal(mutation, variables);
        expect(refused, JSON.stringify(inside)).to.deep.equal(["VALIDATION_FAILED", `${path}: invalid_text`]);
      }
    });
  }
});
