import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { changeStoreCredit } from "../../../src/core/customers/store-credit/change-store-credit.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { query } from "../../support/database.ts";
import { buildCustomer } from "../../support/factories.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { codeOf, issuesOf } from "../../support/requests/refusals.ts";
import { useWorld } from "../../support/world.ts";
import { searchWordsOf } from "../../support/search-words.ts";

describe("updateCustomer", () => {
  const { server, shop, send, sql } = useWorld({}, { role: Role.CLERK });

  const update = (id: string, input: Record<string, unknown>, expectedVersion?: number): Promise<GraphqlAnswer> =>
    send("updateCustomer", { id, input, expectedVersion });

  async function rowOf(id: string): Promise<Record<string, unknown>> {
    const [row] = await query(server.databaseUrl, "select * from customers where id = $1", [id]);
    return row!;
  }

  async function events(): Promise<{ topic: string; data: unknown }[]> {
    return sql("select topic, body::json -> 'data' as data from events where shop_id = $1 order by id");
  }

  it("changes only the given fields", async () => {
    const { id, email } = await buildCustomer(server.em, shop, { phone: "030 1234", note: "Old" });
    const { data, errors } = await update(id, { firstName: " Bea ", note: "New" });
    expect(errors).to.deep.equal([]);
    const customer = data.updateCustomer;
    expect(customer).to.include({ id, email, firstName: "Bea", lastName: "Example", phone: "030 1234", note: "New" });
    expect(customer.version).to.equal(2);
    expect(customer.updatedAt > customer.createdAt).to.equal(true);
    expect(await events()).to.deep.equal([{ topic: "customer.updated", data: { customerId: id, version: 2 } }]);
  });

  it("updates the words that find it", async () => {
    const { id } = await buildCustomer(server.em, shop, { phone: "030 1234" });
    await update(id, { email: "New@example.com", lastName: "Élan", phone: null });
    expect(await searchWordsOf(server.databaseUrl, "customers", shop.id, id)).to.deep.equal([
      "ada",
      "com",
      "elan",
      "example",
      "examplecom",
      "new",
      "newexamplecom",
    ]);
  });

  it("clears only phone and note with null", async () => {
    const { id } = await buildCustomer(server.em, shop, { phone: "030 1234", note: "Old" });
    const answer = await update(id, { email: null, firstName: null, lastName: null, phone: null, note: null });
    expect(codeOf(answer)).to.equal("VALIDATION_FAILED");
    expect(issuesOf(answer)).to.deep.equal(["email invalid_type", "firstName invalid_type", "lastName invalid_type"]);
    const { data } = await update(id, { phone: "", note: null, firstName: "" });
    expect(data.updateCustomer).to.include({ phone: null, note: null, firstName: "", version: 2 });
  });

  it("writes and emits nothing without a change", async () => {
    const { id, email } = await buildCustomer(server.em, shop, { phone: null });
    const before = await rowOf(id);
    for (const input of [{}, { email, firstName: "Ada ", phone: null }]) {
      const { data, errors } = await update(id, input);
      expect(errors).to.deep.equal([]);
      expect(data.updateCustomer).to.include({ id, version: 1 });
    }
    expect(await rowOf(id)).to.deep.equal(before);
    expect(await events()).to.deep.equal([]);
  });

  it("refuses invalid values", async () => {
    const { id } = await buildCustomer(server.em, shop);
    const answer = await update(id, {
      email: "x",
      firstName: "\0",
      lastName: "a".repeat(101),
      phone: "1",
      note: "\0",
    });
    expect(issuesOf(answer)).to.have.members([
      "email invalid_value",
      "firstName invalid_text",
      "lastName too_big",
      "phone too_small",
      "note invalid_text",
    ]);
    expect(await events()).to.deep.equal([]);
  });

  it("refuses another customer's address, but accepts its own in another case", async () => {
    await buildCustomer(server.em, shop, { email: "ada@example.com" });
    const { id } = await buildCustomer(server.em, shop, { email: "bea@example.com" });
    expect(issuesOf(await update(id, { email: "ADA@example.com" }))).to.deep.equal(["email taken"]);
    const { data } = await update(id, { email: "BEA@example.com" });
    expect(data.updateCustomer).to.include({ email: "BEA@example.com", version: 2 });
  });

  it("refuses another version than the expected one", async () => {
    const { id } = await buildCustomer(server.em, shop);
    expect((await update(id, { firstName: "Bea" }, 1)).data.updateCustomer.version).to.equal(2);
    for (const version of [1, 3, 0, -1]) {
      expect(codeOf(await update(id, { firstName: "Cleo" }, version)), String(version)).to.equal("VERSION_CONFLICT");
    }
    expect((await rowOf(id)).first_name).to.equal("Bea");
    expect((await update(id, { firstName: "Cleo" }, 2)).data.updateCustomer.firstName).to.equal("Cleo");
  });

  it("does not conflict with a change of store credit", async () => {
    const { id } = await buildCustomer(server.em, shop);
    const at = new Date();
    await server.em
      .fork()
      .transactional((em) =>
        changeStoreCredit({ em, shop, actor: operator }, { customerId: id, amount: "5", reason: "Test", at }),
      );
    expect((await update(id, { firstName: "Bea" }, 1)).data.updateCustomer).to.include({ version: 3 });
    expect(codeOf(await update(id, { firstName: "Cleo" }, 2))).to.equal("VERSION_CONFLICT");
  });

  it("accepts one of many concurrent edits of the same version", async () => {
    const { id } = await buildCustomer(server.em, shop);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => update(id, { note: `${index}` }, 1)));
    expect(answers.filter((answer) => codeOf(answer) === "VERSION_CONFLICT")).to.have.length(9);
    expect((await rowOf(id)).version).to.equal(2);
    expect(await events()).to.have.length(1);
  });
});
