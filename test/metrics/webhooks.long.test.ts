import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import { createApp } from "../../src/app.ts";
import { sendNow } from "../../src/core/webhooks/jobs/send-jobs.sql.ts";
import { createLogger } from "../../src/platform/telemetry/logger.ts";
import { testConfig } from "../support/config.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { OwnPostgres } from "../support/postgres/own-postgres.ts";
import { scrape, sumOf, useMetrics } from "../support/telemetry/scrape.ts";
import { useServer } from "../support/server.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { buildDelivery } from "../support/webhooks/deliveries.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

/** Figures of the database are read again after this time. Milliseconds. */
const FRESH = 5_000;
const HOUR = 3_600_000;

describe("Webhook metrics", () => {
  const postgres = new OwnPostgres();
  const encryptionKeys = [{ name: "metrics", key: randomBytes(32) }];
  const server = useServer({ worker: true, openDatabase: postgres.open, config: { encryptionKeys } });
  const metrics = useMetrics(server);
  const shop = useWebhookShop(server);
  const log = useStatementLog();
  const eventuallyReads = (name: string, labels: Record<string, string>, expected: number) =>
    eventually(
      () => metrics.read(name, labels),
      (value) => value === expected,
    );

  it("count attempts by outcome and error class, and their jobs", async () => {
    await shop.change(2);
    await eventuallyReads("webhook_attempts_total", { outcome: "succeeded", error_class: "" }, 2);
    shop.receiver.status = 500;
    await shop.change(1);
    await eventuallyReads("webhook_attempts_total", { outcome: "postponed", error_class: "HTTP_STATUS" }, 1);
    await shop.sendTest();
    await eventuallyReads("webhook_attempts_total", { outcome: "failed", error_class: "HTTP_STATUS" }, 1);
    expect(await metrics.read("webhook_attempt_duration_seconds_count")).to.equal(4);
    const jobs = { task: "send-webhooks", outcome: "done" };
    expect(await metrics.read("job_duration_seconds_count", jobs)).to.be.at.least(3);
    expect(await metrics.read("database_connections_limit", { pool: "jobs" })).to.equal(10);
  });

  it("count failed jobs", async () => {
    const addJob = () =>
      query(server.databaseUrl, "select graphile_worker.add_job('purge-expired', max_attempts => 1)");
    await addJob();
    await eventuallyReads("job_duration_seconds_count", { task: "purge-expired", outcome: "done" }, 1);
    await query(server.databaseUrl, "alter table idempotency_keys rename to hidden");
    try {
      await addJob();
      await eventuallyReads("job_duration_seconds_count", { task: "purge-expired", outcome: "failed" }, 1);
    } finally {
      await query(server.databaseUrl, "alter table hidden rename to idempotency_keys");
    }
  });

  it("include endpoints and the oldest due delivery by health", async () => {
    const age = (health: string) => metrics.read("webhook_oldest_due_seconds", { health });
    const { endpoint: failing } = await buildEndpoint(server, shop.shop, shop.receiver.url, ["order.paid"]);
    await query(
      server.databaseUrl,
      "update webhook_endpoints set consecutive_failures = 1, failing_since = now() where id = $1",
      [failing.id],
    );
    await shop.setEndpoint(
      "failing_since = now(), consecutive_failures = 10, failing_topics = '{\"product.created\": 12}', probe_at = now() + interval '1 hour'",
    );
    await shop.change(1);
    await shop.setDeliveries("next_attempt_at = now() - interval '1 hour'");
    await eventuallyReads("webhook_endpoints", { health: "SUSPENDED" }, 1);
    // It waits for an endpoint that is to be asked first.
    expect(await age("HEALTHY")).to.be.below(60);
    await buildDelivery(server.em, failing, { topic: "order.paid", nextAttemptAt: new Date(Date.now() - 2 * HOUR) });
    const release = shop.receiver.hold();
    try {
      await shop.setEndpoint("failing_since = null, consecutive_failures = 0, probe_at = null");
      await eventually(
        () => age("HEALTHY"),
        (seconds) => seconds! >= 3_600,
      );
      expect(await age("HEALTHY")).to.be.below(7_200);
      expect(await age("FAILING")).to.be.at.least(7_200);
      expect(await metrics.read("webhook_endpoints", { health: "SUSPENDED" })).to.equal(0);
    } finally {
      release();
    }
    await sendNow(server.em, { shopId: failing.shopId, endpointId: failing.id });
    await eventually(
      () => metrics.read("webhook_oldest_due_seconds"),
      (seconds) => seconds! < 60,
    );
  });

  it("include the events of pull endpoints that are not acknowledged", async () => {
    expect(await metrics.read("pull_waiting_events")).to.equal(0);
    expect(await metrics.read("pull_oldest_waiting_seconds")).to.equal(0);
    await shop.setEndpoint("pull_paused = false, paused = true");
    await shop.change(3);
    await query(server.databaseUrl, "update outstanding_deliveries set created_at = now() - interval '1 hour'");
    await eventuallyReads("pull_waiting_events", {}, 3);
    expect(await metrics.read("webhook_endpoints", { health: "PULL" })).to.equal(1);
    expect(await metrics.read("pull_oldest_waiting_seconds")).to.be.within(3_600, 3_700);
  });

  it("include the age of the oldest transaction with a snapshot", async () => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    try {
      await client.query("begin isolation level repeatable read");
      await client.query("select from shops");
      await eventually(
        () => metrics.read("database_oldest_snapshot_seconds"),
        (seconds) => seconds! >= 3,
      );
    } finally {
      await client.end();
    }
    await eventually(
      () => metrics.read("database_oldest_snapshot_seconds"),
      (seconds) => seconds! < 3,
    );
  });

  it("query the database once in five seconds", async () => {
    const { statements } = await log.during(async () => {
      await wait(FRESH);
      for (let time = 0; time < 10; time += 1) await Promise.all([metrics.scrape(), metrics.scrape()]);
    });
    expect(statements.filter((text) => text.includes('as "oldestDue"'))).to.have.length.within(1, 3);
  });

  it("of a worker exclude requests", async () => {
    const app = createApp({ ...testConfig(server.databaseUrl), encryptionKeys }, createLogger("silent"));
    const worker = await app.startWorker();
    const page = await app.startMetrics({ host: "127.0.0.1", port: 0 });
    try {
      const samples = await scrape(`http://127.0.0.1:${page.port}`);
      expect(sumOf(samples, "ready")).to.equal(1);
      expect(sumOf(samples, "webhook_oldest_due_seconds")).to.be.a("number");
      expect(samples.filter(({ name }) => /^merchant_api_(request|graphql)/.test(name))).to.deep.equal([]);
    } finally {
      await page.stop();
      await worker.stop();
      await app.close();
    }
  });

  it("are available without the database, except those it provides", async () => {
    await postgres.crash("IMMEDIATE");
    try {
      await eventually(
        () => metrics.scrape(),
        (samples) => sumOf(samples, "webhook_endpoints") === undefined && sumOf(samples, "ready") === 0,
      );
      expect(await metrics.read("webhook_oldest_due_seconds")).to.equal(undefined);
      expect(await metrics.read("webhook_attempts_total")).to.be.at.least(4);
    } finally {
      await postgres.start();
    }
    await eventuallyReads("ready", {}, 1);
    await eventually(
      () => metrics.read("webhook_endpoints"),
      (count) => count !== undefined,
    );
  });
});
