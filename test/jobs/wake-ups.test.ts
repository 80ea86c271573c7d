import { expect } from "chai";
import { projections } from "../../src/core/database.ts";
import type { WakeUp } from "../../src/core/webhooks/wake-endpoints.ts";
import { WakeUps } from "../../src/jobs/wake-ups.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { addJobs } from "../support/jobs.ts";
import { useServer } from "../support/server.ts";

describe("WakeUps", () => {
  const server = useServer();
  let woken: WakeUp[];
  let wakeUps: WakeUps;

  beforeEach(() => {
    woken = [];
    wakeUps = new WakeUps({
      database: projections(server.em),
      wake: (wakeUp) => woken.push(wakeUp),
      logger: createLogger("silent"),
    });
  });

  afterEach(() => wakeUps.stop());

  const jobs = () =>
    query<{ task: string }>(server.databaseUrl, "select task_identifier as task from graphile_worker.jobs order by id");
  const none = (rows: unknown[]) => rows.length === 0;

  it("takes all that wait, each once, also when it is asked twice", async () => {
    await addJobs(server.databaseUrl, "wake-endpoints", 2_500);
    wakeUps.takeAll([]);
    wakeUps.takeAll([]);
    await eventually(jobs, none);
    expect(woken).to.have.length(2_500);
    expect(new Set(woken.map(({ endpointIds: [id] }) => id)).size).to.equal(2_500);
    expect(woken[0]).to.have.all.keys("shopId", "endpointIds");
  });

  it("leaves other jobs, and those that a worker has fetched", async () => {
    await addJobs(server.databaseUrl, "forget-expired", 1);
    await addJobs(server.databaseUrl, "wake-endpoints", 1);
    await query(server.databaseUrl, "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker'");
    await addJobs(server.databaseUrl, "forget-old-events", 1);
    await addJobs(server.databaseUrl, "wake-endpoints", 1);
    wakeUps.takeAll([]);
    await eventually(jobs, (rows) => rows.length < 4);
    expect((await jobs()).map(({ task }) => task)).to.deep.equal([
      "forget-expired",
      "wake-endpoints",
      "forget-old-events",
    ]);
    expect(woken).to.have.length(1);
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs");
  });

  it("hears at once of those that were fetched, and ends one that is run only with all the others", async () => {
    await addJobs(server.databaseUrl, "wake-endpoints", 2_500);
    const fetched = { shopId: "shop", endpointIds: ["whe_fetched"] };
    wakeUps.takeAll([
      { task_identifier: "forget-expired", payload: {} },
      { task_identifier: "wake-endpoints", payload: fetched },
    ]);
    expect(woken).to.deep.equal([fetched]);
    await wakeUps.take(fetched);
    expect(await jobs()).to.deep.equal([]);
    expect(woken).to.have.length(2_502);
    await wakeUps.take(fetched);
    expect(woken).to.have.length(2_503);
  });

  it("leaves them where they are when they cannot be taken", async () => {
    await query(server.databaseUrl, "alter function graphile_worker.complete_jobs rename to gone");
    await addJobs(server.databaseUrl, "wake-endpoints", 1);
    wakeUps.takeAll([]);
    await wakeUps.stop();
    await query(server.databaseUrl, "alter function graphile_worker.gone rename to complete_jobs");
    expect(woken).to.deep.equal([]);
    expect(await jobs()).to.have.length(1);
  });
});
