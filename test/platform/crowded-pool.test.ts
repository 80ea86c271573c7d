import { expect } from "chai";
import { Kysely, sql } from "kysely";
import pg from "pg";
import { runVisit, Visit } from "../../src/platform/fairness/visit.ts";
import { FairDialect } from "../../src/platform/postgres/driver/fair-dialect.ts";
import { Metrics } from "../../src/platform/telemetry/metrics.ts";
import { useServer } from "../support/server.ts";

describe("A pool whose process has a busy event loop", () => {
  const server = useServer();
  let database: Kysely<unknown>;
  let burning: NodeJS.Timeout;
  /** The most connections that were used at a time. */
  let most: number;

  beforeEach(() => {
    const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 10 });
    database = new Kysely({ dialect: new FairDialect(pool, new Metrics()) });
    most = 0;
    pool.on("acquire", () => (most = Math.max(most, pool.totalCount - pool.idleCount)));
    burning = setInterval(() => burn(5), 1);
    burn(150);
  });

  afterEach(async () => {
    clearInterval(burning);
    await database.destroy();
  });

  const burn = (duration: number) => {
    const end = performance.now() + duration;
    while (performance.now() < end);
  };

  const ask = (tenant: string, places = 1) =>
    runVisit(Object.assign(new Visit(tenant), { places }), () => sql`select pg_sleep(0.02)`.execute(database));
  const askOften = () => Promise.all(Array.from({ length: 8 }, () => ask("greedy")));

  it("gives a tenant four connections at a time while it is alone", async () => {
    await askOften();
    expect(most).to.equal(4);
  });

  it("counts nobody as here whose work has not begun", async () => {
    await ask("a stranger's address", 0);
    await askOften();
    expect(most).to.equal(4);
  });

  it("gives a tenant one connection at a time while another is here", async () => {
    await ask("calm");
    await askOften();
    expect(most).to.equal(1);
  });
});
