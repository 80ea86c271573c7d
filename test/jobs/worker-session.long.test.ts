import { expect } from "chai";
import { SEND_WEBHOOKS } from "../../src/core/webhooks/jobs/send-jobs.sql.ts";
import { WorkerSession } from "../../src/jobs/worker-session.sql.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { addJobs } from "../support/webhooks/deliveries.ts";
import { useServer } from "../support/server.ts";

describe("A worker's session", () => {
  const server = useServer({ own: "empties the queue of all shops" });
  const sessions: WorkerSession[] = [];
  const open = () => {
    const session = new WorkerSession({ url: server.databaseUrl, logger: createLogger("silent") });
    sessions.push(session);
    return session;
  };
  const lockJobs = async (runner: string) => {
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs");
    await addJobs(server.databaseUrl, SEND_WEBHOOKS, 3);
    await query(
      server.databaseUrl,
      "update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute'",
      [runner],
    );
  };
  const locked = () => query(server.databaseUrl, "select 1 from graphile_worker.jobs where locked_at is not null");
  const cut = () =>
    query(
      server.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'merchant-api worker'`,
    );

  afterEach(() => Promise.all(sessions.splice(0).map((session) => session.stop())));

  it("releases jobs of dead runners, including its own earlier ones, and no others", async () => {
    const [own, other] = [open(), open()];
    await own.announce("first");
    await own.announce("second");
    other.start();
    await other.announce("other");
    await lockJobs("second");
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await locked(), "that lives").to.have.length(3);
    for (const gone of ["first", "never heard of"]) {
      await lockJobs(gone);
      await eventually(locked, (rows) => rows.length === 0);
    }
  });

  it("marks its runner as alive again after a lost connection", async () => {
    const [own, other] = [open(), open()];
    own.start();
    await own.announce("first");
    await cut();
    await eventually(
      () => own.acquire("whe_1").catch(() => false),
      (isHeld) => isHeld,
    );
    other.start();
    await other.announce("other");
    await lockJobs("first");
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await locked()).to.have.length(3);
  });

  it("holds an endpoint exclusively until it releases it or its connection ends", async () => {
    const [one, other] = [open(), open()];
    expect(await one.acquire("whe_1")).to.equal(true);
    expect([one.holds("whe_1"), await other.acquire("whe_1")]).to.deep.equal([true, false]);
    await one.release("whe_1");
    expect([one.holds("whe_1"), await other.acquire("whe_1")]).to.deep.equal([false, true]);
    await cut();
    await eventually(
      () => one.acquire("whe_1").catch(() => false),
      (isHeld) => isHeld,
    );
    expect(other.holds("whe_1")).to.equal(false);
  });
});
