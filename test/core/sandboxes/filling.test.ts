import { expect } from "chai";
import { SandboxState } from "../../../src/core/model/shops/shop.entity.ts";
import { endFilling, fillBatch } from "../../../src/core/sandboxes/fill-sandbox.ts";
import { fillShop } from "../../../src/core/sandboxes/sample/fill-shop.ts";
import { useWorld } from "../../support/world.ts";

const CREATE =
  "mutation ($shopId: ID!, $content: SandboxContent!) { createSandbox(shopId: $shopId, content: $content) { id name } }";

describe("Filling a sandbox", () => {
  const { server, shop, ask, run, sql } = useWorld();

  const create = async (content: string) =>
    (await ask(CREATE, { content })).data.createSandbox as { id: string; name: string };

  it("is answered with fields of the new sandbox that require permissions", async () => {
    const limited = CREATE.replace("{ id name }", "{ apiKeyLimit { used maximum } products { total } }");
    const { data } = await ask(limited, { content: "EMPTY" });
    expect(data.createSandbox).to.deep.equal({ apiKeyLimit: { used: 0, maximum: 10 }, products: { total: 0 } });
  });

  it("leaves out a product that got the handle of one that was copied before", async () => {
    await fillShop(server.em, shop, { products: 260, customers: 1, orders: 0 });
    const { id: shopId } = await create("PRODUCTS");
    expect(await fillBatch(server.em, { shopId })).to.equal(true);
    const [first] = await sql("select id, title from products where shop_id = $1 order by id limit 1");
    await run("deleteProduct", { id: first!.id });
    await run("createProduct", { input: { title: first!.title, variants: [{ price: "1" }] } });
    expect(await fillBatch(server.em, { shopId })).to.equal(false);
    const [sandbox] = await sql(
      `select sandbox_state, (select count(*)::int from products where shop_id = shops.id) as products
      from shops where sandbox_of = $1`,
    );
    expect(sandbox).to.deep.equal({ sandbox_state: "READY", products: 260 });
  });

  it("does not open a sandbox that is being deleted, if it fails", async () => {
    const { id } = await create("EMPTY");
    await sql("update shops set deletion_started_at = now() where sandbox_of = $1");
    await endFilling(server.em, id, SandboxState.FAILED);
    expect(await sql("select from shops where sandbox_of = $1 and closed_at is null")).to.deep.equal([]);
  });

  it("gives the second sandbox another name than the first, also when the first was created as the second", async () => {
    await create("EMPTY");
    await sql("update shops set name = 'Test Shop 2 (Sandbox)' where sandbox_of = $1");
    expect((await create("EMPTY")).name).to.equal("Test Shop (Sandbox)");
  });
});
