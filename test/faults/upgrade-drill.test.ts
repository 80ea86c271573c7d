import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { query, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { askGraphql, documentOf, logIn } from "../support/graphql.ts";
import { haproxy, startHaproxy, type Proxy } from "../support/programs/haproxy.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { SteadyLoad } from "../support/programs/steady-load.ts";
import { keysOf, loadFixture, readFixtures } from "../support/releases/fixtures.ts";
import { addNextMigration, installRelease, programOf } from "../support/releases/install.ts";
import { writeEachKind } from "../support/releases/writes.ts";
import { useCountingReceiver } from "../support/webhooks/counting-receiver.ts";

const isRequired = process.env.REQUIRE_HAPROXY === "1";
/** Longer than production's, for a machine on which probes take seconds. */
const environment = { SHUTDOWN_DELAY: "15" };
/** The package of the release before, or undefined for this one. */
const previous = process.env.PREVIOUS_RELEASE;
const fixtures = await readFixtures();
const fixture = fixtures.find(({ version }) => previous?.endsWith(`-${version}.tgz`)) ?? fixtures.at(-1)!;
const encryptionKeys = keysOf(fixture);

describe(`An upgrade behind a proxy${haproxy ? "" : " (skipped: no HAProxy found; HAPROXY names one)"}`, function () {
  this.timeout(900_000);
  const receiver = useCountingReceiver();
  const ports: Record<string, number> = {};
  const processes: Record<string, ServerProcess> = {};
  let database: TestDatabase;
  let proxy: Proxy | undefined;
  let load: SteadyLoad | undefined;

  before(function () {
    if (haproxy) return;
    if (isRequired) throw new Error("No HAProxy found: install it, or name it with HAPROXY");
    this.skip();
  });

  after(async () => {
    await load?.stop();
    await proxy?.stop();
    await Promise.all(Object.values(processes).map((each) => each.stop()));
    await database?.drop();
  });

  const migrate = (release: string) =>
    promisify(execFile)(process.execPath, [programOf(release), "migrate"], {
      env: { ...process.env, DATABASE_URL: database.url },
    });

  async function start(release: string, name: string): Promise<void> {
    const command = name === "worker" ? "worker" : "api";
    const port = (ports[name] ??= await findFreePort());
    const program = programOf(release);
    const options = { command, databaseUrl: database.url, encryptionKeys, port, environment, program } as const;
    await (processes[name] = new ServerProcess(options)).started();
  }

  /** Sends the events of the shop's push endpoint to the receiver, and returns its id. */
  async function redirectEndpoint(): Promise<string> {
    const session = await logIn(proxy!, fixture.owner);
    const variables = { shopId: fixture.shopId };
    const { data } = await askGraphql(
      proxy!,
      "query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { id } } }",
      variables,
      session,
    );
    const [{ id }] = data.shop.webhookEndpoints;
    const change = { ...variables, id, input: { url: receiver.url, headers: [] } };
    const document = documentOf("updateWebhookEndpoint", Object.keys(change));
    const { errors } = await askGraphql(proxy!, document, change, session);
    expect(errors).to.deep.equal([]);
    return id;
  }

  it("fails no request and loses no delivery", async () => {
    // The release before is installed, with data.
    const release = await installRelease(previous);
    database = await loadFixture(fixture);
    await migrate(release);
    for (const name of ["one", "two"]) await start(release, name);
    proxy = await startHaproxy(ports);
    const endpoint = await redirectEndpoint();
    await start(release, "worker");
    const begin = new Date();
    load = new SteadyLoad(`${proxy.url}/api/v1/${fixture.shopId}/products`, fixture.key);
    await load.isServedBy("one", "two");

    // The new `migrate` runs while the old processes serve. They work with the new schema.
    const next = await addNextMigration(await installRelease());
    expect((await migrate(next)).stderr).to.include("9999-next");
    await load.isServedBy("one", "two");
    await writeEachKind(proxy, fixture, { isOlder: true });

    // Processes are replaced one at a time.
    for (const name of ["one", "two", "worker"]) {
      await processes[name]!.stop();
      await start(next, name);
      await load.isServedBy("one", "two");
    }

    await load.stop();
    expect(load.failures, proxy.output()).to.deep.equal([]);
    const sent = "select event_id as id, status from delivery_states where endpoint_id = $1 and created_at >= $2";
    const deliveries = await eventually(
      () => query<{ id: string; status: string }>(database.url, sent, [endpoint, begin]),
      (rows) => rows.every(({ status }) => status === "SUCCEEDED"),
    );
    expect(deliveries.length).to.be.above(50);
    expect([...receiver.received.keys()]).to.include.members(deliveries.map(({ id }) => id));
  });
});
