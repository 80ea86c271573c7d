import { expect } from "chai";
import { JobRunner } from "../../src/jobs/job-runner.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { addJobs } from "../support/webhooks/deliveries.ts";
import { useServer } from "../support/server.ts";

const DONE = 10_000;
const JOBS = 60;
const WAITING = 10_000;

describe("The job runner", () => {
  const server = useServer({ own: "empties the queue of all shops" });
  let count = 0;
  beforeEach(() => (count = 0));
  const makeRunner = (logger = createLogger("silent")) =>
    new JobRunner({
      url: server.databaseUrl,
      tasks: { "send-webhooks": () => void (count += 1) },
      crons: [],
      onStart: () => undefined,
      logger,
      metrics: new Metrics(),
    });
  const readOf = async (index: string) => {
    const [row] = await query<{ scans: number; read: number }>(
      server.databaseUrl,
      `select idx_scan::int as scans, idx_tup_read::int as read from pg_stat_user_indexes
      where schemaname = 'graphile_worker' and indexrelname = '${index}'`,
    );
    return row!;
  };

  it("reads finished jobs once between two vacuums, however many it fetches", async () => {
    await query(server.databaseUrl, "alter table graphile_worker._private_jobs set (autovacuum_enabled = off)");
    await query(server.databaseUrl, "vacuum analyze graphile_worker._private_jobs");
    await addJobs(server.databaseUrl, "send-webhooks", DONE);
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs");
    const runner = makeRunner();
    await runner.start();
    for (let added = 1; added <= JOBS; added++) {
      await addJobs(server.databaseUrl, "send-webhooks", 1);
      await eventually(
        () => count,
        (now) => now === added,
      );
    }
    // Closes its connections, which report how much they read.
    await runner.stop();
    const index = await eventually(
      () => readOf("jobs_main_index"),
      ({ scans }) => scans >= JOBS,
      5_000,
    );
    // Again as long as a transaction of another test may still see them, but not at each fetch.
    expect(index.read).to.be.within(DONE, (JOBS / 2) * DONE);
  });

  it("starts again, without a stack trace, when its first look-up of tasks fails", async () => {
    await addJobs(server.databaseUrl, "send-webhooks", 1);
    // The second time: it adds the tasks itself first. Sequences count in transactions that fail, too.
    await query(
      server.databaseUrl,
      `create sequence lookups;
      create function fail_once() returns trigger language plpgsql as
        $$ begin if nextval('lookups') = 2 then raise 'timeout'; end if; return null; end $$;
      create trigger fail_once before insert on graphile_worker._private_tasks execute function fail_once()`,
    );
    const lines: string[] = [];
    const runner = makeRunner(createLogger("info", { write: (line) => void lines.push(line) }));
    await runner.start();
    await eventually(
      () => count,
      (now) => now === 1,
    );
    await runner.stop();
    expect(lines.map((line) => JSON.parse(line).msg)).to.deep.equal([
      "the job runner cannot fetch jobs",
      "the job runner ended; restarting it",
    ]);
    expect(lines.join("")).to.not.contain("stack");
  });

  it("finds jobs by key despite outdated statistics", async () => {
    await query(server.databaseUrl, "alter table graphile_worker._private_jobs set (autovacuum_enabled = off)");
    await addJobs(server.databaseUrl, "send-webhooks", WAITING);
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs");
    await query(
      server.databaseUrl,
      "delete from pg_statistic where starelid = 'graphile_worker._private_jobs'::regclass",
    );
    // Pages, but no rows.
    await query(server.databaseUrl, "vacuum (truncate false) graphile_worker._private_jobs");
    await addJobs(server.databaseUrl, "send-webhooks", WAITING);
    const before = await readOf("jobs_pkey1");
    const runner = makeRunner();
    await runner.start();
    await eventually(
      () => count,
      (now) => now === WAITING,
      30_000,
    );
    await runner.stop();
    const after = await eventually(
      () => readOf("jobs_pkey1"),
      ({ read }) => read - before.read >= WAITING,
      5_000,
    );
    // A few times, to fetch it and to delete it, instead of once for each of twenty batches.
    expect(after.read - before.read).to.be.below(5 * WAITING);
  });
});
