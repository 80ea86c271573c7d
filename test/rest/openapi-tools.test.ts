import { expect } from "chai";
import { call } from "../support/client.ts";
import { buildKey, buildShop, importProduct } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";

const redocly = beside(import.meta.resolve("@redocly/cli/package.json"), "bin/cli.js");
const oazapfts = beside(import.meta.resolve("oazapfts"), "cli.js");

describe("The OpenAPI document in other tools", function () {
  this.timeout(60_000);
  const server = useServer();
  // All that the generated client needs beside itself.
  const runtime = beside(import.meta.resolve("@oazapfts/runtime"), ".");
  const { write, run, compile, load } = useToolDirectory(server, { "@oazapfts/runtime": runtime });

  const lint = (file: string) => run(redocly, "lint", file, "--extends", "recommended");

  it("passes Redocly's recommended rules", async () => {
    const { code, output } = await lint("openapi.json");
    expect(code, output).to.equal(0);
  });

  it("fails them with a mistake", async () => {
    const { text } = await call(server, "GET", "/openapi.json");
    await write("wrong.json", text.replace('"#/components/schemas/ProductList"', '"#/components/schemas/Nothing"'));
    expect((await lint("wrong.json")).code).not.to.equal(0);
  });

  it("generates a typed client that compiles in strict mode and works", async () => {
    const generated = await run(oazapfts, "openapi.json", "client.ts");
    expect(generated.code, generated.output).to.equal(0);
    await write("usage.ts", usage);
    const compiled = await compile("usage.ts");
    expect(compiled.code, compiled.output).to.equal(0);

    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    await importProduct(server.em, shop, { title: "Mug", variants: [{ barcode: "4006381333931", price: "14.5" }] });
    const { useClient } = await load<{ useClient: (...parameters: string[]) => Promise<unknown> }>("usage.ts");
    expect(await useClient(server.url, key, shop.id)).to.deep.equal({
      barcode: "4006381333931",
      revenue: 14.5,
      total: 1,
      handles: ["oak-tray", "oak-tray"],
      refusal: "price",
      unknown: "Order not found",
      customers: [],
    });
  });
});

/** Code of a merchant's developer. The compiler must check every response, and detect every mistake. */
const usage = `
import * as api from "./client.ts";

export async function useClient(baseUrl: string, key: string, shopId: string) {
  api.defaults.baseUrl = baseUrl;
  api.defaults.headers = { authorization: "Bearer " + key };

  const listed = await api.listProducts(shopId, { search: "mug", status: "ACTIVE", limit: 10 });
  if (listed.status !== 200) throw new Error("not listed");
  const total: number = listed.data.pagination.total;
  const variant = listed.data.products[0]!.variants[0]!;
  const barcode: string = variant.barcode;
  const revenue: number = variant.price * 1;

  const handles: string[] = [];
  for (const _ of [1, 2]) {
    const created = await api.createProduct(shopId, { title: "Oak Tray", price: 28 }, { idempotencyKey: "tray" });
    if (created.status !== 201) throw new Error("not created");
    handles.push(created.data.product.handle);
    const single = await api.getProduct(shopId, created.data.product.id);
    if (single.status !== 200) throw new Error("not found");
    const description: string | null = single.data.product.description;
    if (description !== null) throw new Error("described");
    // @ts-expect-error a single product has no barcodes
    single.data.product.variants[0]!.barcode;
    // @ts-expect-error an answer to a create has no variants
    created.data.product.variants;
  }

  const refused = await api.createProduct(shopId, { title: "Oak Tray", price: -1 });
  const refusal = refused.status === 400 ? refused.data.details?.[0]?.path : undefined;
  const order = await api.getOrder(shopId, "unknown");
  const unknown = order.status === 404 ? order.data.error : undefined;
  const customers = await api.listCustomers(shopId);
  if (customers.status !== 200) throw new Error("not listed");

  const mistakes = () => {
    // @ts-expect-error a product needs a price
    void api.createProduct(shopId, { title: "Oak Tray" });
    // @ts-expect-error an amount is a number
    void api.createProduct(shopId, { title: "Oak Tray", price: "28" });
    // @ts-expect-error there is no such status
    void api.listProducts(shopId, { status: "GONE" });
    // @ts-expect-error orders cannot be searched
    void api.listOrders(shopId, { search: "1042" });
    if (order.status === 200) {
      // @ts-expect-error a walk-in sale has no customer
      order.data.order.customer.email;
      // @ts-expect-error a single order calls it totalAmount
      order.data.order.total;
    }
  };
  void mistakes;
  return { barcode, revenue, total, handles, refusal, unknown, customers: customers.data.customers };
}
`;
