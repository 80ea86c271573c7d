import { expect } from "chai";
import { buildShop, buildStaff, importProduct } from "../support/factories.ts";
import { askGraphql } from "../support/graphql.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";
import { fillIn, readPage, readRequests } from "../support/requests/page-requests.ts";
import { codeOf } from "../support/staff/second-factor.ts";
import { useServer } from "../support/server.ts";
import { useWorld, World } from "../support/world.ts";

describe("docs/graphql.md", () => {
  const server = useServer();
  const graphqlRequest = beside(import.meta.resolve("graphql-request"), "../..");
  const directory = useToolDirectory(server, { "graphql-request": graphqlRequest });

  it("contains requests that work in order", async () => {
    const shop = await buildShop(server.em);
    const { email, password } = await buildStaff(server.em, shop);
    const known: Record<string, unknown> = {
      shopId: shop.id,
      email,
      password,
      newPassword: `${password}-too`,
      get code() {
        return codeOf((this.beginSecondFactor as { secret: string }).secret);
      },
    };
    const requests = await readRequests("graphql.md");
    expect(requests.length).to.be.above(25);
    let headers: Record<string, string> = {};
    for (const { name, document, variables } of requests) {
      const {
        data,
        errors,
        headers: answered,
      } = await askGraphql(server, document, JSON.parse(fillIn(variables, known)) as Record<string, unknown>, headers);
      expect(errors, `${name}: ${JSON.stringify(errors)}`).to.deep.equal([]);
      for (const [field, value] of Object.entries(data as Record<string, unknown>)) {
        const results = Array.isArray(value) ? (value as { error: unknown }[]) : [];
        expect(
          results.map(({ error }) => error ?? null),
          name,
        ).to.deep.equal(results.map(() => null));
        known[field] = value;
      }
      const session = answered.getSetCookie().find((cookie) => cookie.startsWith("session="));
      if (session !== undefined) headers = { cookie: session.split(";")[0]! };
    }
  });

  it("contains a client that compiles and gets data", async () => {
    const { shop, run } = await new World(server).open({ name: "Harbour Goods" });
    const { secret } = await run("createServiceToken", { input: { name: "Docs", permissions: ["READ_PRODUCTS"] } });
    const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(await readPage("graphql.md"))!;
    const filledIn = sample
      .replace("http://127.0.0.1:4000", server.url)
      .replace("<token>", secret)
      .replace("<shopId>", shop.id);
    await directory.write("sample.ts", filledIn);
    const compiled = await directory.compile("sample.ts");
    expect(compiled.code, compiled.output).to.equal(0);
    const { code, output } = await directory.run("sample.ts");
    expect(code, output).to.equal(0);
    expect(output).to.include("Harbour Goods");
  });
});

describe("docs/tills.md", () => {
  const world = useWorld();

  it("contains requests that work in order, from scan to receipt", async () => {
    const { server, shop } = world;
    const { variants } = await importProduct(server.em, shop, {
      variants: [{ price: "11.99", barcode: "4006381333931", inventoryQuantity: 10 }],
    });
    const token = await world.run("createServiceToken", {
      input: { name: "Till", permissions: ["READ_PRODUCTS", "READ_ORDERS", "WRITE_ORDERS"] },
    });
    const till = { authorization: `Bearer ${token.secret}` };
    const known: Record<string, unknown> = { shopId: shop.id, variantId: variants[0]!.id };
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
    const answers: Record<string, any> = {};
    for (const { name, document } of await readRequests("tills.md")) {
      const headers = name === "SetUp" ? await world.session() : till;
      const { data, errors } = await askGraphql(server, fillIn(document, known), {}, headers);
      expect(errors, `${name}: ${JSON.stringify(errors)}`).to.deep.equal([]);
      answers[name] = data.shop ?? data;
      Object.assign(known, answers[name]);
    }
    expect(answers.Scan.variantByCode[0].variant.id).to.equal(known.variantId);
    expect(answers.Quote.quoteOrder).to.include({ totalAmount: "23.98", cash: "24.00", card: "23.98" });
    expect(answers.PayInCash.createOrder).to.include({ receiptNumber: "R-000001", roundingAmount: "0.02" });
    expect(answers.PayInCash.createOrder.payments[0]).to.include({ amount: "24.00", change: "26.00" });
    expect(answers.PayByCard.createOrder).to.deep.equal({
      receiptNumber: "R-000002",
      totalAmount: "23.98",
      overpaidAmount: "0.00",
    });
    expect(answers.Authorize.createOrder.paymentStatus).to.equal("UNPAID");
    expect(answers.Capture.settlePayment).to.include({ paymentStatus: "PAID", receiptNumber: "R-000003" });
    expect(answers.Split.createOrder.payments[1]).to.include({ amount: "4.00", change: "6.00" });
    expect(answers.Receipt.orders.items[0].payments[0].change).to.equal("26.00");
    expect(answers.Refund.refundOrder.refundedAmount).to.equal("11.99");
    expect(answers.Cancel.cancelOrder.status).to.equal("CANCELLED");
  });
});
