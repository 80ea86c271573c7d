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
