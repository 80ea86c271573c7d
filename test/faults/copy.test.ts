import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { eventually } from "../support/eventually.ts";
import { askGraphql } from "../support/graphql.ts";
import { Copy, readShop, type CopyOptions } from "../support/programs/copy.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { RandomChanges } from "../support/shops/random-changes.ts";
import { useWorld } from "../support/world.ts";

/** Kills in each mode. */
const KILLS = 6;
const kinds = ["api", "worker", "copy"] as const;

describe("A copy of a shop", function () {
  this.timeout(240_000);
  const encryptionKeys = [{ name: "copy", key: randomBytes(32) }];
  const world = useWorld({ config: { encryptionKeys } });
  const { run, shop, server } = world;
  const running: Partial<Record<"api" | "worker", ServerProcess>> = {};
  let copy: Copy;
  let options: Omit<CopyOptions, "mode">;
  /** The token of the writers. */
  let writer: string;
  let changes: RandomChanges | undefined;

  beforeEach(async () => {
    const records = ["PRODUCTS", "CUSTOMERS", "ORDERS"];
    const reads = records.map((name) => `READ_${name}`);
    const [url, port] = [`http://127.0.0.1:${await findFreePort()}`, await findFreePort()];
    const issue = async (permissions: string[]) =>
      (await run("createServiceToken", { input: { name: "ERP", permissions } })).secret as string;
    const token = await issue([...reads, "MANAGE_OWN_WEBHOOK_ENDPOINTS"]);
    options = { url, token, shopId: shop.id, port };
    copy = new Copy();
    changes = undefined;
    writer = await issue([...reads, ...records.map((name) => `WRITE_${name}`)]);
  });
  afterEach(async () => {
    await Promise.all([changes?.stop(), copy.kill(), ...Object.values(running).map((process) => process.kill())]);
  });
  /** Starts what does not run. */
  async function start(mode: CopyOptions["mode"], walkEvery?: number): Promise<void> {
    if (!copy.isRunning) await copy.start({ ...options, mode, walkEvery });
    const startServer = async (command: "api" | "worker", port = 0) => {
      if (running[command]?.isRunning) return;
      running[command] = new ServerProcess({ command, databaseUrl: server.databaseUrl, encryptionKeys, port });
      await running[command].started();
    };
    await Promise.all([startServer("api", Number(new URL(options.url).port)), startServer("worker")]);
  }

  const kill = (kind: (typeof kinds)[number]) => (kind === "copy" ? copy : running[kind])!.kill();

  /** Creates products and deletes them, beside seven writers that change records. */
  async function createAndDelete(over: AbortSignal): Promise<void> {
    const send = (document: string, variables: object) =>
      askGraphql(options, document, { shopId: shop.id, ...variables }, { authorization: `Bearer ${writer}` }).catch(
        () => undefined,
      );
    while (!over.aborted) {
      const create = "createProduct(shopId: $shopId, input: $input) { id }";
      const input = { title: randomUUID(), variants: [{ price: "1" }] };
      const made = await send(`mutation ($shopId: ID!, $input: CreateProductInput!) { ${create} }`, { input });
      await wait(Math.random() * 300);
      const id = made?.data?.createProduct?.id;
      if (id) await send("mutation ($shopId: ID!, $id: ID!) { deleteProduct(shopId: $shopId, id: $id) }", { id });
    }
  }

  it("ends equal by push, pull and poll in turn, whatever is killed, and has one endpoint of each kind", async () => {
    for (const mode of ["push", "pull", "poll"] as const) {
      await copy.kill();
      await start(mode);
      const over = new AbortController();
      changes = new RandomChanges({ ...options, token: writer, writers: 7, pause: 20 });
      const deletions = createAndDelete(over.signal);
      const order = Array.from({ length: KILLS }, (_, index) => kinds[index % kinds.length]!);
      for (const kind of order.toSorted(() => Math.random() - 0.5)) {
        await wait(200 + Math.random() * 1_000);
        await kill(kind);
        await start(mode);
      }
      await changes.stop();
      over.abort();
      await deletions;
      // Only a walk finds deletions without events.
      if (mode === "poll") {
        await copy.kill();
        await start(mode, 5_000);
      }
      const wanted = await readShop(world);
      await eventually(
        () => copy.records(),
        (records) => isDeepStrictEqual(records, wanted),
        90_000,
      );
      console.log(`      ${mode}: ${Object.keys(wanted).length} records, ${changes.confirmed} changes`);
    }
    const endpoints = await world.sql(
      "select description from webhook_endpoints where shop_id = $1 order by created_at",
    );
    expect(endpoints.map(({ description }) => description)).to.deep.equal(["copy.ts by push", "copy.ts by pull"]);
    const audited = (await world.audited()).filter(([action]) => action === "WEBHOOK_ENDPOINT_CREATED");
    expect(audited).to.have.length(2);
    expect(copy.output).to.equal("");
  });
});
