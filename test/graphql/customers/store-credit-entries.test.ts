import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { buildCustomer, grantStoreCredit } from "../../support/factories.ts";
import { codeOf, issuesOf } from "../../support/requests/refusals.ts";
import { useWorld } from "../../support/world.ts";

describe("Entries of store credit", () => {
  const { server, shop, ask, sql } = useWorld({}, { role: Role.CLERK });
  let customer: { shopId: string; id: string };

  beforeEach(async () => {
    customer = await buildCustomer(server.em, shop);
  });

  const ENTRIES = `query ($shopId: ID!, $limit: Int!) {
    shop(id: $shopId) { customers(order: ASC, limit: 5) { items {
      id
      storeCreditEntries(limit: $limit) { id amount }
      newest: storeCreditEntries(limit: 1) { amount }
      all: storeCreditEntries { amount }
    } } }
  }`;

  async function fill(count: number): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, index) => ({ id: newId("scr"), amount: `${index + 1}` }));
    await sql(
      `insert into store_credit_entries (shop_id, id, customer_id, amount, reason, created_at)
      select $1, id, $2, amount::numeric, 'Test', '2026-01-01'::timestamptz + amount::int / 2 * interval '1 day'
      from unnest($3::text[], $4::text[]) as rows (id, amount)`,
      customer.id,
      rows.map(({ id }) => id),
      rows.map(({ amount }) => amount),
    );
    return rows.map(({ id }) => id).toReversed();
  }

  it("are the newest of each customer, up to the limit", async () => {
    const ids = await fill(30);
    const other = await buildCustomer(server.em, shop);
    await grantStoreCredit(server.em, other, "99");
    const none = await buildCustomer(server.em, shop);
    const { data, errors } = await ask(ENTRIES, { limit: 25 });
    expect(errors).to.deep.equal([]);
    const byId = new Map<string, Record<string, { id: string; amount: string }[]>>(
      data.shop.customers.items.map((item: { id: string }) => [item.id, item]),
    );
    const filled = byId.get(customer.id)!;
    expect(filled.storeCreditEntries!.map(({ id }) => id)).to.deep.equal(ids.slice(0, 25));
    expect(filled.newest).to.deep.equal([{ amount: "30" }]);
    expect(filled.all!.map(({ amount }) => Number(amount))).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => 30 - index),
    );
    expect(byId.get(other.id)!.all).to.deep.equal([{ amount: "99" }]);
    expect(byId.get(none.id)!.all).to.deep.equal([]);
  });

  it("accept a limit of 1 to 250", async () => {
    await fill(251);
    for (const limit of [0, -1, 251]) {
      const answer = await ask(ENTRIES, { limit });
      expect(codeOf(answer), String(limit)).to.equal("VALIDATION_FAILED");
      expect(issuesOf(answer)[0], String(limit)).to.match(/^limit too_/);
    }
    const { data } = await ask(ENTRIES, { limit: 250 });
    expect(data.shop.customers.items[0].storeCreditEntries).to.have.length(250);
  });
});
