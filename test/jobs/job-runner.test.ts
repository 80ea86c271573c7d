import { expect } from "chai";
import { JobRunner } from "../../src/jobs/job-runner.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { addJobs } from "../support/webhooks/jobs.ts";
import { useServer } from "../support/server.ts";

const DONE = 10_000;
const JOBS = 60;

describe("The runner of jobs", () => {
  const server = useServer();

  it("goes through those that were done once, however many are fetched before the table is vacuumed", async () => {
    await query(server.databaseUrl, "alter table graphile_worker._private_jobs set (autovacuum_enabled = off)");
    await query(server.databaseUrl, "vacuum analyze graphile_worker._private_jobs");
    await addJobs(server.databaseUrl, "send-webhooks", DONE);
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs");
    let count = 0;
    const runner = new JobRunner({
      url: server.databaseUrl,
      tasks: { "send-webhooks": () => void (count += 1) },
      crons: [],
      onStart: () => undefined,
      logger: createLogger("silent"),
      metrics: new Metrics(),
    });
    await runner.start();
    for (let added = 1; added <= JOBS; added++) {
      await addJobs(server.databaseUrl, "send-webhooks", 1);
      await eventually(
        () => count,
        (now) => now === added,
      );
    }
    // Its connections end, and tell what they read.
    await runner.stop();
    const [index] = await eventually(
      () =>
        query<{ scans: number; read: number }>(
          server.databaseUrl,
          `select idx_scan::int as scans, idx_tup_read::int as read from pg_stat_user_indexes
          where schemaname = 'graphile_worker' and indexrelname = 'jobs_main_index'`,
        ),
      ([row]) => row!.scans >= JOBS,
      5_000,
    );
    // Again as long as a transaction of another test may still see them, but not at each fetch.
    expect(index!.read).to.be.within(DONE, (JOBS / 2) * DONE);
  });
});
