import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { createSandbox } from "../../src/core/sandboxes/sandboxes.ts";
import { query } from "../support/database.ts";
import { buildShop } from "../support/factories.ts";
import { eventually } from "../support/eventually.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { Importing } from "../support/shops/imports.ts";

const encryptionKeys = [{ name: "faults", key: randomBytes(32) }];
const PRODUCTS = 1_500;

describe("A job whose worker is killed", function () {
  this.timeout(240_000);
  const server = useServer({ config: { encryptionKeys } });
  const workers: ServerProcess[] = [];

  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

  async function startWorker(): Promise<ServerProcess> {
    const worker = new ServerProcess({ command: "worker", databaseUrl: server.databaseUrl, encryptionKeys });
    workers.push(worker);
    await worker.started();
    return worker;
  }

  it("imports every product once, with one event each", async () => {
    const shop = await buildShop(server.em);
    const importing = await Importing.open(server, shop);
    const products = Array.from(
      { length: PRODUCTS },
      (_, each) => `p${each},Product ${each},SKU-${each},1.50,${each}\n`,
    );
    const id = await importing.upload("PRODUCTS", `handle,title,sku,price,inventoryQuantity\n${products.join("")}`);

    const checker = await startWorker();
    await importing.change("checkImport", { id });
    await eventually(
      () => importing.read(id),
      ({ state, itemCount }) => state === "CHECKED" || itemCount > 0,
    );
    await checker.kill();
    await startWorker();
    await eventually(
      () => importing.read(id),
      ({ state }) => state === "CHECKED",
      60_000,
    );
    expect(await importing.read(id)).to.deep.include({ itemCount: PRODUCTS, faultyCount: 0 });

    await importing.change("startImport", { id, input: { existing: "UPDATE" } });
    for (let done = 0, kill = 0; kill < 2; kill += 1) {
      ({ doneCount: done } = await eventually(
        () => importing.read(id),
        ({ doneCount }) => doneCount > done,
        60_000,
      ));
      await wait(Math.random() * 200);
      await workers.at(-1)!.kill();
      await startWorker();
    }
    const report = await eventually(
      () => importing.read(id),
      ({ state }) => state !== "RUNNING",
      120_000,
    );
    expect(report).to.deep.include({ state: "FINISHED", createdCount: PRODUCTS, refusedCount: 0 });
    const counts = `select (select count(distinct sku)::int from variants where shop_id = $1) as skus,
      (select count(*)::int from products where shop_id = $1) as products,
      (select count(*)::int from events where shop_id = $1) as events,
      (select sum(delta)::int from stock_changes where shop_id = $1) as stock`;
    expect(await query(server.databaseUrl, counts, [shop.id])).to.deep.equal([
      { skus: PRODUCTS, products: PRODUCTS, events: PRODUCTS, stock: (PRODUCTS * (PRODUCTS - 1)) / 2 },
    ]);
  });

  it("copies every product into a sandbox once", async () => {
    const shop = await buildShop(server.em);
    await query(
      server.databaseUrl,
      `with made as (
        insert into products (shop_id, id, title, handle, status, search_words, created_at, updated_at)
        select $1, 'prod_' || lpad(n::text, 26, '0'), 'Tea', 'tea-' || n, 'ACTIVE', '', now(), now() from generate_series(1, $2::int) n
        returning shop_id, id, right(id, 26) as suffix
      )
      insert into variants (shop_id, id, product_id, position, title, option_values, sku, barcode, price, inventory_quantity, created_at, updated_at)
      select shop_id, 'var_' || suffix, id, 1, 'Default Title', '{}', suffix, '', 1, 3, now(), now() from made`,
      [shop.id, 4 * PRODUCTS],
    );
    const { id } = await createSandbox({ em: server.em, shop, actor: operator }, { content: "PRODUCTS" });
    const read = async () =>
      (
        await query<{ sandbox_state: string; copies: number; codes: number }>(
          server.databaseUrl,
          `select sandbox_state, count(*)::int as copies, count(distinct sku)::int as codes
        from shops left join variants on shop_id = shops.id where shops.id = $1 group by 1`,
          [id],
        )
      )[0]!;
    for (let kill = 0, before = 0; kill < 2; kill += 1) {
      const worker = await startWorker();
      ({ copies: before } = await eventually(read, ({ copies }) => copies > before + 1, 60_000));
      await worker.kill();
    }
    await startWorker();
    const ended = await eventually(read, ({ sandbox_state: state }) => state !== "FILLING", 60_000);
    expect(ended).to.deep.equal({ sandbox_state: "READY", copies: 4 * PRODUCTS, codes: 4 * PRODUCTS });
  });
});
