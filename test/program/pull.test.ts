import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { programArguments } from "../support/programs/program.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { useWorld } from "../support/world.ts";

describe("merchant-api pull", function () {
  this.timeout(90_000);
  const world = useWorld();
  const { server, run, sql } = world;
  const receiver = useReceiver();
  let child: ChildProcess | undefined;
  let output = "";
  let endpointId: string;

  beforeEach(async () => {
    output = "";
    ({ id: endpointId } = await run("createPullEndpoint", { input: { topics: ["product.created"] } }));
  });
  afterEach(() => void child?.kill("SIGKILL"));

  async function token(...permissions: string[]): Promise<string> {
    return (await run("createServiceToken", { input: { name: "ERP", permissions } })).secret;
  }

  async function start(secret: string, ...flags: string[]): Promise<void> {
    const all = ["--shop", world.shop.id, "--endpoint", endpointId, ...flags];
    const { NODE_ENV: _, ...inherited } = process.env;
    child = spawn(process.execPath, programArguments("pull", ...all), {
      env: { ...inherited, BASE_URL: server.url, DATA_DIR: await makeDirectory() },
    });
    child.stdin!.end(`${secret}\n`);
    for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (output += String(chunk)));
  }
  const printed = (pattern: RegExp) => eventually(() => output, pattern.test.bind(pattern), 60_000);
  const end = async () => {
    if (child!.exitCode === null) await once(child!, "close");
    return child!.exitCode;
  };
  const createProduct = () => run("createProduct", { input: { title: "Mug", variants: [{ price: "1" }] } });
  const left = () => sql("select attempts from outstanding_deliveries where shop_id = $1");

  it("prints events, acknowledges them, and ends on a signal", async () => {
    await createProduct();
    await start(await token("RECEIVE_EVENTS"));
    await printed(/product\.created {2}evt_\w+\n {2}\{"id":"evt_/);
    await eventually(left, ({ length }) => length === 0);
    child!.kill("SIGINT");
    expect(await end(), output).to.equal(0);
  });

  it("forwards events like webhooks, and acknowledges the accepted ones", async () => {
    Object.assign(receiver, { status: 503 });
    await start(await token("RECEIVE_EVENTS"), "--forward-to", receiver.url);
    const [, secret] = /signed with (\S+)/.exec(await printed(/signed with \S+\n/))!;
    await createProduct();
    await printed(/response 503/);
    expect(await left()).to.have.length(1);
    Object.assign(receiver, { status: 204 });
    await printed(/attempt 2[^]*response 204/);
    await eventually(left, ({ length }) => length === 0);
    const [first, second] = receiver.received;
    expect(second!.body).to.deep.equal(first!.body);
    expect(second!.headers["webhook-id"]).to.equal(JSON.parse(first!.body.toString()).id);
    new Webhook(secret!).verify(second!.body.toString(), second!.headers as Record<string, string>);
  });

  it("handles the others while a receiver fails for one event, which it tries again later each time", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) await createProduct();
    const [failing] = await sql<{ id: string }>("select id from events where shop_id = $1 order by created_at, id");
    const statusOf = (headers: IncomingHttpHeaders) => (
      ids.push(String(headers["webhook-id"])),
      headers["webhook-id"] === failing!.id ? 500 : 204
    );
    Object.assign(receiver, { status: statusOf });
    await start(await token("RECEIVE_EVENTS"), "--forward-to", receiver.url);
    await eventually(left, ({ length }) => length === 1, 60_000);
    await createProduct();
    await printed(/attempt 2/);
    await eventually(left, ({ length }) => length === 1);
    const [lease] = await eventually(
      () =>
        sql<{ seconds: number }>(
          "select extract(epoch from next_attempt_at - now())::int as seconds from outstanding_deliveries where shop_id = $1 and attempts = 2",
        ),
      ([row]) => row !== undefined && row.seconds < 11,
    );
    expect(lease!.seconds).to.be.within(6, 10);
    expect(new Set(ids).size).to.equal(5);
  });

  it("refuses a token without the permission, and an unknown endpoint", async () => {
    await start(await token("READ_PRODUCTS"));
    expect(await end()).to.equal(1);
    expect(output).to.include("RECEIVE_EVENTS");
    endpointId = "whe_x";
    await start(await token("RECEIVE_EVENTS"));
    expect(await end()).to.equal(1);
    expect(output).to.include("Webhook endpoint not found");
  });
});
