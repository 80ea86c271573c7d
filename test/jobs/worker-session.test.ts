import { expect } from "chai";
import { WorkerSession } from "../../src/jobs/worker-session.ts";
import type { EndpointKey } from "../../src/jobs/turns.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { useServer } from "../support/server.ts";

describe("WorkerSession", () => {
  const server = useServer();
  const sessions: WorkerSession[] = [];

  afterEach(() => Promise.all(sessions.splice(0).map((session) => session.stop())));

  async function open() {
    const heard: EndpointKey[] = [];
    let losses = 0;
    const session = new WorkerSession({
      url: server.databaseUrl,
      onWake: (endpoints) => heard.push(...endpoints),
      onLost: () => (losses += 1),
      logger: createLogger("silent"),
    });
    sessions.push(session);
    await session.start();
    return { session, heard, losses: () => losses };
  }

  const connections = () =>
    query<{ pid: number }>(
      server.databaseUrl,
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'merchant-api worker'`,
    );
  const cut = () =>
    query(
      server.databaseUrl,
      `select pg_terminate_backend(pid, 1000) from pg_stat_activity
      where datname = current_database() and application_name = 'merchant-api worker'`,
    );

  it("holds an endpoint that nobody else holds, until it lets go", async () => {
    const [one, other] = [await open(), await open()];
    await one.session.take(["a", "b"]);
    await other.session.take(["b", "c"]);
    expect(["a", "b", "c"].map((id) => one.session.holds(id))).to.deep.equal([true, true, false]);
    expect(["a", "b", "c"].map((id) => other.session.holds(id))).to.deep.equal([false, false, true]);
    await one.session.letGo(["b"]);
    await other.session.take(["b"]);
    expect([one, other].map(({ session }) => session.holds("b"))).to.deep.equal([false, true]);
  });

  it("knows that it holds nothing once its connection is cut, and connects again", async () => {
    const { session, losses } = await open();
    await session.take(["a"]);
    await cut();
    await eventually(losses, (count) => count === 1);
    expect(session.holds("a")).to.equal(false);
    await session.take(["a"]);
    expect(session.holds("a")).to.equal(true);
    expect(losses()).to.equal(1);
  });

  it("has one connection, also when two ask for it at the same time", async () => {
    const { session, losses } = await open();
    await cut();
    await eventually(losses, (count) => count === 1);
    await Promise.all([session.take(["a"]), session.letGo([]), session.wakeOthers([])]);
    expect(await connections()).to.have.length(1);
    expect(session.holds("a")).to.equal(true);
  });

  it("tells others of as many endpoints as one reading may find elsewhere", async () => {
    const [one, other] = [await open(), await open()];
    await one.session.take(["a"]);
    const endpoints = Array.from({ length: 100 }, () => ({ shopId: newId("shop"), endpointId: newId("whe") }));
    await one.session.wakeOthers(endpoints);
    await eventually(
      () => other.heard.length,
      (count) => count === 100,
    );
    expect(other.heard).to.deep.equal(endpoints);
    expect(one.session.holds("a")).to.equal(true);
  });

  it("does not connect any more when it is stopped", async () => {
    const { session } = await open();
    const asked = session.take(["a"]).catch(() => undefined);
    await session.stop();
    await asked;
    const error = await session.take(["a"]).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    await eventually(connections, (rows) => rows.length === 0);
  });
});
