import { operator } from "../../../src/core/access/actor.ts";
import { topicNames } from "../../../src/core/model/webhooks/topics.ts";
import { createProduct, type CreatedProduct } from "../../../src/core/products/create-product.ts";
import { buildCustomer, buildEndpoint, buildProduct, grantStoreCredit } from "../../support/factories.ts";
import { World, type Variables } from "../../support/world.ts";

/** A shop with goods, a customer, and an endpoint that subscribes to everything. */
export class Market extends World {
  /** Two variants at 10.00 with ten units each. */
  mug!: CreatedProduct;
  /** One variant at 5.00 with ten units. */
  plate!: CreatedProduct;
  /** Has 50.00 of store credit. */
  customer!: { id: string };

  protected override async furnish(): Promise<void> {
    const { shop, server } = this;
    const { em } = server;
    await buildEndpoint(server, shop, "https://receiver.example/everything", [...topicNames]);
    const variants = ["S", "M"].map((size) => ({ optionValues: [size], price: "10.00", inventoryQuantity: 10 }));
    this.mug = await createProduct({ em, shop, actor: operator }, { title: "Mug", optionNames: ["Size"], variants });
    this.plate = await buildProduct(em, shop, { title: "Plate", price: "5.00", inventoryQuantity: 10 });
    const customer = await buildCustomer(em, shop);
    await grantStoreCredit(em, customer, "50.00");
    this.customer = customer;
  }

  /** The ids of the variants: two of mugs, one of plates. */
  get variantIds(): [string, string, string] {
    return [...this.mug.variants, ...this.plate.variants].map(({ id }) => id) as [string, string, string];
  }

  /** The input of an order, of two mugs for 20.00 by default. */
  sale = (overrides: Variables = {}) => ({
    input: { channel: "POS", lines: [{ variantId: this.variantIds[0], quantity: 2 }], ...overrides },
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  order = (overrides?: Variables): Promise<any> => this.run("createOrder", this.sale(overrides));
  /** An order of the customer with these amounts of store credit. */
  credited = (...amounts: string[]) => ({
    customerId: this.customer.id,
    payments: amounts.map((amount) => ({ method: "STORE_CREDIT", amount })),
  });
  /** Three lines of mugs and one of plates, for 35.00. */
  mixed = () => ({ lines: [0, 1, 0, 2].map((index) => ({ variantId: this.variantIds[index], quantity: 1 })) });
}
