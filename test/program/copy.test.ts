import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { eventually } from "../support/eventually.ts";
import { buildCustomer, buildOrder, importProduct } from "../support/factories.ts";
import { Copy, readShop, type CopyOptions } from "../support/programs/copy.ts";
import { useWorld } from "../support/world.ts";

const READS = ["READ_PRODUCTS", "READ_ORDERS", "READ_CUSTOMERS"];

describe("docs/receivers/typescript/copy.ts", function () {
  this.timeout(120_000);
  const world = useWorld({ worker: true });
  const { run, shop } = world;
  let copy: Copy;
  let options: Omit<CopyOptions, "mode">;

  beforeEach(async () => {
    copy = new Copy();
    options = {
      url: world.server.url,
      token: await issue([...READS, "MANAGE_OWN_WEBHOOK_ENDPOINTS"]),
      shopId: shop.id,
      port: await findFreePort(),
    };
  });
  afterEach(() => copy.kill());

  async function issue(permissions: string[]): Promise<string> {
    return (await run("createServiceToken", { input: { name: "Copy", permissions } })).secret as string;
  }

  /** Waits until the copy is the shop. */
  async function expectSame(count: number): Promise<void> {
    const wanted = await readShop(world);
    expect(Object.keys(wanted)).to.have.length(count);
    await eventually(
      () => copy.records(),
      (records) => isDeepStrictEqual(records, wanted),
      60_000,
    );
  }

  const input = (title: string) => ({ title, variants: [{ price: "5", inventoryQuantity: 9 }] });

  for (const mode of ["push", "pull", "poll"] as const) {
    it(`follows a shop that grows, changes and shrinks, by ${mode}, through a kill and a restart`, async () => {
      // Without events, a walk finds deletions.
      const start = () => copy.start({ ...options, mode, ...(mode === "poll" && { walkEvery: 2_000 }) });
      await start();
      await expectSame(0);
      const mug = await run("createProduct", { input: input("Mug") });
      const bowl = await run("createProduct", { input: input("Bowl") });
      const customer = await run("createCustomer", { input: { email: "ada@example.com" } });
      const lines = [{ variantId: bowl.variants[0].id, quantity: 1 }];
      const order = await run("createOrder", { input: { channel: "POS", lines, customerId: customer.id } });
      await expectSame(4);

      await run("updateVariant", { id: mug.variants[0].id, input: { barcode: "036000291452", price: "6" } });
      await run("updateProduct", { id: bowl.id, input: { status: "ARCHIVED", description: "Deep" } });
      await run("cancelOrder", { id: order.id });
      await expectSame(4);

      await copy.kill();
      await run("deleteProduct", { id: mug.id });
      await run("updateCustomer", { id: customer.id, input: { firstName: "Augusta" } });
      await run("createProduct", { input: input("Plate") });
      await start();
      await expectSame(4);
      await run("grantStoreCredit", { customerId: customer.id, input: { amount: "5", reason: "Late" } });
      await expectSame(4);
      const endpoints = await world.sql("select from webhook_endpoints where shop_id = $1");
      expect(endpoints).to.have.length(mode === "poll" ? 0 : 1);
    });
  }

  it("walks a shop that has records, goes on after a kill, and walks again each day", async () => {
    const products = [];
    for (let number = 0; number < 260; number += 1) {
      products.push(await importProduct(world.server.em, shop, { title: `Product ${number}` }));
    }
    await buildOrder(world.server.em, shop, { customer: await buildCustomer(world.server.em, shop) });
    await copy.start({ ...options, mode: "pull" });
    await eventually(
      () => Object.keys(copy.records()).length,
      (count) => count > 20,
    );
    await copy.kill();
    await copy.start({ ...options, mode: "pull" });
    await expectSame(262);

    await world.sql("delete from products where shop_id = $1 and id = $2", products[0]!.id);
    await world.sql("update customers set first_name = 'Grace' where shop_id = $1");
    await copy.kill();
    await copy.start({ ...options, mode: "pull", walkEvery: 0 });
    await expectSame(261);
  });

  it("finds its endpoint again without its file", async () => {
    const first = new Copy();
    try {
      for (const program of [first, copy]) {
        await run("createProduct", { input: input("Mug") });
        await program.start({ ...options, mode: "push" });
        await eventually(
          () => Object.keys(program.records()).length,
          (count) => count > 0,
        );
        await first.kill();
      }
      await run("createProduct", { input: input("Bowl") });
      await expectSame(3);
      expect(await world.sql("select from webhook_endpoints where shop_id = $1")).to.have.length(1);
    } finally {
      await first.kill();
    }
  });

  it("refuses events that are not signed, and stores nothing", async () => {
    await copy.start({ ...options, mode: "push" });
    const url = `http://127.0.0.1:${options.port}/`;
    const body = JSON.stringify({ id: "evt_1", topic: "product.created", data: { productId: "prod_1" } });
    const send = (headers: Record<string, string>) =>
      fetch(url, { method: "POST", headers, body }).then(
        ({ status }) => status,
        () => 0,
      );
    await eventually(() => send({}), Boolean);
    for (const signature of ["", "sha256=00", `sha256=${"0".repeat(64)}`]) {
      expect(await send({ "X-Webhook-Signature": signature })).to.equal(401);
    }
    expect(copy.queued()).to.equal(0);
  });

  it("ends with an error that names what its token lacks", async () => {
    await copy.start({ ...options, token: await issue(READS), mode: "pull" });
    await eventually(
      () => copy.isRunning,
      (isRunning) => !isRunning,
    );
    expect(copy.output).to.contain("MANAGE_OWN_WEBHOOK_ENDPOINTS");
  });
});
