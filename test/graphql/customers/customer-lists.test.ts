import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { buildCustomer, buildShop } from "../../support/factories.ts";
import { documentOf, type GraphqlAnswer } from "../../support/graphql.ts";
import { codeOf, issuesOf } from "../../support/requests/refusals.ts";
import { useServer } from "../../support/server.ts";
import { World } from "../../support/world.ts";

const LIST = documentOf("customers");

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

describe("Customer lists", () => {
  const world = new World(useServer());
  const { server, shop } = world;

  before(async () => {
    await world.open({ role: Role.VIEWER });
    const foreign = await buildShop(server.em);
    for (const to of [shop, foreign]) {
      for (const [email, firstName, lastName, phone, number] of [
        ["ada@one.example", "Ada", "Zuse", "+49 (30) 123-4567", 1],
        ["BEA@two.example", "Béa", "Ångström", null, 2],
        ["cleo_100%@two.example", "Cleo", "zuse", "030/99", 3],
        ["dora@one.example", "Dora\\", "", "1.2.3", 4],
        ["ΟΔΥΣΣΕΎΣ@one.example", "ΟΔΥΣΣΕΎΣ", "Zuse", null, 5],
      ] as const) {
        await buildCustomer(server.em, to, {
          email,
          firstName,
          lastName,
          phone,
          createdAt: day(number),
          updatedAt: day(20 - number),
        });
      }
    }
  });

  async function ask(variables: Record<string, unknown> = {}): Promise<GraphqlAnswer> {
    return world.ask(LIST, variables);
  }

  /** The first names in the list, and its total. */
  async function find(variables: Record<string, unknown> = {}): Promise<string[]> {
    const { data, errors } = await ask(variables);
    expect(errors).to.deep.equal([]);
    const { items, total } = data.shop.customers;
    expect(total).to.equal(items.length);
    return items.map(({ firstName }: { firstName: string }) => firstName);
  }

  const everybody = ["ΟΔΥΣΣΕΎΣ", "Dora\\", "Cleo", "Béa", "Ada"];

  it("contain only the shop's customers, newest first", async () => {
    expect(await find()).to.deep.equal(everybody);
    expect(await find({ order: "ASC" })).to.deep.equal(everybody.toReversed());
  });

  describe("with a search", () => {
    for (const [search, found] of [
      [" \n\t ", everybody],
      ["da", []],
      ["bea@TWO.example", ["Béa"]],
      ["zuse", ["ΟΔΥΣΣΕΎΣ", "Cleo", "Ada"]],
      ["one.example zuse ada", ["Ada"]],
      ["zuse nobody", []],
      ["οδυσς", ["ΟΔΥΣΣΕΎΣ"]],
      ["123-45", ["Ada"]],
      ["123", ["Dora\\", "Ada"]],
      ["100%", ["Cleo"]],
      ["100_", ["Cleo"]],
      ["dora\\", ["Dora\\"]],
      ["example ada zuse +49", ["Ada"]],
      // Not across what are different values.
      ["ada@one.exampleada", []],
      ["' or true --", []],
    ] as const) {
      it(`find ${JSON.stringify(search)}`, async () => {
        expect(await find({ search })).to.deep.equal(found);
      });
    }

    it("accept up to 200 storable characters", async () => {
      expect(await find({ search: "𝒜".repeat(200) })).to.deep.equal([]);
      for (const [search, code] of [
        ["a".repeat(201), "too_big"],
        ["\0", "invalid_text"],
        ["\ud800", "invalid_text"],
      ]) {
        expect(issuesOf(await ask({ search })), JSON.stringify(search)).to.deep.equal([`search ${code}`]);
      }
    });
  });

  describe("with filters", () => {
    it("filter by the whole email address in any case", async () => {
      for (const email of ["ADA@one.example", " ada@ONE.example\n"]) {
        expect(await find({ email }), email).to.deep.equal(["Ada"]);
      }
      expect(await find({ email: "bea@two.example" })).to.deep.equal(["Béa"]);
      for (const email of ["ada@one", "ada @one.example", "%@one.example", "", "_da@one.example"]) {
        expect(await find({ email }), email).to.deep.equal([]);
      }
      for (const email of ["\0", "\ud800", "a".repeat(256)]) {
        expect(issuesOf(await ask({ email }))[0], JSON.stringify(email)).to.match(/^email /);
      }
    });

    it("filter by creation and change time, inclusive", async () => {
      expect(await find({ createdSince: day(4) })).to.deep.equal(["ΟΔΥΣΣΕΎΣ", "Dora\\"]);
      expect(await find({ createdSince: new Date(day(4).getTime() + 1) })).to.deep.equal(["ΟΔΥΣΣΕΎΣ"]);
      expect(await find({ updatedSince: day(18) })).to.deep.equal(["Béa", "Ada"]);
      expect(await find({ updatedSince: new Date(day(18).getTime() + 1) })).to.deep.equal(["Ada"]);
      expect(await find({ createdSince: "2026-01-05T01:00:00+01:00" })).to.deep.equal(["ΟΔΥΣΣΕΎΣ"]);
    });

    it("combine filters", async () => {
      expect(await find({ search: "zuse", createdSince: day(2), updatedSince: day(16) })).to.deep.equal(["Cleo"]);
      expect(await find({ search: "zuse", email: "bea@two.example" })).to.deep.equal([]);
    });

    it("ignore null filters", async () => {
      const nothing = { search: null, email: null, createdSince: null, updatedSince: null };
      expect(await find(nothing)).to.deep.equal(everybody);
    });
  });

  describe("with sorting", () => {
    it("sort by creation or change time", async () => {
      expect(await find({ sort: "CREATED_AT", order: "ASC" })).to.deep.equal(everybody.toReversed());
      expect(await find({ sort: "UPDATED_AT" })).to.deep.equal(everybody.toReversed());
      expect(await find({ sort: "UPDATED_AT", order: "ASC" })).to.deep.equal(everybody);
    });

    it("sort by last name in the database's order, then by ID", async () => {
      const rows = await world.sql<{ firstName: string }>(
        `select first_name as "firstName" from customers where shop_id = $1 order by last_name, id`,
      );
      const names = rows.map(({ firstName }) => firstName);
      expect(names[0]).to.equal("Dora\\");
      expect(await find({ sort: "LAST_NAME", order: "ASC" })).to.deep.equal(names);
      expect(await find({ sort: "LAST_NAME" })).to.deep.equal(names.toReversed());
    });

    it("refuse other columns", async () => {
      for (const sort of ["EMAIL", "last_name", "id; drop table customers", null]) {
        expect(codeOf(await ask({ sort })), String(sort)).to.equal("BAD_USER_INPUT");
      }
    });
  });
});
