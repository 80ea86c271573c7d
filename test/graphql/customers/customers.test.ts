import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { query } from "../../support/database.ts";
import { buildCustomer, buildEndpoint, buildOrder, buildShop } from "../../support/factories.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { codeOf, issuesOf } from "../../support/requests/refusals.ts";
import { useWorld } from "../../support/world.ts";
import { searchWordsOf } from "../../support/search-words.ts";

describe("Customers", () => {
  const { server, shop, run, send, sql } = useWorld({}, { role: Role.CLERK });

  const create = (input: Record<string, unknown>): Promise<GraphqlAnswer> => send("createCustomer", { input });

  async function countCustomers(): Promise<number> {
    return (await sql("select 1 from customers where shop_id = $1")).length;
  }

  async function events(): Promise<{ topic: string; data: unknown }[]> {
    return sql("select topic, body::json -> 'data' as data from events where shop_id = $1 order by id");
  }

  describe("createCustomer", () => {
    it("stores the input, emits an event, and returns every field", async () => {
      const { endpoint } = await buildEndpoint(server, shop, "http://127.0.0.1:1/", ["customer.created"]);
      const answer = await create({
        email: "Ada.Example@Example.com",
        firstName: "  Ada ",
        lastName: "Example",
        phone: "+49 (30) 123-45.67/8",
        note: "Likes tea.\nNo calls.",
      });
      expect(answer.errors).to.deep.equal([]);
      const customer = answer.data.createCustomer;
      expect(customer).to.deep.include({
        email: "Ada.Example@Example.com",
        firstName: "Ada",
        lastName: "Example",
        phone: "+49 (30) 123-45.67/8",
        note: "Likes tea.\nNo calls.",
        version: 1,
        updatedAt: customer.createdAt,
        storeCreditBalance: "0.00",
        orderCount: 0,
      });
      expect(customer.id).to.match(/^cus_/);
      expect(await searchWordsOf(server.databaseUrl, "customers", shop.id, customer.id)).to.include.members([
        "adaexampleexamplecom",
        "exampleexamplecom",
        "ada",
        "example",
        "30",
        "493012345678",
        "45678",
      ]);
      expect(await events()).to.deep.equal([
        { topic: "customer.created", data: { customerId: customer.id, version: 1 } },
      ]);
      const deliveries = await query(server.databaseUrl, "select 1 from deliveries where endpoint_id = $1", [
        endpoint.id,
      ]);
      expect(deliveries).to.have.length(1);
    });

    it("requires only an email address", async () => {
      const { data } = await create({ email: "ada@example.com" });
      expect(data.createCustomer).to.include({ firstName: "", lastName: "", phone: null, note: null });
      const nulls = await create({ email: "bea@example.com", phone: null, note: null });
      expect(nulls.data.createCustomer).to.include({ phone: null, note: null });
    });

    for (const [typed, stored] of [
      ["\u202a+49\u00a030\u202f123\u200b45\u202c", "+49 30 12345"],
      ["\u2068030–123—45‑6\u2069", "030-123-45-6"],
      ["＋４９　（３０）１２３", "+49 (30)123"],
      ["٠٣٠ −١٢٣", "030 -123"],
      [" 030\t123\n", "030 123"],
      ["030 123 Ext. 5", "030 123 ext. 5"],
      ["030 123x5", "030 123x5"],
      ["030 123;ext=5", "030 123;ext=5"],
      ["", null],
      [" \u200b ", null],
    ] as const) {
      it(`stores the phone number ${JSON.stringify(typed)} as ${JSON.stringify(stored)}`, async () => {
        const { data, errors } = await create({ email: "ada@example.com", phone: typed });
        expect(errors).to.deep.equal([]);
        expect(data.createCustomer.phone).to.equal(stored);
      });
    }

    it("accepts maximum lengths, counted in characters", async () => {
      const domain = `${"d".repeat(50)}.${"d".repeat(50)}.${"d".repeat(50)}.${"d".repeat(50)}.example`;
      const email = `${"a".repeat(254 - domain.length - 1)}@${domain}`;
      const [name, phone, note] = ["𝒜".repeat(100), "1".repeat(32), "𝒜".repeat(5_000)];
      const { data, errors } = await create({ email, firstName: name, lastName: name, phone, note });
      expect(errors).to.deep.equal([]);
      expect(data.createCustomer).to.include({ email, firstName: name, lastName: name, phone, note });
      const longer = await create({
        email: `a${email}`,
        firstName: `${name}a`,
        lastName: `${name}a`,
        phone: `${phone}1`,
        note: `${note}a`,
      });
      expect(issuesOf(longer)).to.have.members([
        "email too_big",
        "firstName too_big",
        "lastName too_big",
        "phone too_big",
        "note too_big",
      ]);
    });

    it("reports all mistakes at once, and stores nothing", async () => {
      const answer = await create({
        email: "nonsense",
        firstName: "\0",
        lastName: "\ud800",
        phone: "call me",
        note: "a\0b",
      });
      expect(codeOf(answer)).to.equal("VALIDATION_FAILED");
      expect(issuesOf(answer)).to.have.members([
        "email invalid_value",
        "firstName invalid_text",
        "lastName invalid_text",
        "phone invalid_value",
        "phone too_small",
        "note invalid_text",
      ]);
      expect(await countCustomers()).to.equal(0);
      expect(await events()).to.deep.equal([]);
    });

    it("stores an email address in ASCII, and treats other spellings as equal", async () => {
      const { data } = await create({ email: " \u2068Ada&Co＠MÜNCHEN.example\u200b\n" });
      expect(data.createCustomer.email).to.equal("Ada&Co@xn--mnchen-3ya.example");
      for (const email of ["ada&co@mün\u00adchen.example", "ADA&CO@XN--MNCHEN-3YA.EXAMPLE"]) {
        expect(issuesOf(await create({ email })), email).to.deep.equal(["email taken"]);
      }
    });

    it("refuses phone numbers with other characters or too few digits", async () => {
      for (const phone of ["12", "+()-./ 12", "123a", "ext. 555", "123 ext.", "123 x5 x6", "123\0", "\ud800123"]) {
        const answer = await create({ email: "ada@example.com", phone });
        expect(codeOf(answer), JSON.stringify(phone)).to.equal("VALIDATION_FAILED");
        expect(
          issuesOf(answer).every((issue) => issue.startsWith("phone ")),
          JSON.stringify(phone),
        ).to.equal(true);
      }
      expect((await create({ email: "ada@example.com", phone: "112" })).errors).to.deep.equal([]);
    });

    it("refuses a used email address in any case, but only within the shop", async () => {
      await buildCustomer(server.em, await buildShop(server.em), { email: "ada@example.com" });
      expect((await create({ email: "Ada@Example.com" })).errors).to.deep.equal([]);
      const answer = await create({ email: "aDA@eXAMPLE.COM" });
      expect(codeOf(answer)).to.equal("VALIDATION_FAILED");
      expect(issuesOf(answer)).to.deep.equal(["email taken"]);
      expect(await events()).to.have.length(1);
    });

    it("gives an address to one of many concurrent requests", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => create({ email: index % 2 ? "ada@example.com" : "ADA@example.com" })),
      );
      const refused = answers.filter(({ errors }) => errors.length > 0);
      expect(refused).to.have.length(19);
      for (const answer of refused) expect(issuesOf(answer)).to.deep.equal(["email taken"]);
      expect(await countCustomers()).to.equal(1);
      expect(await events()).to.have.length(1);
    });
  });

  describe("customer", () => {
    it("returns every field", async () => {
      const customer = await buildCustomer(server.em, shop, { note: "Likes tea." });
      await buildOrder(server.em, shop, { customer });
      expect(await run("customer", { id: customer.id })).to.include({
        id: customer.id,
        note: "Likes tea.",
        version: 1,
        orderCount: 1,
      });
    });
  });
});
