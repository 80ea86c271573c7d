import { expect } from "chai";
import { JobRunner } from "../../src/jobs/job-runner.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { addJobs } from "../support/webhooks/jobs.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useServer } from "../support/server.ts";

describe("A job runner with a failed first look-up of tasks", function () {
  this.timeout(90_000);
  const server = useServer();

  it("is restarted and runs the jobs", async () => {
    const { logger, lines } = collectLines("warn");
    let count = 0;
    const runner = new JobRunner({
      url: server.databaseUrl,
      tasks: { "send-webhooks": () => void (count += 1) },
      crons: [],
      onStart: () => undefined,
      logger,
      metrics: new Metrics(),
    });
    await addJobs(server.databaseUrl, "send-webhooks", 1);
    await query(server.databaseUrl, "alter table graphile_worker._private_tasks rename to away");
    try {
      await runner.start();
      const failed = () => lines.some(({ msg }) => msg.startsWith("Error occurred fetching jobs"));
      await eventually(failed, Boolean, 30_000);
    } finally {
      await query(server.databaseUrl, "alter table graphile_worker.away rename to _private_tasks");
    }
    await eventually(
      () => count,
      (done) => done === 1,
      30_000,
    );
    expect(lines.map(({ msg }) => msg)).to.include("the job runner ended; restarting it");
    await runner.stop();
  });
});
