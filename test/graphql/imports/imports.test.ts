import { expect } from "chai";
import { checkFile } from "../../../src/core/imports/check/check-file.ts";
import { checkImport, runImport } from "../../../src/jobs/import-jobs.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { query } from "../../support/database.ts";
import { buildProduct, buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { Importing } from "../../support/shops/imports.ts";
import { useWorld } from "../../support/world.ts";

const SHIRTS = `handle,title,description,status,option1Name,option1Value,sku,barcode,price,inventoryQuantity
shirt,Shirt,Soft,ACTIVE,Size,S,SHIRT-S,4006381333931,19.90,3
shirt,,,,,M,SHIRT-M,,21.90,0
mug,Mug,,DRAFT,,,MUG,,7.50,12
`;
const CUSTOMERS = `email,firstName,lastName,phone,note
ada@example.com,Ada,Lovelace,+44 20 7946 0000,Likes tea
grace@example.com,Grace,Hopper,,
`;

describe("Imports", () => {
  const { server, shop, sql } = useWorld({ worker: true });
  let importing: Importing;

  beforeEach(async () => {
    importing = await Importing.open(server, shop);
  });

  const rows = (text: string) => sql(text);
  const events = () => rows("select topic, body::json -> 'data' as data from events where shop_id = $1 order by id");
  const products = () =>
    rows(`select handle, products.title, status, sku, price::text, inventory_quantity as stock
      from products join variants on product_id = products.id
      where products.shop_id = $1 order by handle, position`);
  const audit = () =>
    rows("select action, actor_name is not null as named, details from audit_entries where shop_id = $1 order by id");

  it("create products with variants, stock, events and an audit entry, and change nothing again", async () => {
    const checked = await importing.check("PRODUCTS", SHIRTS);
    expect(checked).to.deep.include({ state: "CHECKED", itemCount: 2, faultyCount: 0, createdCount: 0 });
    const none = { status: null, inventoryQuantity: null, email: null, phone: null, variantTitles: [], prices: [] };
    expect(checked.items).to.deep.equal([
      {
        ...none,
        number: 1,
        firstRow: 2,
        lastRow: 3,
        name: "Shirt",
        status: "ACTIVE",
        variantTitles: ["S", "M"],
        prices: ["19.90", "21.90"],
        inventoryQuantity: 3,
      },
      {
        ...none,
        number: 2,
        firstRow: 4,
        lastRow: 4,
        name: "Mug",
        status: "DRAFT",
        variantTitles: [""],
        prices: ["7.50"],
        inventoryQuantity: 12,
      },
    ]);
    expect(await products()).to.deep.equal([]);

    await importing.change("startImport", { id: checked.id, input: { existing: "UPDATE", stock: "SET" } });
    const report = await importing.ended(checked.id);
    expect(report).to.deep.include({ state: "FINISHED", createdCount: 2, doneCount: 2, refusedCount: 0 });
    expect(await products()).to.deep.equal([
      { handle: "mug", title: "Mug", status: "DRAFT", sku: "MUG", price: "7.50", stock: 12 },
      { handle: "shirt", title: "Shirt", status: "ACTIVE", sku: "SHIRT-S", price: "19.90", stock: 3 },
      { handle: "shirt", title: "Shirt", status: "ACTIVE", sku: "SHIRT-M", price: "21.90", stock: 0 },
    ]);
    expect((await events()).map(({ topic }) => topic)).to.deep.equal(["product.created", "product.created"]);
    expect((await audit()).map(({ action, named }) => [action, named])).to.deep.equal([
      ["MEMBER_LOGGED_IN", true],
      ["IMPORT_STARTED", true],
      ["IMPORT_FINISHED", true],
    ]);

    const again = await importing.run("PRODUCTS", SHIRTS, { stock: "SET" });
    expect(again).to.deep.include({ state: "FINISHED", unchangedCount: 2, createdCount: 0, updatedCount: 0 });
    expect(await events()).to.have.length(2);
    expect((await audit()).map(({ action }) => action)).not.to.include("PRODUCT_UPDATED");
  });

  it("update the given fields, add variants and set stock, with one event for each product", async () => {
    await importing.run("PRODUCTS", SHIRTS, { sendWebhooks: false });
    expect(await events()).to.deep.equal([]);
    const changed = `handle,title,option1Name,option1Value,sku,price,inventoryQuantity
shirt,Best shirt,Size,S,SHIRT-S,25,7
shirt,,,L,SHIRT-L,26,1
`;
    const left = await importing.run("PRODUCTS", changed, { existing: "LEAVE" });
    expect(left).to.deep.include({ unchangedCount: 1, updatedCount: 0 });
    const report = await importing.run("PRODUCTS", changed, { stock: "SET" });
    expect(report).to.deep.include({ state: "FINISHED", updatedCount: 1, createdCount: 0 });
    expect((await products()).filter(({ handle }) => handle === "shirt")).to.deep.equal([
      { handle: "shirt", title: "Best shirt", status: "ACTIVE", sku: "SHIRT-S", price: "25.00", stock: 7 },
      { handle: "shirt", title: "Best shirt", status: "ACTIVE", sku: "SHIRT-M", price: "21.90", stock: 0 },
      { handle: "shirt", title: "Best shirt", status: "ACTIVE", sku: "SHIRT-L", price: "26.00", stock: 1 },
    ]);
    const [product] = await rows("select version from products where shop_id = $1 and handle = 'shirt'");
    expect((await events()).map(({ topic, data }) => [topic, (data as { version: number }).version])).to.deep.equal([
      ["product.updated", product!.version],
    ]);
    const history = await rows(
      "select reason, note, delta from stock_changes where shop_id = $1 and reason <> 'INITIAL'",
    );
    expect(history).to.deep.equal([{ reason: "COUNTED", note: "Import of file.csv", delta: 4 }]);
  });

  it("stop at the first existing product", async () => {
    await buildProduct(server.em, shop, { title: "Mug", sku: "MUG" });
    const report = await importing.run("PRODUCTS", SHIRTS, { existing: "STOP" });
    expect(report).to.deep.include({ state: "FAILED", createdCount: 1, failure: "Row 4: The record exists already" });
  });

  it("keep their records when an interrupted job checks them again", async () => {
    const { id } = await importing.check("PRODUCTS", SHIRTS);
    await checkFile(server.em, { shopId: shop.id, id }, new AbortController().signal);
    await importing.change("startImport", { id, input: { existing: "UPDATE" } });
    expect(await importing.ended(id)).to.deep.include({ createdCount: 2, doneCount: 2 });
  });

  it("create and update customers by their email address", async () => {
    const first = await importing.run("CUSTOMERS", CUSTOMERS);
    expect(first).to.deep.include({ state: "FINISHED", createdCount: 2 });
    expect(await importing.run("CUSTOMERS", CUSTOMERS)).to.deep.include({ unchangedCount: 2, updatedCount: 0 });
    const changed = await importing.run("CUSTOMERS", "email,firstName\nADA@example.com,Augusta\n");
    expect(changed).to.deep.include({ updatedCount: 1, createdCount: 0 });
    const customers = await rows(
      "select email, first_name, last_name, note from customers where shop_id = $1 order by email",
    );
    expect(customers).to.deep.equal([
      { email: "ada@example.com", first_name: "Augusta", last_name: "Lovelace", note: "Likes tea" },
      { email: "grace@example.com", first_name: "Grace", last_name: "Hopper", note: null },
    ]);
    expect((await events()).map(({ topic }) => topic)).to.deep.equal([
      "customer.created",
      "customer.created",
      "customer.updated",
    ]);
  });

  it("take a file of several pieces, once it is complete", async () => {
    const text = `email,note\n${Array.from({ length: 300 }, (_, each) => `c${each}@example.com,${"n".repeat(1_000)}\n`).join("")}`;
    const size = Buffer.byteLength(text);
    expect(size).to.be.above(256 * 1024);
    const { id } = await importing.change("createImport", {
      input: { kind: "CUSTOMERS", fileName: "big.csv", fileSize: size },
    });
    const pieces = [Buffer.from(text).subarray(0, 256 * 1024), Buffer.from(text).subarray(256 * 1024)];
    expect((await importing.put(id, 0, pieces[1]!)).status).to.equal(400);
    expect((await importing.put(id, 2, pieces[1]!)).status).to.equal(400);
    expect((await importing.put(id, 1, pieces[1]!)).status).to.equal(204);
    const { errors } = await importing.ask("checkImport", { id });
    expect(errors[0]!.message).to.equal("The upload is incomplete: 1 pieces are missing");
    expect((await importing.put(id, 0, Buffer.alloc(256 * 1024 + 1))).status).to.equal(413);
    expect((await importing.put(id, 0, pieces[0]!)).status).to.equal(204);
    await importing.change("checkImport", { id });
    expect((await importing.put(id, 0, pieces[0]!)).status).to.equal(409);
    const checked = await importing.check("CUSTOMERS", text);
    expect(checked).to.deep.include({ state: "CHECKED", itemCount: 300, faultyCount: 0 });
    expect((await importing.read(id)).state).to.equal("CANCELLED");
  });

  it("run one at a time, and end when they are cancelled", async () => {
    const many = `handle,title,price\n${Array.from({ length: 3_000 }, (_, each) => `h${each},Title ${each},1\n`).join("")}`;
    const { id } = await importing.check("PRODUCTS", many);
    await importing.change("startImport", { id, input: { existing: "UPDATE" } });
    const input = { kind: "CUSTOMERS", fileName: "other.csv", fileSize: 10 };
    const { errors } = await importing.ask("createImport", { input });
    expect(errors[0]).to.deep.include({ message: "Another import is running" });
    expect((await importing.change("cancelImport", { id })).state).to.equal("CANCELLED");
    const { createdCount } = await importing.read(id);
    expect(createdCount).to.be.below(3_000);
    await importing.run("CUSTOMERS", CUSTOMERS);
    expect((await importing.read(id)).createdCount).to.equal(createdCount);
    expect(await products()).to.have.length(createdCount);
    expect((await audit()).map(({ action }) => action)).to.include("IMPORT_CANCELLED");
  });

  it("stop with a report once their author may no longer make the changes", async () => {
    const many = `handle,title,price\n${Array.from({ length: 2_000 }, (_, each) => `h${each},Title ${each},1\n`).join("")}`;
    const { headers: owner } = importing;
    const ask = (mutation: string) =>
      askGraphql(server, `mutation ($shopId: ID!) { ${mutation} }`, { shopId: shop.id }, { ...owner });
    const manager = async () => {
      const staff = await buildStaff(server.em, shop, Role.MANAGER);
      return { id: staff.id, name: staff.email, headers: await logIn(server, staff) };
    };
    const service = async (name: string) => {
      const { data } = await ask(
        `createServiceToken(shopId: $shopId, input: { name: "${name}", permissions: [READ_PRODUCTS, WRITE_PRODUCTS] }) { secret serviceToken { id } }`,
      );
      const { secret, serviceToken } = data.createServiceToken;
      return { id: serviceToken.id, name, headers: { authorization: `Bearer ${secret}` } };
    };
    for (const [author, lose, failure] of [
      [await manager(), "removeMember(shopId: $shopId, staffId: ID)", "NAME is no longer a member of the shop."],
      [
        await manager(),
        "changeMemberRole(shopId: $shopId, staffId: ID, role: CLERK) { role }",
        "NAME no longer has the permission WRITE_PRODUCTS.",
      ],
      [
        await service("ERP"),
        "revokeServiceToken(shopId: $shopId, id: ID) { status }",
        "The service token NAME was revoked or has expired.",
      ],
      [await manager(), "update staff set disabled_at = now() where id = ID", "The account of NAME is disabled."],
      [
        await service("Expiring"),
        "update service_tokens set expires_at = now() where id = ID",
        "The service token NAME was revoked or has expired.",
      ],
    ] as const) {
      const started = new Importing(server, shop.id, author.headers);
      const { id } = await started.check("PRODUCTS", many);
      await started.change("startImport", { id, input: { existing: "UPDATE", sendWebhooks: false } });
      if (lose.startsWith("update")) await query(server.databaseUrl, lose.replace("ID", "$1"), [author.id]);
      else expect((await ask(lose.replace("ID", JSON.stringify(author.id)))).errors, lose).to.deep.equal([]);
      const report = await importing.ended(id);
      expect(report).to.deep.include({ state: "FAILED", failure: failure.replace("NAME", author.name) });
      expect(report.doneCount).to.be.below(2_000);
      expect((await audit()).at(-1)).to.deep.include({ action: "IMPORT_FINISHED", named: false });
    }
  });

  it("end when unexpected errors do not", async () => {
    const last = (id: string) => ({ key: { shopId: shop.id, id }, number: 6, signal: new AbortController().signal });
    const failed = (work: Promise<void>) => work.then(() => false).catch(() => true);
    const checked = await importing.check("PRODUCTS", SHIRTS);
    await rows("update import_items set input = '{}' where shop_id = $1");
    await importing.ask("startImport", { id: checked.id, input: { existing: "UPDATE" } });
    expect(await failed(runImport(server.em, last(checked.id)))).to.equal(true);
    const report = await importing.read(checked.id);
    expect(report).to.deep.include({ state: "FAILED", doneCount: 0 });
    expect(report.failure).to.match(/^An unexpected error stopped the import\. /);
    expect((await audit()).at(-1)).to.deep.include({ action: "IMPORT_FINISHED", named: true });

    const id = await importing.upload("PRODUCTS", SHIRTS);
    await rows(
      `update imports set state = 'CHECKING', chosen_format = '{"mapping": 5}' where shop_id = $1 and ended_at is null`,
    );
    expect(await failed(checkImport(server.em, last(id)))).to.equal(true);
    expect((await importing.read(id)).state).to.equal("FAILED");
  });

  it("need the permissions to read and write their records", async () => {
    const clerk = await Importing.open(server, shop, Role.CLERK);
    const stranger = await buildStaff(server.em, await buildShop(server.em));
    const foreign = new Importing(server, shop.id, await logIn(server, stranger));
    const id = await importing.upload("PRODUCTS", SHIRTS);
    const piece = Buffer.from(SHIRTS);
    expect((await clerk.put(id, 0, piece)).status).to.equal(403);
    expect((await foreign.put(id, 0, piece)).status).to.equal(404);
    expect((await importing.put(id, 0, piece, { "sec-fetch-site": "cross-site" })).status).to.equal(403);
    expect((await fetch(`${server.url}/imports/${shop.id}/${id}/0`, { method: "PUT" })).status).to.equal(401);
    for (const name of ["checkImport", "cancelImport"] as const) {
      expect((await clerk.ask(name, { id })).errors[0]!.extensions.code).to.equal("FORBIDDEN");
    }
    const input = { kind: "PRODUCTS", fileName: "file.csv", fileSize: 1 };
    expect((await clerk.ask("createImport", { input })).errors[0]!.extensions.code).to.equal("FORBIDDEN");
    expect(await clerk.run("CUSTOMERS", CUSTOMERS)).to.deep.include({ createdCount: 2 });
  });
});
