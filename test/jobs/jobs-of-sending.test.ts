import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { SEND_WEBHOOKS, sendAt, type SendJob } from "../../src/core/webhooks/jobs/send-jobs.sql.ts";
import { JobRunner } from "../../src/jobs/job-runner.ts";
import { findLostDeliveries } from "../../src/jobs/sending/find-lost-deliveries.sql.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { madeDeliveries } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useWebhookShop, type WebhookShop } from "../support/webhooks/webhook-shop.ts";

interface JobRow {
  /** Seconds until its time. */
  wait: number;
  run_at: Date;
  locked_at: Date | null;
}

const jobsOf = (shop: WebhookShop) =>
  shop.sql<JobRow>(
    `select extract(epoch from run_at - now())::float8 as wait, run_at, locked_at from graphile_worker._private_jobs
    where payload->>'shopId' = $1 and payload->>'endpointId' = $2 order by run_at, id`,
    shop.endpointId,
  );

describe("A change that makes a delivery due", () => {
  const shop = useWebhookShop();
  const { server } = shop;
  const forget = () => shop.sql("delete from graphile_worker._private_jobs where payload->>'shopId' = $1");
  /** The number of jobs that an action adds and that are to be run at once. */
  const added = async (action: () => Promise<unknown>) => {
    await forget();
    await action();
    return (await jobsOf(shop)).filter(({ wait: seconds }) => seconds <= 0).length;
  };
  const failAll = () =>
    shop.sql("update outstanding_deliveries set status = 'FAILED', next_attempt_at = null where shop_id = $1");
  const setPaused = (paused: boolean) => shop.run("updateWebhookEndpoint", { id: shop.endpointId, input: { paused } });

  it("adds a job: an event, a test, a replay, a resumed or deleted endpoint", async () => {
    expect(await added(() => shop.change(1))).to.equal(1);
    expect(await added(() => shop.sendTest())).to.equal(1);
    await failAll();
    const delivery = (await shop.deliveries()).find((row) => !row.is_test);
    expect(await added(() => shop.replay(delivery!.id))).to.equal(1);
    await failAll();
    expect(await added(() => shop.replayFailed())).to.equal(1);
    await setPaused(true);
    expect(await added(() => shop.change(1)), "what a paused endpoint is to hear").to.equal(0);
    expect(await added(() => setPaused(false))).to.equal(1);
    expect(await added(() => shop.send("deleteWebhookEndpoint", { id: shop.endpointId }))).to.equal(1);
  });

  it("adds one job per later time, however often it is requested", async () => {
    await forget();
    const { endpointId } = shop;
    const [soon, later] = [60_000, 120_000].map((delay) => ({ endpointId, runAt: new Date(Date.now() + delay) }));
    const now = { endpointId, runAt: null };
    await sendAt(server.em, shop.shop.id, [soon!, later!, soon!]);
    await sendAt(server.em, shop.shop.id, [later!, now]);
    await sendAt(server.em, shop.shop.id, [now]);
    const waits = (await jobsOf(shop)).map(({ wait: seconds }) => Math.ceil(seconds / 60) * 60 + 0);
    expect(waits).to.deep.equal([0, 0, 60, 120]);
  });

  it("adds jobs for each second of a paced replay", async () => {
    await shop.change(1);
    await shop.sql(
      `with ${madeDeliveries(
        "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at",
        `select shop_id, 'whd_' || lpad(place::text, 26, '0'), event_id, endpoint_id, topic, 'FAILED', 1, created_at
        from deliveries cross join generate_series(1, 200) as place where shop_id = $1`,
      )} select`,
    );
    await forget();
    await shop.replayFailed();
    expect((await jobsOf(shop)).map(({ wait: seconds }) => Math.round(seconds) + 0)).to.deep.equal([0, 1, 2, 3, 4]);
  });
});

describe("A failed attempt", () => {
  const shop = useWebhookShop({ worker: true });
  const waiting = async () => (await jobsOf(shop)).filter(({ locked_at: lockedAt }) => lockedAt === null);

  it("adds the job of the next attempt, with its time", async () => {
    shop.receiver.status = 500;
    await shop.change(1);
    const [delivery] = await eventually(shop.deliveries, (rows) => rows[0]?.attempts === 1);
    const jobs = await eventually(waiting, (rows) => rows.length === 1);
    expect(jobs[0]!.run_at).to.deep.equal(delivery!.next_attempt_at);
  });

  it("adds the job of the probe when it opens the circuit, and when it was a probe", async () => {
    const isIn = (at: Date, seconds: number, since: number) =>
      expect(at.getTime()).to.be.within(since + (seconds / 2) * 1_000, Date.now() + (seconds * 1.5 + 1) * 1_000);
    shop.receiver.status = 500;
    await shop.setEndpoint(
      "consecutive_failures = 9, failing_topics = '{\"product.created\": 9}', failing_since = now()",
    );
    const failedAt = Date.now();
    await shop.change(1);
    const { probe_at: probeAt } = await eventually(shop.endpoint, (row) => row.probe_at !== null);
    isIn(probeAt!, 30, failedAt);
    const jobs = await eventually(waiting, (rows) => rows.length === 2);
    expect(jobs[1]!.run_at).to.deep.equal(probeAt);
    await shop.setDeliveries("next_attempt_at = now()");
    const probedAt = Date.now();
    await shop.setEndpoint("failing_topics = '{\"product.created\": 12}', probe_at = now()");
    await eventually(shop.endpoint, (row) => row.failed_probes === 1);
    isIn((await waiting()).at(-1)!.run_at, 60, probedAt);
  });
});

describe("A stopped worker", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  it("finishes its attempts, starts no more, and leaves a job for the rest", async () => {
    const answer = shop.receiver.hold();
    const worker = await server.app.startWorker();
    await shop.change(30);
    await eventually(
      () => shop.receiver.received.length,
      (count) => count === 20,
    );
    const stopped = worker.stop();
    await wait(500);
    answer();
    await stopped;
    expect(shop.receiver.received).to.have.length(20);
    const statuses = (await shop.deliveries()).map(({ status }) => status).toSorted();
    expect(statuses).to.deep.equal([...Array(10).fill("PENDING"), ...Array(20).fill("SUCCEEDED")]);
    const jobs = await jobsOf(shop);
    expect(jobs.filter(({ locked_at: lockedAt }) => lockedAt === null)).to.have.length.greaterThan(0);
    const next = await server.app.startWorker();
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "SUCCEEDED")).finally(next.stop);
    expect(shop.receiver.received).to.have.length(30);
  });
});

describe("Without the task that sends webhooks", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  it("nothing is sent, although all jobs run", async () => {
    const ran: SendJob[] = [];
    const runner = new JobRunner({
      url: server.databaseUrl,
      tasks: { [SEND_WEBHOOKS]: (payload) => void ran.push(payload as SendJob) },
      crons: [],
      onStart: () => undefined,
      logger: createLogger("silent"),
      metrics: new Metrics(),
    });
    await runner.start();
    try {
      await shop.change(5);
      await eventually(
        () => ran.length,
        (count) => count === 5,
      );
      await wait(1_500);
    } finally {
      await runner.stop();
    }
    expect(shop.receiver.received).to.deep.equal([]);
    expect((await shop.deliveries()).map(({ status }) => status)).to.deep.equal(Array(5).fill("PENDING"));
  });
});

describe("A due delivery without a job", () => {
  const shop = useWebhookShop();
  const { server } = shop;
  const { logger, lines } = collectLines("error");
  const find = async () => {
    lines.length = 0;
    await findLostDeliveries(server.em, logger, new AbortController().signal);
    return lines;
  };
  const makeDue = () =>
    shop.sql("update outstanding_deliveries set next_attempt_at = now() - interval '2 minutes' where shop_id = $1");
  const loseJobs = () => shop.sql("delete from graphile_worker._private_jobs where payload->>'shopId' = $1");

  it("is logged as an error and gets a job", async () => {
    await shop.change(2);
    await makeDue();
    await loseJobs();
    expect(await find()).to.have.length(1);
    expect(lines[0]).to.include({ level: 50, shopId: shop.shop.id, endpointId: shop.endpointId });
    expect(await jobsOf(shop)).to.have.length(1);
    expect(await find(), "it has one now").to.deep.equal([]);
  });

  it("is not one that waits for its job, its endpoint or its time", async () => {
    await shop.change(2);
    await makeDue();
    expect(await find(), "a job waits").to.deep.equal([]);
    await loseJobs();
    for (const [state, well] of [
      ["paused = true", "paused = false"],
      ["failing_topics = '{\"product.created\": 12}', probe_at = now() + interval '1 minute'", "probe_at = null"],
      ["disabled_at = now(), disabled_reason = 'GONE'", "disabled_at = null, disabled_reason = null"],
    ] as const) {
      await shop.setEndpoint(state);
      await loseJobs();
      expect(await find(), state).to.deep.equal([]);
      await shop.setEndpoint(well);
      await loseJobs();
    }
    await shop.sql("update outstanding_deliveries set next_attempt_at = now() where shop_id = $1");
    expect(await find(), "just now").to.deep.equal([]);
  });
});
