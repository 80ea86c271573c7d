import { expect } from "chai";
import { useWorld } from "../../support/world.ts";

const VARIANT = { price: "80.00", sku: "HOUR", optionValues: [], barcode: "", inventoryQuantity: 0 };

describe("Variants without stock tracking", () => {
  const world = useWorld();

  const create = async (variant: object) => {
    const input = { title: "Consulting", optionNames: [], variants: [{ ...VARIANT, ...variant }] };
    return (await world.run("createProduct", { input })).variants[0];
  };
  const sell = (variantId: string) =>
    world.run("createOrder", { input: { channel: "POS", lines: [{ variantId, quantity: 3 }] } });
  const history = () =>
    world.sql("select reason, delta, quantity_after from stock_changes where shop_id = $1 order by id");

  it("are always for sale, and their stock stays 0", async () => {
    const { id, inventoryQuantity, isStockTracked } = await create({ isStockTracked: false });
    expect([inventoryQuantity, isStockTracked]).to.deep.equal([0, false]);
    const quote = await world.run("quoteOrder", { input: { channel: "POS", lines: [{ variantId: id, quantity: 3 }] } });
    expect(quote.problems).to.deep.equal([]);
    const order = await sell(id);
    await world.run("cancelOrder", { id: order.id });
    expect(await history()).to.deep.equal([]);
    expect((await world.run("lowStock", {})).total).to.equal(0);
    const { json } = await world.call("GET", "/products");
    expect(json.products[0].variants[0]).to.include({ inventoryQuantity: 0 });
  });

  it("have no stock to set, adjust or begin with", async () => {
    const { id: variantId } = await create({ isStockTracked: false });
    const [set] = await world.run("setStock", { changes: [{ variantId, quantity: 5 }] });
    const [adjusted] = await world.run("adjustStock", { changes: [{ variantId, delta: 5, reason: "RECEIVED" }] });
    expect([set.error.code, adjusted.error.code]).to.deep.equal(["INVALID_STATE", "INVALID_STATE"]);
    const product = {
      title: "X",
      optionNames: [],
      variants: [{ ...VARIANT, isStockTracked: false, inventoryQuantity: 2 }],
    };
    expect(await world.refusal("createProduct", { input: product })).to.deep.equal([
      "VALIDATION_FAILED",
      "variants.0.inventoryQuantity: invalid_value",
    ]);
  });

  it("lose their stock, as a recorded change, when tracking is switched off, and count again from 0", async () => {
    const { id } = await create({ inventoryQuantity: 4 });
    await world.run("updateVariant", { id, input: { isStockTracked: false } });
    expect((await history()).at(-1)).to.deep.equal({ reason: "CORRECTED", delta: -4, quantity_after: 0 });
    const order = await sell(id);
    await world.run("updateVariant", { id, input: { isStockTracked: true } });
    await world.run("cancelOrder", { id: order.id });
    expect((await history()).at(-1)).to.deep.include({ delta: 3, quantity_after: 3 });
  });
});
