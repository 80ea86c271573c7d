import { once } from "node:events";
import { expect } from "chai";
import pg from "pg";
import { unescapeFormula } from "../../../src/core/csv/columns.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { eventually } from "../../support/eventually.ts";
import { buildCustomer, buildOrder, buildProduct, buildShop, importProduct } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";
import { lockWaits } from "../../support/postgres/lock-waits.ts";
import { openSocket } from "../../support/requests/wire.ts";
import { useServer } from "../../support/server.ts";
import { useWorld } from "../../support/world.ts";

describe("GET /exports", () => {
  const server = useServer();
  const world = useWorld(server);

  async function get(path: string, headers?: Record<string, string>): Promise<Response> {
    return fetch(`${server.url}/exports/${world.shop.id}/${path}`, { headers: headers ?? (await world.session()) });
  }

  /** The lines of a file, without its mark and line ends. */
  async function linesOf(path: string): Promise<string[]> {
    const response = await get(path);
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(response.status, text).to.equal(200);
    expect(text.startsWith("\uFEFF") && text.endsWith("\r\n")).to.equal(true);
    return text.slice(1).split("\r\n").slice(0, -1);
  }

  it("exports products with a row for each variant, which spreadsheets read as text", async () => {
    const input = {
      title: "=1+1 Shirt",
      description: 'Soft, "warm"\r\nand\tred',
      status: "DRAFT",
      optionNames: ["Size"],
      variants: [
        { optionValues: ["S"], sku: "-S", barcode: "0123", price: "14.50", inventoryQuantity: 3 },
        { optionValues: ["M"], sku: "'@M", price: "15" },
      ],
    };
    await world.run("createProduct", { input });
    await buildProduct(server.em, world.shop, { title: "Mug" });
    const response = await get("products.csv");
    expect(Buffer.from(await response.arrayBuffer()).toString()).to.equal(
      "\uFEFFhandle,title,description,status,option1Name,option1Value,option2Name,option2Value,option3Name,option3Value,sku,barcode,price,inventoryQuantity,isStockTracked\r\n" +
        `1-1-shirt,'=1+1 Shirt,"Soft, ""warm""\r\nand\tred",DRAFT,Size,S,,,,,'-S,0123,14.50,3,true\r\n` +
        "1-1-shirt,,,,,M,,,,,''@M,,15.00,0,true\r\n" +
        "mug,Mug,,ACTIVE,,,,,,,,,10.00,0,true\r\n",
    );
    expect(response.headers.get("content-type")).to.equal("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).to.match(
      /^attachment; filename="Test Shop products \d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(["''@M", "'-S", "'=1+1", "it's", "'quoted'"].map(unescapeFormula)).to.deep.equal([
      "'@M",
      "-S",
      "=1+1",
      "it's",
      "'quoted'",
    ]);
    expect(await world.audited()).to.deep.equal([["LIST_EXPORTED", { list: "products" }]]);
  });

  it("exports customers, except for the erased", async () => {
    await buildCustomer(server.em, world.shop, { email: "B@example.com", phone: "+49 30 1234", note: "VIP" });
    await buildCustomer(server.em, world.shop, { email: "a@example.com", erasedAt: new Date() });
    await buildCustomer(server.em, world.shop, { email: "c@example.com", firstName: "Zoë" });
    expect(await linesOf("customers.csv")).to.deep.equal([
      "email,firstName,lastName,phone,note",
      "B@example.com,Ada,Example,'+49 30 1234,VIP",
      "c@example.com,Zoë,Example,,",
    ]);
  });

  it("exports orders with their lines and payments", async () => {
    const customer = await buildCustomer(server.em, world.shop, { email: "ada@example.com" });
    const order = { customer, orderNumber: "1001", roundingAmount: "-0.02" };
    const { id } = await buildOrder(server.em, world.shop, { ...order, items: [{ title: "Mug" }, { title: "Plate" }] });
    await buildOrder(server.em, world.shop, { orderNumber: "1002", status: "CANCELLED", payments: [] });
    const [header, ...rows] = (await linesOf("orders.csv?status=CONFIRMED")).map((line) => line.split(","));
    const read = rows.map((row) =>
      Object.fromEntries(row.map((cell, index) => [header![index]!, cell]).filter(([, cell]) => cell)),
    );
    const line = {
      "items.variantTitle": "Default Title",
      "items.quantity": "1",
      "items.unitPrice": "10.00",
      "items.discountAmount": "0",
      "items.taxRate": "19",
      "items.taxAmount": "1.90",
      "items.totalAmount": "11.90",
      "items.fulfilledQuantity": "0",
      "items.refundedQuantity": "0",
    };
    expect(read).to.deep.equal([
      {
        orderNumber: "1001",
        id,
        createdAt: "2026-01-31T09:30:00.000Z",
        status: "CONFIRMED",
        paymentStatus: "PAID",
        fulfillmentStatus: "FULFILLED",
        channel: "POS",
        "customer.email": "ada@example.com",
        "customer.firstName": "Ada",
        "customer.lastName": "Example",
        currency: "EUR",
        pricesIncludeTax: "false",
        subtotalAmount: "10.00",
        discountAmount: "0",
        taxAmount: "1.90",
        roundingAmount: "-0.02",
        totalAmount: "11.90",
        refundedAmount: "0",
        "items.title": "Mug",
        ...line,
        "payments.method": "CARD",
        "payments.status": "CAPTURED",
        "payments.amount": "11.90",
        "payments.refundedAmount": "0",
        "payments.processedAt": "2026-01-31T09:30:00.000Z",
      },
      { orderNumber: "1001", "items.title": "Plate", ...line },
    ]);
  });

  it("has every page once, and takes the filters of the list", async () => {
    for (let number = 0; number < 260; number += 1)
      await importProduct(server.em, world.shop, { title: `Cup ${number}` });
    await buildProduct(server.em, world.shop, { title: "Bowl", status: "DRAFT" });
    const handles = (await linesOf("products.csv")).slice(1).map((line) => line.split(",")[0]!);
    expect(new Set(handles).size).to.equal(261);
    expect(handles).to.deep.equal(handles.toSorted());
    expect((await linesOf("products.csv?search=cup%20259")).slice(1)).to.have.length(1);
    expect((await linesOf("products.csv?status=DRAFT")).slice(1)).to.have.length(1);
    expect(await linesOf("orders.csv?isPaymentDue=true&createdSince=2026-01-01T00:00:00.000Z")).to.have.length(1);
    expect(await world.audited()).to.deep.include(["LIST_EXPORTED", { list: "products", filters: "search" }]);
  });

  it("refuses filters that the list does not have, and exports nothing", async () => {
    for (const [query, path, code] of [
      ["status=NEW", "status", "invalid_value"],
      ["limit=5", "limit", "unknown_field"],
      ["color=red", "color", "unknown_field"],
      ["search=a&search=b", "search", "repeated"],
      [`search=${"x".repeat(201)}`, "search", "too_big"],
    ] as const) {
      const response = await get(`products.csv?${query}`);
      const { details } = (await response.json()) as { details: { in: string; path: string; code: string }[] };
      expect([response.status, ...details.map((detail) => [detail.in, detail.path, detail.code])]).to.deep.equal([
        400,
        ["query", path, code],
      ]);
    }
    expect(await world.audited()).to.deep.equal([]);
  });

  it("is open to the callers of GraphQL who may read the list", async () => {
    const create = documentOf("createServiceToken");
    const { data } = await world.ask(create, { input: { name: "ERP", permissions: ["READ_ORDERS"] } });
    const token = { authorization: `Bearer ${data.createServiceToken.secret}` };
    const session = await world.session();
    const statusOf = async (path: string, headers: Record<string, string>) => (await get(path, headers)).status;
    expect(await statusOf("orders.csv", token)).to.equal(200);
    expect(await statusOf("products.csv", token)).to.equal(403);
    expect(await statusOf("products.csv", {})).to.equal(401);
    expect(await statusOf("products.csv", { authorization: `Bearer ${await world.key()}` })).to.equal(401);
    expect(await statusOf("products.csv", { ...session, "sec-fetch-site": "cross-site" })).to.equal(403);
    expect(await statusOf("staff.csv", session)).to.equal(404);
    const viewer = await world.as(Role.VIEWER);
    expect(await statusOf("customers.csv", await viewer.session())).to.equal(200);
    const foreign = await buildShop(server.em);
    const [there, nowhere] = await Promise.all(
      [foreign.id, "shop_1"].map(async (id) =>
        (await fetch(`${server.url}/exports/${id}/products.csv`, { headers: session })).text(),
      ),
    );
    expect(there).to.equal(nowhere).and.equal('{"error":"Shop not found"}');
    const posted = await fetch(`${server.url}/exports/${world.shop.id}/products.csv`, { method: "POST" });
    expect(posted.status).to.equal(405);
  });

  it("refuses a third export while two clients read slowly, which hold no connection", async () => {
    // Much more than the buffers of both ends hold.
    const description = "x".repeat(60_000);
    for (let number = 0; number < 600; number += 1) await importProduct(server.em, world.shop, { description });
    const { cookie } = await world.session();
    const slow = [1, 2].map(() => {
      const socket = openSocket(server);
      socket.write(
        `GET /exports/${world.shop.id}/products.csv HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
      );
      return socket;
    });
    await Promise.all(
      slow.map(async (socket) => {
        await once(socket, "data");
        socket.pause();
      }),
    );
    const refused = await get("products.csv");
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([409, "1"]);
    expect(((await refused.json()) as { error: string }).error).to.equal("2 exports of this shop are running");
    await eventually(
      () =>
        world.sql<{ state: string }>(
          "select state from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() and $1 <> ''",
        ),
      (busy) => busy.length === 0,
    );
    for (const socket of slow) socket.destroy();
    await eventually(
      async () => (await get("customers.csv")).status,
      (status) => status === 200,
    );
  });

  it("keeps no place of clients that leave before the first page", async () => {
    const blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
    const { cookie } = await world.session();
    const leaving = [1, 2].map(() => {
      const socket = openSocket(server);
      socket.write(
        `GET /exports/${world.shop.id}/products.csv HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
      );
      return socket;
    });
    await eventually(
      () => lockWaits(server.databaseUrl, "%products%"),
      (count) => count === 2,
    );
    for (const socket of leaving) socket.destroy();
    // The server reads what the sockets sent, their ends included, before it answers another request.
    expect((await get("customers.csv")).status).to.equal(409);
    await blocker.end();
    await eventually(
      async () => (await get("customers.csv")).status,
      (status) => status === 200,
    );
  });

  it("ends when the caller may no longer read the list", async () => {
    // Much more than the buffers of both ends hold.
    const description = "x".repeat(60_000);
    for (let number = 0; number < 600; number += 1) await importProduct(server.em, world.shop, { description });
    const response = await get("products.csv");
    await world.ask("mutation { logOut }");
    const failed = await response.text().then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
  });
});
