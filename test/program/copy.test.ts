import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import { topicNames } from "../../src/core/model/webhooks/topics.ts";
import { call } from "../support/client.ts";
import { linksOf } from "../support/requests/links.ts";
import { findFreePort } from "../support/free-port.ts";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { buildCustomer, buildEndpoint, buildOrder, importProduct } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of every shape
type Body = any;
type Copy = Record<string, Body>;

const LISTS = ["products", "orders", "customers"];

describe("docs/receivers/typescript/copy.ts", function () {
  this.timeout(120_000);
  const world = useWorld({ worker: true, atBaseUrl: true });
  const { server } = world;
  let child: ChildProcess | undefined;
  let directory: string;
  let port: number;
  let secret: string;

  beforeEach("subscribe first", async () => {
    directory = await makeDirectory();
    port = await findFreePort();
    ({ secret } = await buildEndpoint(server, world.shop, `http://127.0.0.1:${port}/`, [...topicNames]));
  });

  afterEach(kill);

  async function start(): Promise<void> {
    child = spawn(process.execPath, [resolve("docs/receivers/typescript/copy.ts")], {
      cwd: directory,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        NODE_OPTIONS: "--no-warnings",
        SHOP: `${server.url}/api/v1/${world.shop.id}`,
        MERCHANT_API_KEY: await world.key(),
        WEBHOOK_SECRET: secret,
        PORT: String(port),
      },
    });
    await eventually(
      () =>
        fetch(`http://127.0.0.1:${port}`).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 401,
    );
  }

  async function kill(): Promise<void> {
    if (!child) return;
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    child = undefined;
  }

  function inFile<Result>(work: (file: DatabaseSync) => Result): Result {
    const file = new DatabaseSync(join(directory, "shop.db"), { timeout: 5_000 });
    try {
      return work(file);
    } finally {
      file.close();
    }
  }

  const copied = (): Copy =>
    inFile((file) =>
      Object.fromEntries(
        file
          .prepare("select id, body from records")
          .all()
          .map(({ id, body }) => [id, JSON.parse(String(body))]),
      ),
    );

  /** Each record as its list and its single representation have it. */
  async function shown(): Promise<Copy> {
    const all: Copy = {};
    for (const list of LISTS) {
      const items: Body[] = [];
      for (let path: string | undefined = `/${world.shop.id}/${list}?limit=250`; path;) {
        const { json, headers } = await call(server, "GET", path, { key: await world.key() });
        items.push(...(Object.values(json as object)[0] as Body[]));
        path = linksOf(headers).next;
      }
      for (const item of items) {
        const [single] = Object.values((await world.call("GET", `/${list}/${item.id}`)).json as object);
        all[item.id] = { ...single, ...item };
      }
    }
    return all;
  }

  /** Waits until the copy is the shop. */
  async function expectSame(count: number): Promise<void> {
    const wanted = await shown();
    expect(Object.keys(wanted)).to.have.length(count);
    const same = (copy: Copy) => {
      try {
        expect(copy).to.deep.equal(wanted);
        return true;
      } catch {
        return false;
      }
    };
    await eventually(() => same(copied()), Boolean, 60_000);
  }

  const input = (title: string, sku: string, barcode: string) => ({
    title,
    variants: [{ price: "5", sku, barcode, inventoryQuantity: 9 }],
  });

  it("follows an empty shop that grows, changes and shrinks, through a kill and a restart", async () => {
    await start();
    await expectSame(0);
    const mug = await world.run("createProduct", {
      input: { ...input("Mug", "MUG 1 2 3 4 5 6 7 8 9", "4006381333931"), status: "DRAFT" },
    });
    const bowl = await world.run("createProduct", {
      // Characters that a text of 200 units ends within.
      input: input(`${"o".repeat(199)}😀`, "", "96385074"),
    });
    const customer = await world.run("createCustomer", {
      input: { email: "ada@example.com", firstName: "Ada", lastName: "L" },
    });
    const order = await world.run("createOrder", {
      input: { channel: "POS", lines: [{ variantId: bowl.variants[0].id, quantity: 1 }], customerId: customer.id },
    });
    await expectSame(4);

    await world.run("updateVariant", { id: mug.variants[0].id, input: { barcode: "036000291452", price: "6" } });
    await world.run("updateProduct", { id: bowl.id, input: { status: "ARCHIVED", description: "Deep" } });
    await world.run("cancelOrder", { id: order.id });
    await expectSame(4);

    await kill();
    await world.run("deleteProduct", { id: mug.id });
    await world.run("updateCustomer", { id: customer.id, input: { firstName: "Augusta" } });
    // A job that fails delays no other.
    inFile((file) => file.exec("insert into queue values ('evt_0', 'products', 'prod_1?color=red', 1)"));
    await world.run("createProduct", { input: input("Plate", "PLATE-1", "5400000002649") });
    await start();
    await expectSame(4);
  });

  it("walks a shop that has records, goes on after a kill, and corrects each night what no event reported", async () => {
    const products = [];
    for (let number = 0; number < 260; number += 1) {
      products.push(
        await importProduct(server.em, world.shop, {
          title: `Product ${number}`,
          variants: [{ barcode: `9${number}` }],
        }),
      );
    }
    await buildOrder(server.em, world.shop, { customer: await buildCustomer(server.em, world.shop) });
    await start();
    await eventually(
      () => Object.keys(copied()).length,
      (count) => count > 20,
    );
    await kill();
    await start();
    await expectSame(262);

    await world.sql("delete from products where shop_id = $1 and id = $2", products[0]!.id);
    await world.sql("update customers set first_name = 'Grace' where shop_id = $1");
    inFile((file) => file.exec("update walks set started = 0"));
    await expectSame(261);
  });

  it("refuses events that are not signed, and stores nothing", async () => {
    await start();
    const body = JSON.stringify({ id: "evt_1", topic: "product.created", data: { productId: "prod_1" } });
    for (const signature of ["v1,AAAA", "ü", ""]) {
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": `${Math.floor(Date.now() / 1_000)}`,
        "webhook-signature": signature,
      };
      expect((await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body })).status).to.equal(401);
    }
    expect(inFile((file) => file.prepare("select * from queue where id is not null").all())).to.deep.equal([]);
  });
});
