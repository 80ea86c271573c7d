import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "./support/eventually.ts";
import { readDemo, type Demo } from "../src/demo/create-demo.ts";

interface Command {
  child: ChildProcess;
  /** Resolves with all output so far once it matches. Rejects when the command ends before. */
  until: (pattern: RegExp) => Promise<string>;
}

/** Runs an npm script as a user would, in a process group of its own, like a terminal's foreground job. */
function npm(script: string, environment: Record<string, string>): Command {
  const { DATABASE_URL: _, NODE_ENV: __, ...inherited } = process.env;
  const child = spawn("npm", ["run", script], {
    detached: true,
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const until = async (pattern: RegExp) => {
    while (!pattern.test(output)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`npm run ${script} ended:\n${output}`);
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), once(child, "exit")]);
    }
    return output;
  };
  return { child, until };
}

const hasEnded = ({ child }: Command) => child.exitCode !== null || child.signalCode !== null;

/** Presses Ctrl-C: the signal goes to the whole group. */
async function pressControlC(command: Command): Promise<void> {
  process.kill(-command.child.pid!, "SIGINT");
  if (!hasEnded(command)) await once(command.child, "exit");
}

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
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

describe("npm start, on an empty machine", function () {
  this.timeout(120_000);
  let environment: Record<string, string>;
  let server: Command;

  before(async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), "merchant-api-start-"));
    environment = { DATA_DIR, PORT: await findFreePort() };
    server = npm("start", environment);
    await server.until(/Ctrl-C stops it/);
  });

  after(async () => {
    if (!hasEnded(server)) await pressControlC(server);
    await rm(environment.DATA_DIR!, { recursive: true, force: true });
  });

  const demoFile = () => join(environment.DATA_DIR!, "demo.json");

  it("prints a curl line that works", async () => {
    const [, key, url] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(await server.until(/curl/)) ?? [];
    const response = await fetch(url!, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).to.equal(200);
    expect(((await response.json()) as { products: unknown[] }).products).to.have.length(2);
  });

  it("writes the demo's secrets to a file for its owner alone", async () => {
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
    await listener.until(/product\.created .* signature verified/);
    await pressControlC(listener);
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
    expect(output).not.to.include("Making demo data");
    expect(await readDemo(demoFile())).to.deep.equal(demo);
    expect(await createProduct(demo, "Heard of")).to.equal(201);
  });
});
