import { expect } from "chai";
import { fillShop } from "../../../src/core/sandboxes/sample/fill-shop.ts";
import { query } from "../../support/database.ts";
import { buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";

describe("A demo shop", () => {
  const server = useServer();
  let shopId: string;

  before(async () => {
    const shop = await buildShop(server.em);
    await fillShop(server.em, shop, { products: 20, customers: 5, orders: 100 });
    shopId = shop.id;
  });

  const rows = (text: string) => query<Record<string, number>>(server.databaseUrl, text, [shopId]);

  it("has a stock history that leads to the stock of each variant", async () => {
    const wrong = await rows(`
      select v.id from variants v left join stock_changes c on c.shop_id = v.shop_id and c.variant_id = v.id
      where v.shop_id = $1 group by v.id, v.inventory_quantity
      having coalesce(sum(c.delta), 0) <> v.inventory_quantity or min(c.quantity_after) < 0 or min(c.created_at) < min(v.created_at)`);
    expect(wrong).to.deep.equal([]);
  });

  it("has a stock change for each line that was sold", async () => {
    const [sold] = await rows(`
      select count(*)::int as lines, (select count(*)::int from stock_changes where shop_id = $1 and reason = 'SOLD') as changes
      from order_items i join orders o on o.shop_id = i.shop_id and o.id = i.order_id
      where o.shop_id = $1 and o.status <> 'CANCELLED'`);
    expect(sold!.lines).to.be.above(100);
    expect(sold!.changes).to.equal(sold!.lines);
  });

  it("has each cancellation and refund in the timeline of its order", async () => {
    const missing = await rows(`
      select id from orders o where shop_id = $1 and (status = 'CANCELLED' or refunded_amount > 0)
        and not exists (select from audit_entries a where a.shop_id = o.shop_id and a.target_id = o.id)`);
    expect(missing).to.deep.equal([]);
  });
});
