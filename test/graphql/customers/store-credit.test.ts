import { expect } from "chai";
import { changeStoreCredit } from "../../../src/core/customers/store-credit/change-store-credit.ts";
import { operator } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { Big } from "../../../src/platform/money.ts";
import { buildCustomer, grantStoreCredit } from "../../support/factories.ts";
import { codeOf, issuesOf } from "../../support/requests/refusals.ts";
import { useWorld } from "../../support/world.ts";

const ENTRIES = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { customer(id: $id) {
  updatedAt storeCreditEntries { amount reason orderId actorId actorName createdAt } } } }`;

describe("Store credit", () => {
  const { server, shop, staff: clerk, ask, open, send, sql } = useWorld({}, { role: Role.CLERK });
  let customer: { shopId: string; id: string };

  beforeEach(async () => {
    customer = await buildCustomer(server.em, shop);
  });

  async function change(verb: "grant" | "spend", amount: unknown, more: Record<string, unknown> = {}) {
    return send(`${verb}StoreCredit`, { customerId: customer.id, input: { amount, reason: "Test", ...more } });
  }

  async function ledger(): Promise<string[]> {
    const rows = await sql<{ amount: string }>(
      "select amount from store_credit_entries where shop_id = $1 order by id",
    );
    return rows.map(({ amount }) => new Big(amount).toFixed());
  }

  async function topics(): Promise<string[]> {
    const rows = await sql<{ topic: string }>("select topic from events where shop_id = $1");
    return rows.map(({ topic }) => topic);
  }

  it("is granted and deducted with ledger entries", async () => {
    const granted = (await change("grant", "20.50", { reason: " Goodwill " })).data.grantStoreCredit;
    expect(granted).to.include({ id: customer.id, version: 2, storeCreditBalance: "20.50" });
    expect(granted.updatedAt > granted.createdAt).to.equal(true);
    const spent = (await change("spend", "0.51", { reason: "Coffee" })).data.spendStoreCredit;
    expect(spent.storeCreditBalance).to.equal("19.99");
    expect(spent.updatedAt >= granted.updatedAt).to.equal(true);
    const [second, first] = (await ask(ENTRIES, { id: customer.id })).data.shop.customer.storeCreditEntries;
    expect(first).to.deep.include({
      amount: "20.50",
      reason: "Goodwill",
      orderId: null,
      actorId: clerk.id,
      actorName: clerk.email,
    });
    expect(second).to.deep.include({
      amount: "-0.51",
      reason: "Coffee",
      orderId: null,
      actorId: clerk.id,
      actorName: clerk.email,
    });
    expect(second.createdAt).to.equal(spent.updatedAt);
    expect(await topics()).to.deep.equal(["customer.updated", "customer.updated"]);
  });

  it("can be spent to 0, and not below", async () => {
    await change("grant", "10");
    const more = await change("spend", "10.01");
    expect(codeOf(more)).to.equal("INSUFFICIENT_STORE_CREDIT");
    expect(more.errors[0]!.message).to.equal("Insufficient store credit: 10.00 EUR");
    expect((await change("spend", "10.00")).data.spendStoreCredit.storeCreditBalance).to.equal("0.00");
    expect(codeOf(await change("spend", "0.01"))).to.equal("INSUFFICIENT_STORE_CREDIT");
    expect(await ledger()).to.deep.equal(["10", "-10"]);
    expect(await topics()).to.have.length(2);
  });

  it("is spent by as many concurrent requests as it covers", async () => {
    await grantStoreCredit(server.em, customer, "7.50");
    const answers = await Promise.all(Array.from({ length: 50 }, () => change("spend", "0.50")));
    expect(answers.filter(({ errors }) => errors.length === 0)).to.have.length(15);
    expect(answers.filter((answer) => codeOf(answer) === "INSUFFICIENT_STORE_CREDIT")).to.have.length(35);
    expect((await ledger()).reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed()).to.equal("0");
    for (const { data } of answers) {
      if (data) expect(Number(data.spendStoreCredit.storeCreditBalance)).to.be.within(0, 7);
    }
    expect(await topics()).to.have.length(15);
  });

  it("is exact with concurrent grants and deductions", async () => {
    await grantStoreCredit(server.em, customer, "100");
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => change(index % 2 ? "grant" : "spend", "1.10")),
    );
    expect(answers.flatMap(({ errors }) => errors)).to.deep.equal([]);
    expect((await ledger()).reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed()).to.equal("100");
  });

  for (const verb of ["grant", "spend"] as const) {
    it(`is refused to ${verb} with amounts out of range`, async () => {
      await grantStoreCredit(server.em, customer, "2000000");
      for (const [amount, code] of [
        ["0", "too_small"],
        ["-1", "too_small"],
        ["-0.00", "too_small"],
        ["1000000000000", "too_big"],
        ["9".repeat(400), "too_big"],
        ["0.001", "too_many_decimals"],
      ]) {
        expect(issuesOf(await change(verb, amount)), amount).to.deep.equal([`amount ${code}`]);
      }
      for (const amount of [1, null, "", "1e3", "1,5", " 1", "NaN", "0x1", [], "9".repeat(401)]) {
        expect(codeOf(await change(verb, amount)), JSON.stringify(amount)).to.equal("BAD_USER_INPUT");
      }
      expect(await ledger()).to.deep.equal(["2000000"]);
      expect((await change(verb, "1000000")).errors).to.deep.equal([]);
    });

    it(`is refused to ${verb} without a storable reason`, async () => {
      for (const [reason, code] of [
        ["", "too_small"],
        [" \n ", "too_small"],
        ["a".repeat(256), "too_big"],
        ["\0", "invalid_text"],
        ["\ud800", "invalid_text"],
      ]) {
        const answer = await change(verb, "0", { reason });
        expect(issuesOf(answer), reason).to.deep.equal(["amount too_small", `reason ${code}`]);
      }
      expect(await ledger()).to.deep.equal([]);
    });
  }

  it("has the decimals of the shop's currency", async () => {
    for (const [currency, fits, tooFine] of [
      ["JPY", "1", "1.5"],
      ["HUF", "1.25", "1.255"],
      ["KWD", "1.125", "1.1255"],
    ] as const) {
      await open({ currency });
      customer = await buildCustomer(server.em, shop);
      expect(issuesOf(await change("grant", tooFine)), currency).to.deep.equal(["amount too_many_decimals"]);
      expect((await change("grant", fits)).data.grantStoreCredit.storeCreditBalance, currency).to.equal(fits);
    }
  });

  it("is refused beyond the largest amount", async () => {
    expect((await change("grant", "999999999999.98")).errors).to.deep.equal([]);
    const more = await change("grant", "0.02");
    expect(codeOf(more)).to.equal("INVALID_STATE");
    expect(more.errors[0]!.message).to.equal("Store credit must be at most 999999999999.99");
    const { data } = await change("grant", "0.01");
    expect(data.grantStoreCredit.storeCreditBalance).to.equal("999999999999.99");
    expect(await ledger()).to.deep.equal(["999999999999.98", "0.01"]);
  });

  it("names the order that it was spent on or refunded for", async () => {
    const orderId = newId("ord");
    const at = new Date("2026-03-01T10:00:00.000Z");
    const entry = { customerId: customer.id, amount: "3", reason: "Refund", orderId, at };
    await server.em.transactional((em) => changeStoreCredit({ em, shop, actor: operator }, entry));
    const { updatedAt, storeCreditEntries } = (await ask(ENTRIES, { id: customer.id })).data.shop.customer;
    expect(updatedAt).to.equal(at.toISOString());
    const shown = { amount: "3.00", reason: "Refund", orderId, actorId: null, actorName: null };
    expect(storeCreditEntries).to.deep.equal([{ ...shown, createdAt: at.toISOString() }]);
  });
});
