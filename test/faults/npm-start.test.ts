import { spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import type { TestServer } from "../support/server.ts";
import { readDemo, type Demo } from "../../src/demo/create-demo.ts";
import { findFreePort } from "../support/free-port.ts";

const PATIENCE = 110_000;

interface Command {
  child: ChildProcess;
  /** Resolves with all output so far once it matches. Rejects when the command ends before. */
  until: (pattern: RegExp) => Promise<string>;
}

/** Runs an npm script as a user would, in a separate process group, like a terminal's foreground job. */
function npm(script: string, environment: Record<string, string>, ...flags: string[]): Command {
  const { DATABASE_URL: _, NODE_ENV: __, ...inherited } = process.env;
  const child = spawn("npm", ["run", script, "--", ...flags], {
    detached: true,
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let isClosed = false;
  child.on("close", () => (isClosed = true));
  const until = (pattern: RegExp) =>
    eventually(
      () => {
        if (isClosed && !pattern.test(output)) throw new Error(`npm run ${script} ended:\n${output}`);
        return output;
      },
      (text) => pattern.test(text),
      PATIENCE,
    );
  return { child, until };
}

const hasEnded = ({ child }: Command) => child.exitCode !== null || child.signalCode !== null;

/** Presses Ctrl-C: the signal goes to the whole group. */
async function pressControlC(command: Command): Promise<void> {
  process.kill(-command.child.pid!, "SIGINT");
  if (!hasEnded(command)) await once(command.child, "exit");
}

async function createProduct(demo: Demo, title: string): Promise<number> {
  const [shop] = demo.shops;
  const response = await fetch(`${demo.baseUrl}/api/v1/${shop!.id}/products`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop!.apiKeys[0]!.secret}`, "content-type": "application/json" },
    body: JSON.stringify({ title, price: 14.5 }),
  });
  return response.status;
}

async function listEndpoints({ baseUrl, shops: [shop] }: Demo): Promise<{ id: string }[]> {
  const server = { url: baseUrl } as TestServer;
  const session = await logIn(server, shop!.staff[0]!);
  const { data } = await askGraphql(
    server,
    "query ($id: ID!) { shop(id: $id) { webhookEndpoints { id } } }",
    { id: shop!.id },
    session,
  );
  return data.shop.webhookEndpoints;
}

async function sendTestEvent(demo: Demo): Promise<void> {
  const server = { url: demo.baseUrl } as TestServer;
  const [shop] = demo.shops;
  const [endpoint] = await listEndpoints(demo);
  await askGraphql(
    server,
    "mutation ($shopId: ID!, $id: ID!) { sendTestEvent(shopId: $shopId, id: $id) { id } }",
    { shopId: shop!.id, id: endpoint!.id },
    await logIn(server, shop!.staff[0]!),
  );
}

describe("npm start on an empty machine", function () {
  this.timeout(120_000);
  let environment: Record<string, string>;
  let server: Command;
  const receiver = useReceiver();

  before(async () => {
    const DATA_DIR = await makeDirectory();
    environment = { DATA_DIR, PORT: String(await findFreePort()) };
    server = npm("start", environment);
    await server.until(/Ctrl-C stops it/);
  });

  after(async () => {
    if (!hasEnded(server)) await pressControlC(server);
  });

  const demoFile = () => join(environment.DATA_DIR!, "demo.json");

  it("prints a working curl command", async () => {
    const [, key, url] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(await server.until(/curl/)) ?? [];
    const response = await fetch(url!, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).to.equal(200);
    expect(((await response.json()) as { products: unknown[] }).products).to.have.length(2);
  });

  it("writes the demo's secrets to a file for its owner only", async () => {
    expect((await stat(demoFile())).mode & 0o777).to.equal(0o600);
    const demo = (await readDemo(demoFile()))!;
    expect(demo.shops.map((shop) => [shop.plan, shop.apiKeys.length])).to.deep.equal([
      ["ENTERPRISE", 3],
      ["GROWTH", 1],
      ["TRIAL", 1],
    ]);
  });

  it("delivers to the development receiver, which verifies the signature", async () => {
    const listener = npm("webhooks:listen", environment);
    await listener.until(/Receiving every event/);
    const demo = (await readDemo(demoFile()))!;
    expect(await createProduct(demo, "Heard of")).to.equal(201);
    expect(await listener.until(/product\.created .* signature verified/)).not.to.include("test event");
    await sendTestEvent(demo);
    await listener.until(/signature verified {2}test event/);
    await pressControlC(listener);
  });

  it("forwards deliveries to another receiver, and returns its responses", async () => {
    const target = `${receiver.url}/hooks`;
    const listener = npm("webhooks:listen", environment, "--forward-to", target);
    await listener.until(/Receiving every event .* forwarding to/);
    const demo = (await readDemo(demoFile()))!;
    receiver.status = 503;
    expect(await createProduct(demo, "Heard of twice")).to.equal(201);
    await listener.until(/forwarded to \S+\/hooks: response 503 after \d+ ms/);
    receiver.status = 204;
    await listener.until(/response 204 after \d+ ms/);
    const [refused, retried] = receiver.received;
    expect(refused).to.include({ method: "POST", path: "/hooks" });
    expect(retried!.body).to.deep.equal(refused!.body);
    const [, secret] = /Signed with (\S+)/.exec(await listener.until(/Signed with/))!;
    for (const { body, headers } of [refused!, retried!]) {
      new Webhook(secret!).verify(body, headers as Record<string, string>);
      const signature = createHmac("sha256", secret!).update(body).digest("hex");
      expect(headers["x-webhook-signature"]).to.equal(`sha256=${signature}`);
    }
    await pressControlC(listener);
    expect(await listEndpoints(demo)).to.deep.equal([]);
  });

  it("refuses to forward to an invalid address", async () => {
    const listener = npm("webhooks:listen", environment, "--forward-to", "127.0.0.1:3000");
    const output = await listener.until(/--forward-to must be a URL such as/);
    expect(output).not.to.match(/^\s+at /m);
  });

  it("stops on Ctrl-C and keeps the data for the next start", async () => {
    const demo = (await readDemo(demoFile()))!;
    await pressControlC(server);
    expect(await server.until(/Stopping/)).not.to.include("Error");
    await eventually(
      () => existsSync(join(environment.DATA_DIR!, "postgres", "postmaster.pid")),
      (isRunning) => !isRunning,
    );
    server = npm("start", environment);
    const output = await server.until(/Ctrl-C stops it/);
    expect(output).not.to.include("Creating demo data");
    expect(await readDemo(demoFile())).to.deep.equal(demo);
    expect(await createProduct(demo, "Heard of")).to.equal(201);
  });

  it("gives way to npm run dev, which serves Admin from its sources and restarts after a change", async () => {
    await pressControlC(server);
    server = npm("dev", environment);
    await server.until(/Ctrl-C stops it/);
    const demo = (await readDemo(demoFile()))!;
    const admin = await fetch(`${demo.baseUrl}/admin/`);
    expect(await admin.text()).to.include("/admin/@vite/client");
    await utimes("src/main.ts", new Date(), new Date());
    await server.until(/Restarting[^]*Ctrl-C stops it/);
    expect(await createProduct(demo, "Heard of")).to.equal(201);
  });
});
