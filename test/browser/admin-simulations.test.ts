import { useAdminPages } from "./admin-pages.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildProduct } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";
import { copy } from "../../admin/settings/copy.ts";

const texts = copy.simulations;

describe(`Admin's simulations in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const { shop, staff: owner, sql } = useWorld(pages.server);

  it("are in the settings of a sandbox only", async () => {
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see(copy.sandboxes.title);
    await pages.miss(texts.title);
    await sql(
      "update shops set sandbox_of = 'shop_live', sandbox_state = 'READY', sandbox_content = 'EMPTY' where id = $1",
    );
    await buildProduct(pages.server.em, shop, { price: "19.90", inventoryQuantity: 9 });
    await buildKey(pages.server.em, shop);
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.see(texts.title);
    await pages.expectAccessible();
    await pages.choose(texts.order.label, texts.states.LATE_CAPTURE);
    await pages.press(texts.order.action);
    await pages.see(texts.done);
    await pages.choose(texts.event.label, "customer.created");
    await pages.press(texts.event.action);
    await pages.fill(texts.count, "1001");
    await pages.press(texts.failures.action);
    await pages.see("Next requests must be at most 1000");
    await pages.fill(texts.count, "3");
    await pages.choose(texts.failures.label, texts.kinds.CONNECTION_CLOSED);
    await pages.press(texts.failures.action);
    const read = () =>
      sql(
        `select overpaid_amount::text, failure_kind, failures_left, (select count(*)::int from customers where shop_id = $1) as customers
          from orders join api_keys using (shop_id) where shop_id = $1`,
      );
    const made = { overpaid_amount: "19.90", failure_kind: "CONNECTION_CLOSED", failures_left: 3, customers: 1 };
    await eventually(read, (rows) => JSON.stringify(rows) === JSON.stringify([made]));
  });
});
