import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { isAtHand } from "../support/programs/is-at-hand.ts";
import { useWorld } from "../support/world.ts";

const examples: { file: string; runtime: string[]; command: string[] }[] = [
  {
    file: "typescript/consumer.ts",
    runtime: [process.execPath, "--version"],
    command: [process.execPath, "--no-warnings"],
  },
  { file: "python/consumer.py", runtime: ["python3", "--version"], command: ["python3"] },
  {
    file: "php/consumer.php",
    runtime: ["php", "-r", "exit((int) !extension_loaded('pdo_sqlite'));"],
    command: ["php"],
  },
  { file: "go/consumer.go", runtime: ["go", "version"], command: ["go", "run"] },
];

describe("Consumers of pull endpoints", function () {
  this.timeout(90_000);
  const world = useWorld();
  const { run, sql } = world;
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => kill(child)));

  /** Ends a program and its children at once, as a crash does. */
  const kill = ({ exitCode, signalCode, pid }: ChildProcess) =>
    exitCode === null && signalCode === null && process.kill(-pid!, "SIGKILL");

  for (const { file, runtime, command } of examples) {
    it(`docs/receivers/${file} handles each event once, also after a crash before it acknowledges, and beside one that fails`, async function () {
      if (!isAtHand(runtime)) {
        console.log(`    ${file} is not tested: there is no ${runtime[0]} here`);
        return this.skip();
      }
      const { id: endpointId } = await run("createPullEndpoint", { input: { topics: ["product.created"] } });
      const input = { name: "ERP", permissions: ["RECEIVE_EVENTS"] };
      const { secret } = await run("createServiceToken", { input });
      const directory = await makeDirectory();
      let output = "";
      const start = (url: string) => {
        const program = fileURLToPath(new URL(`../../docs/receivers/${file}`, import.meta.url));
        const settings = { BASE_URL: url, TOKEN: secret, SHOP_ID: world.shop.id, ENDPOINT_ID: endpointId };
        const env = { ...process.env, NODE_OPTIONS: "", DATABASE: join(directory, "handled"), ...settings };
        const child = spawn(command[0]!, [...command.slice(1), program], { env, detached: true });
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
        children.push(child);
        return child;
      };
      for (const title of ["Mug", "Cup", "Jug"]) {
        await run("createProduct", { input: { title, variants: [{ price: "1" }] } });
      }
      const proxy = await startProxy();
      const first = start(proxy.url);
      await proxy.isAcknowledging;
      kill(first);
      await once(first, "exit");
      const outstanding = () =>
        sql<{ attempts: number; lease: number }>(
          `select attempts, extract(epoch from next_attempt_at - now())::int as lease from outstanding_deliveries
           where shop_id = $1`,
        );
      const leaving = (left: number) =>
        eventually(outstanding, ({ length }) => length === left, 60_000).catch((error: unknown) => {
          throw new Error(output, { cause: error });
        });
      const endLeases = () => sql("update outstanding_deliveries set next_attempt_at = now() where shop_id = $1");
      await run("createProduct", { input: { title: "Broken", variants: [{ price: "1" }] } });
      const [broken] = await sql<{ id: string }>("select id from events where shop_id = $1 order by created_at desc");
      proxy.fault = { breaks: broken!.id };
      await endLeases();
      start(proxy.url);
      await leaving(1);
      const [failed] = await eventually(outstanding, ([event]) => event!.attempts > 1 && event!.lease <= 10, 60_000);
      expect(failed!.lease).to.be.at.least(6);
      proxy.fault = {};
      await endLeases();
      await leaving(0);
      proxy.stop();
      const handled = output.match(/Ignore product\.created \(evt_\w+\)/g) ?? [];
      expect(handled, output).to.have.length(4);
      expect(new Set(handled).size).to.equal(4);
    });
  }

  /** Forwards requests to the server. At first it answers none that acknowledges. */
  async function startProxy() {
    const { promise: isAcknowledging, resolve } = Promise.withResolvers<void>();
    const http = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      if (proxy.fault === "acknowledging" && body.includes("acknowledgeEvents")) return resolve();
      const { authorization = "" } = request.headers;
      const headers = { "content-type": "application/json", authorization };
      const answer = await fetch(`${world.server.url}/graphql`, { method: "POST", headers, body });
      const text = await answer.text();
      const shown =
        typeof proxy.fault === "object" && proxy.fault.breaks
          ? text.replace(`{\\"id\\":\\"${proxy.fault.breaks}`, "")
          : text;
      response.writeHead(answer.status, { "content-type": "application/json" }).end(shown);
    }).listen(0, "127.0.0.1");
    await once(http, "listening");
    const proxy = {
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
      isAcknowledging,
      fault: "acknowledging" as "acknowledging" | { breaks?: string },
      stop: () => {
        http.close();
        http.closeAllConnections();
      },
    };
    return proxy;
  }
});
