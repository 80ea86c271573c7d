import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { findFreePort } from "../support/free-port.ts";
import { readShopRows, type ShopRows } from "../support/postgres/shop-rows.ts";
import { maskJson, readConsoleExamples, runInBash } from "../support/programs/console-examples.ts";
import { fillIn, readPage, readRequests } from "../support/requests/page-requests.ts";
import { useWorld } from "../support/world.ts";

describe("docs/testing.md", function () {
  this.timeout(180_000);
  const world = useWorld({ worker: true, atBaseUrl: true });
  const { server, shop, staff } = world;
  let page: string;
  let directory: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  let known: any;
  let before: ShopRows;
  const children: ChildProcess[] = [];

  beforeEach("create the sandbox and the key of the page", async () => {
    page = await readPage("testing.md");
    directory = await makeDirectory();
    known = { shopId: shop.id };
    before = await readLiveRows();
    await send("CreateSandbox");
    const isOpen = "query ($id: ID!) { shop(id: $id) { products { total } } }";
    await eventually(
      async () => (await world.ask(isOpen, { id: known.createSandbox.id })).data?.shop?.products.total,
      (total) => total > 0,
      60_000,
    );
    await send("CreateKey");
  });

  afterEach("stop what was started, and compare the shop that sells", async () => {
    for (const { pid } of children.splice(0)) process.kill(-pid!, "SIGKILL");
    expect(await readLiveRows()).to.deep.equal(before);
  });

  /** The rows of the shop that sells, except for logins. */
  async function readLiveRows(): Promise<ShopRows> {
    const { audit_entries: _, ...rows } = await readShopRows(server, shop);
    return rows;
  }

  /** Sends a request of the page with the answers to earlier ones. */
  async function send(name: string, change = (document: string) => document): Promise<void> {
    const { document } = (await readRequests("testing.md")).find((request) => request.name === name)!;
    const { data, errors } = await world.ask(change(fillIn(document, known)));
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    Object.assign(known, data);
  }

  const inSandbox = () => ({
    MERCHANT_API_KEY: known.createApiKey.secret,
    SHOP: `${server.url}/api/v1/${known.createSandbox.id}`,
  });

  const readPrograms = () => [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text!);

  /** Runs the command of the page with the client, and returns the lines that it prints. */
  async function runClient(text: string, title: string): Promise<string[]> {
    await writeFile(join(directory, "client.ts"), text);
    const [command] = /^node client.ts .*$/m.exec(page)!;
    const filled = command.replace("Stoneware Bowl", title);
    return (await runInBash(`cd ${directory} && ${filled}`, inSandbox())).trim().split("\n");
  }

  it("has a client that survives each failure without a duplicate", async () => {
    const [client = ""] = readPrograms();
    const [example] = await readConsoleExamples("docs/testing.md");
    const fail = async (kind: string) => {
      await send("Fail", (document) => document.replace("CONNECTION_CLOSED", kind));
      await wait(1_000);
    };
    const total = async (search: string) => {
      const command = example!.command.replace("stoneware+bowl", search);
      return JSON.parse(await runInBash(command, inSandbox())).pagination.total;
    };
    for (const [kind, title, outcome] of [
      ["UNAVAILABLE", "Stoneware Bowl", "New"],
      ["TIMEOUT", "Stoneware Jug", "Replayed"],
      ["CONNECTION_CLOSED", "Stoneware Cup", "Replayed"],
    ] as const) {
      await fail(kind);
      const lines = await runClient(client, title);
      expect(lines, kind).to.have.length(4);
      expect(lines.slice(2).join(), kind).to.include(`Attempt 3: 201,${outcome} `);
      expect(await total(title.replace(" ", "+")), kind).to.equal(1);
    }
    expect(maskJson(await runInBash(example!.command, inSandbox()))).to.deep.equal(maskJson(example!.output));
    await fail("CONNECTION_CLOSED");
    await runClient(client.replace(/.*"Idempotency-Key".*\n/, ""), "Brass Whistle");
    expect(await total("brass+whistle")).to.equal(3);
  });

  it("has a receiver that ships once and keeps the newest version, and commands that bring events to it", async () => {
    const [client = "", handle = ""] = readPrograms();
    const complete = await readFile("docs/receivers/typescript/receiver.ts", "utf8");
    const program = join(directory, "receiver.ts");
    await writeFile(join(directory, "client.ts"), client);
    await writeFile(
      program,
      complete.replace(/^function handle\([\s\S]*?^}\n/m, () => handle),
    );
    const port = String(await findFreePort());
    const environment = { ...inSandbox(), PATH: process.env.PATH, BASE_URL: server.url, DATA_DIR: directory };
    const start = (pattern: RegExp, replaced: Record<string, string>, typed = "") => {
      let [command] = pattern.exec(page)!;
      for (const [from, to] of Object.entries(replaced)) command = command.replace(from, to);
      const child = spawn("bash", ["-c", command], {
        env: environment,
        detached: true,
        stdio: ["pipe", "pipe", "inherit"],
      });
      children.push(child);
      child.stdin!.end(`${typed}\n`);
      const printed = { text: "" };
      child.stdout!.on("data", (chunk: Buffer) => (printed.text += chunk.toString()));
      void once(child, "exit");
      return (wanted: RegExp) => eventually(() => wanted.exec(printed.text)?.[1] ?? "", Boolean, 60_000);
    };
    const listener = start(
      /^npm run webhooks:listen .*$/m,
      { "you@example.com": staff.email, "shop_…": known.createSandbox.id, "3000/": `${port}/ --port 0` },
      staff.password,
    );
    const receiver = start(/^WEBHOOK_SECRETS=.*$/m, {
      "whsec_…": await listener(/Signed with (whsec_\S+)/),
      "3000": port,
      "receiver.ts": program,
    });
    await receiver(/(Ready)/);
    await send("CreateOrder");
    const { id, orderNumber } = known.simulateOrder;
    await receiver(new RegExp(`(Store version 2 of /orders/${id})`));
    await receiver(new RegExp(`(Ship order ${orderNumber})`));
    await send("SendEvent");
    await receiver(new RegExp(`(Keep /orders/${id} which is newer than order.created)`));
  });
});
