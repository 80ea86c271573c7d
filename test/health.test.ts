import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { migrations } from "../migrations/index.ts";
import { pino } from "pino";
import { createApp } from "../src/app.ts";
import { createLogger } from "../src/platform/telemetry/logger.ts";
import { JOB_QUEUE_VERSION } from "../src/platform/postgres/schema-version.ts";
import { describe as describeFinding } from "../src/health/check.ts";
import { createKeyCheck, createReadiness } from "../src/health/readiness.ts";
import { testConfig } from "./support/config.ts";
import { query } from "./support/database.ts";
import { eventually } from "./support/eventually.ts";
import { buildEndpoint, buildKey, buildShop } from "./support/factories.ts";
import { OwnPostgres } from "./support/postgres/own-postgres.ts";
import { collectLines } from "./support/telemetry/log-lines.ts";
import { useServer } from "./support/server.ts";
import { version } from "../src/platform/version.ts";

const READINESS = ["/readyz", "/health"];

async function probe(url: string, path: string) {
  const response = await fetch(url + path);
  return { status: response.status, body: await response.json() };
}

const ready = { status: 200, body: { status: "ok" } };
const alive = { status: 200, body: { status: "ok", version } };
const notReady = (...parts: string[]) => ({ status: 503, body: { status: "unavailable", notReady: parts } });

/** Waits until readiness, which is remembered for a moment, is as expected, and expects it of both paths. */
async function expectReadiness(url: string, expected: object): Promise<void> {
  const isExpected = (answer: unknown) => JSON.stringify(answer) === JSON.stringify(expected);
  for (const path of READINESS) await eventually(() => probe(url, path), isExpected, 15_000);
}

describe("Health", () => {
  const postgres = new OwnPostgres();
  const { logger, lines } = collectLines();
  const server = useServer({ openDatabase: postgres.open, logger });
  const run = (statement: string) => query(server.databaseUrl, statement);
  const changesOfReadiness = () => lines.filter(({ msg }) => msg.includes("ready"));

  beforeEach(() => {
    lines.length = 0;
  });

  it("answers GET and HEAD without caching", async () => {
    for (const path of ["/livez", ...READINESS]) {
      expect(await probe(server.url, path)).to.deep.equal(path === "/livez" ? alive : ready);
      const head = await fetch(server.url + path, { method: "HEAD" });
      expect([head.status, await head.text(), head.headers.get("cache-control")]).to.deep.equal([200, "", "no-store"]);
      const post = await fetch(server.url + path, { method: "POST" });
      expect([post.status, post.headers.get("allow")]).to.deep.equal([405, "GET, HEAD"]);
    }
  });

  it("is not ready on a schema that lacks a migration, and is on a newer one", async () => {
    const { name } = migrations.at(-1)!;
    await run(`update migrations set name = 'a-later-one' where name = '${name}'`);
    await expectReadiness(server.url, notReady("schema"));
    expect(await probe(server.url, "/livez")).to.deep.equal(alive);
    expect(changesOfReadiness().at(-1)!.problems).to.deep.equal([
      `The database lacks ${name}. Run: merchant-api migrate`,
    ]);
    await run(`insert into migrations (name) values ('${name}')`);
    await expectReadiness(server.url, ready);
  });

  it("is not ready on an older job schema", async () => {
    const [row] = await query<{ id: number }>(
      server.databaseUrl,
      "select max(id) as id from graphile_worker.migrations",
    );
    expect(row!.id, "the version that the installed graphile-worker brings").to.equal(JOB_QUEUE_VERSION);
    await run(`update graphile_worker.migrations set id = -1 where id = ${JOB_QUEUE_VERSION}`);
    await expectReadiness(server.url, notReady("schema"));
    await run(`update graphile_worker.migrations set id = ${JOB_QUEUE_VERSION} where id = -1`);
    await expectReadiness(server.url, ready);
  });

  it("is not ready while an encryption key in use is missing or different", async () => {
    await buildEndpoint(server, await buildShop(server.em), "http://127.0.0.1:4400/webhooks");
    for (const [name, message] of [
      ["test", /^The key test in ENCRYPTION_KEYS is not the key/],
      ["other", /^ENCRYPTION_KEYS lacks the key test,/],
    ] as const) {
      const encryptionKeys = [{ name, key: randomBytes(32) }];
      const app = createApp({ ...testConfig(server.databaseUrl), encryptionKeys }, createLogger("silent"));
      const health = await app.startHealth(0);
      try {
        await expectReadiness(`http://127.0.0.1:${health.port}`, notReady("encryption keys"));
        expect((await app.findProblems()).map(describeFinding))
          .to.have.length(1)
          .and.to.match(message);
      } finally {
        await health.stop();
        await app.close();
      }
    }
    await expectReadiness(server.url, ready);
  });

  it("is live but not ready without the database, with one log line", async () => {
    await postgres.crash("IMMEDIATE");
    await expectReadiness(server.url, notReady("database"));
    for (let second = 0; second < 3; second += 1) {
      const probes = Array.from({ length: 20 }, () => probe(server.url, "/readyz"));
      for (const answer of await Promise.all(probes)) expect(answer).to.deep.equal(notReady("database"));
      expect(await probe(server.url, "/livez")).to.deep.equal(alive);
      await wait(1_000);
    }
    const errors = lines.filter(({ level }) => level >= pino.levels.values.error!);
    expect(errors.map(({ msg }) => msg)).to.deep.equal(["not ready"]);
    await postgres.start();
    await expectReadiness(server.url, ready);
    expect(changesOfReadiness().map(({ msg }) => msg)).to.deep.equal(["not ready", "ready again"]);
  });

  it("logs one sentence a second for requests without the database, not a stack for each", async () => {
    const headers = { Authorization: `Bearer ${await buildKey(server.em, await buildShop(server.em))}` };
    await postgres.crash("IMMEDIATE");
    const paths = Array.from({ length: 20 }, (_, index) => `/api/v1/shop_${index}/products`);
    const answers = await Promise.all(paths.map((path) => fetch(server.url + path, { headers })));
    expect(answers.map(({ status }) => status)).to.deep.equal(paths.map(() => 503));
    const failures = lines.filter(({ msg }) => msg.includes("request failed"));
    expect(failures.length).to.be.within(1, 5);
    for (const failure of failures) {
      expect(failure.msg).to.equal("request failed, because PostgreSQL is unavailable");
      expect(failure.reason).to.be.a("string");
      expect(failure).not.to.have.property("err");
    }
    await postgres.start();
    await expectReadiness(server.url, ready);
  });

  it("stays ready while a node of a cluster is down or hangs, which the check of keys reads", async () => {
    const answers = [
      () => Promise.reject(new Error("Connection terminated")),
      () => new Promise<never>(() => undefined),
    ];
    const checkKeys = createKeyCheck(() => answers.shift()!());
    for (const _ of [1, 2]) expect(await checkKeys()).to.deep.equal([]);
    expect(answers).to.deep.equal([]);
  });

  it("is not ready while the database hangs, and sends it no more queries", async () => {
    let asked = 0;
    const hang = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const findProblems = createReadiness(hang, createLogger("silent"));
    for (const _ of [1, 2]) {
      const answers = await Promise.all([findProblems(), findProblems()]);
      expect(answers.flat().map(({ part }) => part)).to.deep.equal(["database", "database"]);
    }
    expect(asked).to.equal(1);
  });
});
