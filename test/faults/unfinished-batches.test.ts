import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { JobRunner } from "../../src/jobs/job-runner.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { addJobs } from "../support/webhooks/deliveries.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useServer } from "../support/server.ts";

const refuseSlowly = `
  create function refuse_slowly() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1); raise exception 'not now'; end $$;
  create trigger refuse before delete on graphile_worker._private_jobs
    for each row execute function refuse_slowly()`;

describe("A job runner that fails to record two batches of finished jobs", function () {
  this.timeout(90_000);
  const server = useServer();
  let runner: JobRunner;

  afterEach(() => runner.stop());

  it("is restarted and runs new jobs", async () => {
    const { logger, lines } = collectLines("warn");
    const done: unknown[] = [];
    const failures = () => lines.filter(({ msg }) => msg.startsWith("Failed to complete jobs"));
    const haveFailed = () => eventually(failures, ({ length }) => length === 2);
    runner = new JobRunner({
      url: server.databaseUrl,
      tasks: {
        "send-webhooks": async (job): Promise<void> => {
          const count = done.push(job);
          // Two are done apart by more than a batch's time, and less than writing one down takes. One goes on meanwhile.
          if (count !== 3) return wait(count * 200);
          await haveFailed();
          throw new Error("not done");
        },
      },
      crons: [],
      onStart: () => undefined,
      logger,
      metrics: new Metrics(),
    });
    await query(server.databaseUrl, refuseSlowly);
    await addJobs(server.databaseUrl, "send-webhooks", 3);
    await runner.start();
    await haveFailed();
    await query(server.databaseUrl, "drop function refuse_slowly cascade");
    await addJobs(server.databaseUrl, "send-webhooks", 1);
    await eventually(
      () => done.length,
      (count) => count > 3,
    );
    expect(lines.map(({ msg }) => msg)).to.include("the job runner ended; restarting it");
  });
});
