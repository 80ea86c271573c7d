import { expect } from "chai";
import { linksOf } from "../support/requests/links.ts";
import { useWorld } from "../support/world.ts";

const MINUTE = 60_000;

describe("updatedSince", () => {
  const world = useWorld();
  const { call, run, sql } = world;
  /** Before all changes of a test. */
  const LONG_AGO = "2026-01-31T09:30:00.000Z";
  let variantId: string;
  let productId: string;
  let customerId: string;

  beforeEach(async () => {
    const product = await run("createProduct", {
      input: { title: "Mug", variants: [{ price: "5", inventoryQuantity: 9 }] },
    });
    productId = product.id;
    variantId = product.variants[0].id;
    customerId = (await run("createCustomer", { input: { email: "ada@example.com" } })).id;
  });

  const age = async (table: string) =>
    sql(`update ${table} set created_at = $2, updated_at = $2 where shop_id = $1`, LONG_AGO);

  /** The ids in a list, over all pages. */
  async function listed(path: string, since: string): Promise<string[]> {
    const ids: string[] = [];
    for (let target: string | undefined = `${path}?limit=2&updatedSince=${since}`; target;) {
      const { status, json, text, headers } = await call("GET", target);
      expect(status, text).to.equal(200);
      const rows = Object.values(json as object)[0] as { id: string }[];
      ids.push(...rows.map(({ id }) => id));
      target = linksOf(headers).next?.replace(`/${world.shop.id}`, "");
    }
    return ids;
  }

  it("lists what was created or changed, newest first, with its total, by cursor and by page", async () => {
    const makers = {
      products: (n: number) => run("createProduct", { input: { title: `Bowl ${n}`, variants: [{ price: "1" }] } }),
      customers: (n: number) => run("createCustomer", { input: { email: `${n}@example.com` } }),
      orders: () => run("createOrder", { input: { channel: "POS", lines: [{ variantId, quantity: 1 }] } }),
    };
    for (const [list, make] of Object.entries(makers)) {
      await make(0);
      await age(list);
      const { headers } = await call("GET", `/${list}`);
      const made: string[] = [];
      for (const n of [1, 2, 3, 4, 5]) made.push((await make(n)).id as string);
      const since = new Date(Date.parse(headers.get("date")!) - MINUTE).toISOString();
      expect(await listed(`/${list}`, since), list).to.deep.equal(made.toReversed());
      expect((await call("GET", `/${list}?updatedSince=${since}&limit=2&page=3`)).json, list).to.deep.include({
        pagination: { page: 3, limit: 2, total: 5, pages: 3 },
      });
      await age(list);
      expect(await listed(`/${list}`, since), list).to.deep.equal([]);
      expect(await listed(`/${list}`, LONG_AGO), list).to.have.length(list === "orders" ? 6 : 7);
    }
  });

  it("lists a record after each change that its representations show", async () => {
    const options = { title: "Cup", optionNames: ["Size"], variants: [{ price: "5", optionValues: ["S"] }] };
    const { id } = await run("createProduct", { input: options });
    const place = (payments: object[] = []) =>
      run("createOrder", { input: { channel: "POS", customerId, lines: [{ variantId, quantity: 2 }], payments } });
    const [paid, unpaid] = [await place([{ method: "CASH", amount: "10" }]), await place()];
    const pay = (input: object) => run("recordPayment", { orderId: unpaid.id, input });
    const product = `/products/${productId}`;
    const changes: [path: string, change: () => Promise<unknown>][] = [
      [product, () => run("updateProduct", { id: productId, input: { title: "Cup" } })],
      [product, () => run("updateProducts", { inputs: [{ id: productId, description: "Deep" }] })],
      [product, () => run("updateVariant", { id: variantId, input: { price: "6" } })],
      [product, () => run("adjustStock", { changes: [{ variantId, delta: 1, reason: "RECEIVED" }] })],
      [product, () => run("setStock", { changes: [{ variantId, quantity: 90 }] })],
      [product, () => place()],
      [`/products/${id}`, () => run("createVariant", { productId: id, input: { price: "2", optionValues: ["M"] } })],
      [
        `/products/${id}`,
        async () => {
          const { variants } = (await call("GET", `/products/${id}`)).json.product;
          return run("deleteVariant", { id: variants[1].id });
        },
      ],
      [
        product,
        () => run("refundOrder", { id: paid.id, input: { items: [{ itemId: paid.items[0].id, quantity: 1 }] } }),
      ],
      [`/orders/${paid.id}`, () => run("refundOrder", { id: paid.id, input: { amount: "1" } })],
      [`/customers/${customerId}`, () => run("updateCustomer", { id: customerId, input: { firstName: "Ada" } })],
      [
        `/customers/${customerId}`,
        () => run("grantStoreCredit", { customerId, input: { amount: "9", reason: "Late" } }),
      ],
      [
        `/customers/${customerId}`,
        () => run("spendStoreCredit", { customerId, input: { amount: "1", reason: "Tea" } }),
      ],
      [`/customers/${customerId}`, () => pay({ method: "STORE_CREDIT", amount: "8" })],
      [`/orders/${unpaid.id}`, () => pay({ method: "CARD", amount: "1", status: "AUTHORIZED" })],
      [
        `/orders/${unpaid.id}`,
        async () => {
          const { payments } = (await call("GET", `/orders/${unpaid.id}`)).json.order;
          return run("settlePayment", { paymentId: payments[1].id, input: { status: "VOIDED" } });
        },
      ],
      [`/orders/${unpaid.id}`, () => run("refundOrder", { id: unpaid.id, input: { amount: "8" } })],
      [`/customers/${customerId}`, () => run("eraseCustomer", { id: customerId, input: { forfeitStoreCredit: "8" } })],
      [`/orders/${unpaid.id}`, () => run("cancelOrder", { id: unpaid.id })],
    ];
    for (const [index, [path, change]] of changes.entries()) {
      for (const list of ["products", "orders", "customers"]) await age(list);
      const before = (await call("GET", path)).text;
      await change();
      expect((await call("GET", path)).text, `${index} ${path}`).not.to.equal(before);
      const [, list, changed] = path.split("/");
      expect(await listed(`/${list}`, "2026-01-31T09:30:00.001Z"), `${index} ${path}`).to.include(changed);
    }
  });

  it("is refused unless it is an instant, at most a day ahead", async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 60 * MINUTE).toISOString();
    for (const list of ["products", "orders", "customers"]) {
      for (const text of ["", "2026-01-31", "2026-01-31T09:30:00", "2026-01-31T09:30:00+01:00", "1767225600", at(25)]) {
        const { status, json } = await call("GET", `/${list}?updatedSince=${text}`);
        expect(status, text).to.equal(400);
        expect(json.details, text).to.have.length(1);
        expect(json.details[0], text).to.include({ in: "query", path: "updatedSince", code: "invalid_value" });
      }
      for (const text of [at(23), "2026-01-31T09:30Z", "2026-01-31T09:30:00.5%2B01:00"]) {
        expect((await call("GET", `/${list}?updatedSince=${text}`)).status, text).to.equal(200);
      }
      const message = "VALIDATION_FAILED";
      const document = `query ($shopId: ID!, $since: Timestamp) { shop(id: $shopId) { ${list}(updatedSince: $since) { total } } }`;
      const { errors } = await world.ask(document, { since: at(25) });
      expect(errors[0]!.extensions, list).to.deep.include({ code: message });
    }
  });

  it("belongs to the cursor", async () => {
    for (const email of ["b@example.com", "c@example.com"]) await run("createCustomer", { input: { email } });
    const { headers } = await call("GET", `/customers?limit=1&updatedSince=${LONG_AGO}`);
    const next = linksOf(headers).next!.replace(`/${world.shop.id}`, "");
    expect((await call("GET", next)).json.pagination).to.include({ page: 2, total: 3 });
    for (const other of ["2026-01-31T09:30:01.000Z", undefined]) {
      const [path, query] = next.split("?");
      const parameters = new URLSearchParams(query);
      if (other) parameters.set("updatedSince", other);
      else parameters.delete("updatedSince");
      const { status, json } = await call("GET", `${path}?${parameters}`);
      expect([status, json.details[0].path]).to.deep.equal([400, "cursor"]);
    }
  });
});
