import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { explain } from "../../../src/cli/explain.ts";
import { operator } from "../../../src/core/access/actor.ts";
import { closeShop } from "../../../src/core/moves/close-shop.ts";
import { deleteShop } from "../../../src/core/moves/delete-shop.sql.ts";
import { Plan } from "../../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { fillBatch } from "../../../src/core/sandboxes/fill-sandbox.ts";
import { setPlan } from "../../../src/core/shops/plans/set-plan.ts";
import { removeMember } from "../../../src/core/staff/members/members.ts";
import { notifyExpiring } from "../../../src/jobs/mail/notify-expiring.sql.ts";
import { purgeSandboxes } from "../../../src/jobs/retention/purge-expired.sql.ts";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { buildEndpoint, buildKey } from "../../support/factories.ts";
import { exportText } from "../../support/shops/moves.ts";
import { buildFullShop } from "../../support/shops/full-shop.ts";
import { readShopRows } from "../../support/postgres/shop-rows.ts";
import { useWorld, World } from "../../support/world.ts";

const CREATE = `mutation ($shopId: ID!, $content: SandboxContent!) {
  createSandbox(shopId: $shopId, content: $content) { id name plan currency defaultTaxRate sandboxOf sandboxState sandboxContent }
}`;
const RESET = `mutation ($shopId: ID!, $content: SandboxContent!) {
  resetSandbox(shopId: $shopId, content: $content) { sandboxState }
}`;
const SHOPS = "{ viewer { memberships { role shop { id sandboxState } notificationSettings { kind } } } }";
const KEY = `mutation ($shopId: ID!) {
  createApiKey(shopId: $shopId, input: { name: "ERP", scopes: [READ_PRODUCTS, WRITE_PRODUCTS] }) { secret apiKey { id name } }
}`;
const RENAME = `mutation ($shopId: ID!, $id: ID!, $name: String!) {
  updateApiKey(shopId: $shopId, id: $id, input: { name: $name }) { name }
}`;
const SELL = `mutation ($shopId: ID!, $variantId: ID!) {
  createOrder(shopId: $shopId, input: { channel: POS, lines: [{ variantId: $variantId, quantity: 1 }] }) { orderNumber }
}`;

const PRODUCTS = `select p.title, handle, description, status, p.option_names, position, v.title as variant, option_values, sku, barcode,
    price::text, is_stock_tracked, inventory_quantity as stock,
    (select json_agg(json_build_array(kind, key, value) order by kind, key) from metadata where shop_id = $1 and record_id in (p.id, v.id)) as metadata,
    (select sum(delta)::int from stock_changes c where c.shop_id = $1 and c.variant_id = v.id) as history
  from products p join variants v on v.shop_id = $1 and v.product_id = p.id where p.shop_id = $1 order by handle, position`;

describe("A sandbox", () => {
  const world = useWorld({
    own: "deletes unused sandboxes of all shops",
    config: { encryptionKeys: [{ name: "test", key: randomBytes(32) }] },
  });
  const { server, shop } = world;

  const sql = <Row = Record<string, unknown>>(text: string, ...values: unknown[]) =>
    query<Row>(server.databaseUrl, text, values);
  const asOperator = (id: string) => ({ em: server.em, shop: { id }, actor: operator });
  const signal = new AbortController().signal;

  async function fill(id: string): Promise<void> {
    while (await fillBatch(server.em, { shopId: id }));
  }

  async function create(content: string, { ask }: World = world) {
    const { data, errors } = await ask(CREATE, { content });
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    await fill(data.createSandbox.id);
    return data.createSandbox;
  }

  const refusalOf = async (document: string, variables: Record<string, unknown>) => {
    const { errors } = await world.ask(document, variables);
    return [errors[0]?.extensions.code, errors[0]?.message];
  };

  it("is a shop with the same settings, and opens when it is filled", async () => {
    const till = await new World(server).open({
      name: "Harbour",
      currency: "JPY",
      plan: Plan.GROWTH,
      defaultTaxRate: "10",
    });
    const { data } = await till.ask(CREATE, { content: "SAMPLE" });
    const { id, ...made } = data.createSandbox;
    expect(made).to.deep.equal({
      name: "Harbour (Sandbox)",
      plan: "ENTERPRISE",
      currency: "JPY",
      defaultTaxRate: "10",
      sandboxOf: till.shop.id,
      sandboxState: "FILLING",
      sandboxContent: "SAMPLE",
    });
    expect(
      (await till.ask("query ($id: ID!) { shop(id: $id) { products { total } } }", { id })).errors[0]?.message,
    ).to.equal("The sandbox is being filled");
    await fill(id);
    const { shop: filled } = (
      await till.ask(
        "query ($id: ID!) { shop(id: $id) { sandboxState products { total } customers { total } orders { total } } }",
        { id },
      )
    ).data;
    expect(filled).to.deep.equal({
      sandboxState: "READY",
      products: { total: 120 },
      customers: { total: 60 },
      orders: { total: 90 },
    });
    const [orders] = await sql(
      "select min(created_at) > now() - interval '30 days' as are_recent, min(order_number) as first from orders where shop_id = $1",
      id,
    );
    expect(orders).to.deep.equal({ are_recent: true, first: "1001" });
    expect(await sql("select from events where shop_id = $1", id)).to.deep.equal([]);
  });

  it("copies products with their stock, continues where a killed worker ended, and leaves its shop as it is", async () => {
    const full = await buildFullShop(server, "https://receiver.example/hooks");
    const { id: shopId } = full.shop;
    await sql(
      `insert into products (shop_id, id, title, handle, status, option_names, search_words, created_at, updated_at)
      select shop_id, left(id, 20) || to_char(number, 'fm000000') || right(id, 5), title || number, handle || '-' || number, status, option_names, search_words, created_at, updated_at
      from products, generate_series(1, 25) number where shop_id = $1`,
      shopId,
    );
    await sql(
      `insert into variants (shop_id, id, product_id, position, title, option_values, sku, barcode, price, inventory_quantity, created_at, updated_at)
      select shop_id, 'var' || substr(id, 5), id, 1, 'Default Title', '{}', '', '', 19.90, -2, created_at, updated_at
      from products p where shop_id = $1 and not exists (select from variants v where v.shop_id = $1 and v.product_id = p.id)`,
      shopId,
    );
    await sql(
      `insert into metadata (shop_id, record_id, kind, key, value) select $1, id, split_part(id, '_', 1), 'erp_id', id from products
      where shop_id = $1 union all select $1, id, 'var', 'erp_id', id from variants where shop_id = $1`,
      shopId,
    );
    const owner = new World(server);
    Object.assign(owner.shop, full.shop);
    owner.become(full.owner);
    await owner.browser();
    await sql("update api_keys set last_used_at = '2100-01-01' where shop_id = $1", shopId);
    const before = await readShopRows(server, full.shop);
    const { data } = await owner.ask(CREATE, { content: "PRODUCTS" });
    const { id } = data.createSandbox;
    expect(await fillBatch(server.em, { shopId: id })).to.equal(true);
    await fill(id);
    const own = await sql(PRODUCTS, shopId);
    const copied = await sql(PRODUCTS, id);
    expect(copied.length).to.be.above(300);
    expect(copied.map(({ history, ...row }) => row)).to.deep.equal(own.map(({ history, ...row }) => row));
    expect(copied.filter(({ stock, history }) => (history ?? 0) !== stock)).to.deep.equal([]);
    expect(await sql("select from orders where shop_id = $1", id)).to.have.length(90);
    await owner.ask(RESET, { shopId: id, content: "SAMPLE" });
    await fill(id);
    await closeShop(asOperator(id));
    await sql("update shops set closed_at = now() - interval '1 hour' where id = $1", id);
    await deleteShop(asOperator(id), { confirm: "Harbour & Goods (Sandbox)", signal, onProgress: () => undefined });
    expect(await readShopRows(server, full.shop)).to.deep.equal(before);
  });

  it("has the staff of its shop, their roles, and keys of its own", async () => {
    const clerk = await world.as(Role.CLERK);
    const { id } = await create("EMPTY");
    const shopsOf = async ({ ask }: World) => (await ask(SHOPS)).data.viewer.memberships;
    expect(await shopsOf(clerk)).to.deep.equal([
      { role: "CLERK", shop: { id: shop.id, sandboxState: null }, notificationSettings: [] },
      { role: "CLERK", shop: { id, sandboxState: "READY" }, notificationSettings: [] },
    ]);
    expect((await clerk.ask(KEY, { shopId: id })).errors[0]?.extensions.code).to.equal("FORBIDDEN");
    const { secret, apiKey } = (await world.ask(KEY, { shopId: id })).data.createApiKey;
    expect(apiKey.name).to.equal("Sandbox: ERP");
    const renamed = await world.ask(RENAME, { shopId: id, id: apiKey.id, name: "x".repeat(255) });
    expect(renamed.data.updateApiKey.name).to.equal(`Sandbox: ${"x".repeat(246)}`);
    const statusWith = async (key: string, shopId: string) =>
      (await call(server, "GET", `/${shopId}/products`, { key })).status;
    expect(await statusWith(secret, id)).to.equal(200);
    expect([await statusWith(secret, shop.id), await statusWith(await world.key(), id)]).to.deep.equal([404, 404]);
    const staff = `A sandbox has the staff of its shop, ${shop.id}. Change it there`;
    const INVITE =
      'mutation ($shopId: ID!) { inviteMember(shopId: $shopId, input: { email: "a@example.com", role: CLERK }) { token } }';
    expect(await refusalOf(INVITE, { shopId: id })).to.deep.equal(["INVALID_STATE", staff]);
    await removeMember(asOperator(shop.id), clerk.staff.id);
    expect(await shopsOf(clerk)).to.deep.equal([]);
  });

  it("is reset without an event, and keeps keys, endpoints and the count of order numbers", async () => {
    const { id } = await create("SAMPLE");
    const sandbox = { ...shop, id };
    const { endpoint } = await buildEndpoint(server, sandbox, "https://receiver.example/hooks", [
      "order.created",
      "product.created",
    ]);
    const key = await buildKey(server.em, sandbox);
    await call(server, "POST", `/${id}/products`, {
      key,
      body: { title: "Mug", price: 1 },
      headers: { "idempotency-key": "once" },
    });
    const sell = async () => {
      const [variant] = await sql<{ id: string }>(
        "select id from variants where shop_id = $1 and inventory_quantity > 0 and product_id in (select id from products where status = 'ACTIVE') limit 1",
        id,
      );
      return (await world.ask(SELL, { shopId: id, variantId: variant!.id })).data.createOrder.orderNumber;
    };
    expect(await sell()).to.equal("1091");
    await world.ask(RESET, { shopId: id, content: "EMPTY" });
    expect(await refusalOf(RESET, { shopId: id, content: "EMPTY" })).to.deep.equal([
      "UNAVAILABLE",
      "The sandbox is being filled",
    ]);
    await fill(id);
    const left = await readShopRows(server, sandbox);
    for (const table of ["products", "orders", "customers", "events", "outstanding_deliveries", "idempotency_keys"])
      expect(left, table).not.to.have.property(table);
    expect(left.webhook_endpoints!.map((row) => row.id)).to.deep.equal([endpoint.id]);
    await world.ask(RESET, { shopId: id, content: "SAMPLE" });
    await fill(id);
    expect((await call(server, "GET", `/${id}/products`, { key })).json.pagination.total).to.equal(120);
    expect(await sell()).to.equal("1182");
    const topics = (await readShopRows(server, sandbox)).events!.map(({ topic }) => topic);
    expect(topics).to.have.members(["order.created", "product.updated"]);
  });

  it("is refused in one sentence, and nothing changes", async () => {
    const [{ id }] = [await create("EMPTY"), await create("EMPTY")];
    await world.ask(
      'mutation ($id: ID!) { createImport(shopId: $id, input: { kind: PRODUCTS, fileName: "a.csv", fileSize: 1 }) { id } }',
      { id },
    );
    await sql("update imports set state = 'RUNNING' where shop_id = $1", id);
    const before = await sql("select * from shops order by id");
    expect(await refusalOf(CREATE, { content: "EMPTY" })).to.deep.equal([
      "LIMIT_REACHED",
      "A shop can have at most 2 sandboxes",
    ]);
    expect(await refusalOf(CREATE, { shopId: id, content: "EMPTY" })).to.deep.equal([
      "INVALID_STATE",
      "A sandbox cannot have a sandbox",
    ]);
    expect(await refusalOf(RESET, { content: "EMPTY" })).to.deep.equal([
      "INVALID_STATE",
      "Only a sandbox can be reset",
    ]);
    expect(await refusalOf(RESET, { shopId: id, content: "EMPTY" })).to.deep.equal([
      "INVALID_STATE",
      "An import is running",
    ]);
    const plan = setPlan(asOperator(id), { plan: Plan.NONE, trialEndsAt: null });
    expect(explain(await plan.catch((error: unknown) => error))).to.equal(
      `A sandbox has the plan of its shop, ${shop.id}. Change it there`,
    );
    const moved = exportText(server, { id });
    expect(explain(await moved.catch((error: unknown) => error))).to.equal(
      "A sandbox does not move. Create another one where its shop is",
    );
    expect(await sql("select * from shops order by id")).to.deep.equal(before);
  });

  it("has full access for as long as its shop has any, and keeps its mark when it is renamed", async () => {
    const { id } = await create("EMPTY");
    const read = async () => (await sql("select plan, name from shops where id = $1", id))[0];
    await setPlan(asOperator(shop.id), { plan: Plan.NONE, trialEndsAt: null });
    expect(await read()).to.deep.equal({ plan: "NONE", name: "Test Shop (Sandbox)" });
    await setPlan(asOperator(shop.id), { plan: Plan.GROWTH, trialEndsAt: null });
    await world.ask('mutation ($id: ID!) { updateShop(shopId: $id, input: { name: "Trials" }) { id } }', { id });
    expect(await read()).to.deep.equal({ plan: "ENTERPRISE", name: "Trials (Sandbox)" });
  });

  it("is deleted a week after a mail, if nobody uses it for 90 days, and with its shop", async () => {
    const [unused, used] = [await create("EMPTY"), await create("EMPTY")];
    const age = (days: number) =>
      sql("update shops set sandbox_used_at = now() - make_interval(days => $2) where sandbox_of = $1", shop.id, days);
    const noticed = () =>
      sql(
        "select target_id, mailed_at from notices where shop_id = $1 and kind = 'SANDBOX_ENDING' order by target_id",
        shop.id,
      );
    await age(84);
    await notifyExpiring(server.em, signal);
    await notifyExpiring(server.em, signal);
    expect(await noticed()).to.deep.equal([unused.id, used.id].map((target_id) => ({ target_id, mailed_at: null })));
    await world.ask("query ($id: ID!) { shop(id: $id) { products { total } } }", { id: used.id });
    await sql("update notices set created_at = now() - interval '7 days' where shop_id = $1", shop.id);
    const find = async () => (await sql("select id from shops where sandbox_of = $1", shop.id)).map(({ id }) => id);
    await purgeSandboxes(server.em, signal);
    expect(await find()).to.have.length(2);
    await sql(
      `with aged as (update shops set sandbox_used_at = sandbox_used_at - interval '7 days', closed_at = now() - interval '1 hour'
        where sandbox_of = $1 returning id, sandbox_used_at)
      update notices set details = jsonb_build_object('endsAt', sandbox_used_at + interval '90 days') from aged where target_id = aged.id and id = $2`,
      shop.id,
      unused.id,
    );
    await purgeSandboxes(server.em, signal);
    expect(await find()).to.deep.equal([used.id]);
    await closeShop(asOperator(shop.id));
    await sql("update shops set closed_at = now() - interval '1 hour' where id = $1", shop.id);
    await deleteShop(asOperator(shop.id), { confirm: shop.name, signal, onProgress: () => undefined });
    expect(await find()).to.deep.equal([]);
  });
});
