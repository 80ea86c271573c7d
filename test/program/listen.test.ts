import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { operator } from "../../src/core/access/actor.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { addMember } from "../../src/core/staff/members/add-member.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs } from "../support/browser/browser.ts";
import { findFreePort } from "../support/free-port.ts";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { buildProduct, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { programArguments } from "../support/programs/program.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { buildFactor, codeOf } from "../support/staff/second-factor.ts";
import { useServer } from "../support/server.ts";

/** The command as a developer runs it, with what is typed coming from a pipe. */
class Listener {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  output = "";

  constructor(environment: Record<string, string>, flags: string[], typed: string) {
    const { NODE_ENV: _, DATABASE_URL: __, ...inherited } = process.env;
    this.child = spawn(process.execPath, programArguments("listen", ...flags), {
      env: { ...inherited, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    // A command that asks for nothing may have ended before.
    this.child.stdin.on("error", () => undefined).end(`${typed}\n`);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  async until(pattern: RegExp): Promise<RegExpExecArray> {
    await eventually(
      () => {
        if (this.child.exitCode !== null && !pattern.test(this.output)) throw new Error(this.output);
        return this.output;
      },
      (output) => pattern.test(output),
      30_000,
    );
    return pattern.exec(this.output)!;
  }

  async end(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, "close");
    return this.child.exitCode;
  }

  async stop(): Promise<void> {
    this.child.kill("SIGINT");
    expect(await this.end(), this.output).to.equal(0);
  }
}

describe("merchant-api listen", () => {
  const server = useServer({ worker: true });
  const receiver = useReceiver();
  let dataDir: string;
  let shop: Shop;
  let staff: TestStaff;

  before(async () => {
    dataDir = await makeDirectory();
    shop = await buildShop(server.em, { name: "Harbour Goods" });
    staff = await buildStaff(server.em, shop);
  });

  const listeners: Listener[] = [];
  afterEach(() => listeners.splice(0).forEach(({ child }) => child.kill("SIGKILL")));

  function listen(flags: string[], password = staff.password): Listener {
    const listener = new Listener({ BASE_URL: server.url, DATA_DIR: dataDir }, flags, password);
    listeners.push(listener);
    return listener;
  }

  const listenAs = (email: string, ...flags: string[]) => listen(["--email", email, "--port", "0", ...flags]);
  const listEndpoints = () =>
    query<{ url: string; topics: string[] }>(
      server.databaseUrl,
      "select url, topics from webhook_endpoints where shop_id = $1",
      [shop.id],
    );

  /** Its one line, without a stack. */
  async function expectRefusal(listener: Listener, message: RegExp): Promise<void> {
    expect(await listener.end()).to.equal(1);
    expect(listener.output)
      .to.match(message)
      .and.not.match(/^\s+at /m);
    expect(await listEndpoints()).to.deep.equal([]);
  }

  it("subscribes to the chosen topics of a member's shop, and deletes its endpoint at the end", async () => {
    const port = await findFreePort();
    const flags = ["--email", staff.email, "--port", String(port), "--topics", "product.deleted, product.created"];
    const listener = listen(flags);
    await listener.until(/Receiving product\.created, product\.deleted of Harbour Goods/);
    const url = `http://127.0.0.1:${port}/webhooks`;
    expect(await listEndpoints()).to.deep.equal([{ url, topics: ["product.created", "product.deleted"] }]);
    await buildProduct(server.em, shop);
    await listener.until(/product\.created .* signature verified/);
    await listener.stop();
    expect(await listEndpoints()).to.deep.equal([]);
  });

  it("signs forwarded deliveries with its own persistent secret", async () => {
    const secrets: string[] = [];
    for (const round of [1, 2]) {
      const listener = listenAs(staff.email, "--forward-to", `${receiver.url}/hooks`);
      const [, secret] = await listener.until(/Signed with (whsec_\S+)/);
      secrets.push(secret!);
      await buildProduct(server.em, shop);
      await listener.until(/forwarded to \S+: response 204/);
      const { headers, body } = receiver.received[round - 1]!;
      new Webhook(secret!).verify(body, headers as Record<string, string>);
      await listener.stop();
    }
    expect(secrets[1]).to.equal(secrets[0]);
    expect((await stat(join(dataDir, "listener-secret"))).mode & 0o777).to.equal(0o600);
  });

  it("prints when its endpoint is suspended, the time of the next attempt, and when deliveries resume", async () => {
    const listener = listenAs(staff.email, "--forward-to", `${receiver.url}/hooks`);
    await listener.until(/Signed with/);
    receiver.status = 500;
    const [endpoint] = await query<{ id: string }>(
      server.databaseUrl,
      "select id from webhook_endpoints where shop_id = $1",
      [shop.id],
    );
    for (let turn = 0; turn < 10; turn += 1) await buildProduct(server.em, shop);
    const page = `${server.url}/admin/${shop.id}/endpoints/${endpoint!.id}`;
    const [, time, link] = await listener.until(
      /› Suspended: ten attempts in a row failed\. .* Next attempt: (\S+Z)\.\n.* test event: (\S+)/,
    );
    expect(link).to.equal(page);
    expect(Number.isNaN(Date.parse(time!))).to.equal(false);
    receiver.status = 204;
    const browser = await openBrowserAs(server, staff);
    const send = "mutation ($shopId: ID!, $id: ID!) { sendTestEvent(shopId: $shopId, id: $id) { id } }";
    expect((await browser.ask(send, { shopId: shop.id, id: endpoint!.id })).errors).to.deep.equal([]);
    await listener.until(/› Deliveries resume/);
    await listener.stop();
  });

  it("prints that its endpoint is disabled as gone", async () => {
    const listener = listenAs(staff.email, "--forward-to", `${receiver.url}/hooks`);
    await listener.until(/Signed with/);
    receiver.status = 410;
    await buildProduct(server.em, shop);
    await listener.until(/› Disabled: the receiver responded with 410\. No more deliveries are sent\.\n/);
    receiver.status = 204;
    await listener.stop();
  });

  it("accepts a member's two-factor code", async () => {
    const member = await buildStaff(server.em, shop);
    const { secret } = await buildFactor(server, member);
    const flags = ["--email", member.email, "--port", "0"];
    await expectRefusal(listen(flags, member.password), /^This account uses two-factor authentication\n/);
    const listener = listen([...flags, "--code", codeOf(secret)], member.password);
    await listener.until(/Receiving every event of Harbour Goods/);
    await listener.stop();
    expect(await listEndpoints()).to.deep.equal([]);
  });

  it("lists the shops if there are several", async () => {
    const other = await buildShop(server.em, { name: "Hillside Books" });
    const both = await buildStaff(server.em, shop);
    await addMember(
      { em: server.em, shop: other, actor: operator },
      { email: both.email, role: Role.OWNER, account: both.id },
    );
    await expectRefusal(
      listen(["--email", both.email, "--port", "0"], both.password),
      new RegExp(`--shop:\n(?=[^]*${shop.id} {2}Harbour Goods)(?=[^]*${other.id} {2}Hillside Books)`),
    );
    const listener = listen(["--email", both.email, "--port", "0", "--shop", other.id], both.password);
    await listener.until(/Receiving every event of Hillside Books/);
    await listener.stop();
  });

  it("reports a port in use in one line, before it asks for anything", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const listener = listen(["--email", staff.email, "--port", String(port)]);
    await expectRefusal(
      listener,
      new RegExp(`^Port ${port} is already in use\\. Choose another one with --port\\.\n$`),
    );
    taken.close();
  });

  it("reports other mistakes in one line", async () => {
    const clerk = await buildStaff(server.em, shop, Role.CLERK);
    const free = ["--port", "0"];
    for (const [flags, password, message] of [
      [
        ["--port", "65536"],
        "",
        /^error: option '--port <port>' argument '65536' is invalid\. It must be a whole number from 0 to 65535\.\n/,
      ],
      [["--topics", "order.paid,order.eaten"], "", /^--topics: "order\.eaten" is not one of order\.created, /],
      [free, "", /demo\.json does not exist\..*npm start\n.*--email/],
      [[...free, "--email", staff.email], "wrong", /Incorrect email or password/],
      [[...free, "--email", clerk.email], clerk.password, /You cannot change the settings of any shop/],
      [
        [...free, "--email", staff.email, "--shop", "shop_none"],
        staff.password,
        /Choose one of these shops with --shop/,
      ],
    ] as const) {
      await expectRefusal(listen([...flags], password), message);
    }
  });
});
