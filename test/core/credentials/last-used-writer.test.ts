import { expect } from "chai";
import { createApp } from "../../../src/app.ts";
import { LastUsedWriter } from "../../../src/core/credentials/last-used-writer.sql.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { testConfig } from "../../support/config.ts";
import { query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { askGraphql } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

const TABLES = ["api_keys", "service_tokens"] as const;

describe("The last use of a credential", () => {
  const world = useWorld({ own: "counts what is written for all shops" });
  const { server, shop } = world;

  const run = <Row>(statement: string, values: unknown[] = []) => query<Row>(server.databaseUrl, statement, values);
  const lastUsed = async (table: (typeof TABLES)[number]) =>
    (
      await run<{ id: string; at: Date | null }>(`select id, last_used_at as at from ${table} where shop_id = $1`, [
        shop.id,
      ])
    )[0]!;

  before(async () => {
    await run("create table writes (at timestamptz default now())");
    await run(`create function record_write() returns trigger language plpgsql as $$
      begin insert into writes default values; return null; end $$`);
    for (const table of TABLES) {
      await run(
        `create trigger record_write after update on ${table} for each statement execute function record_write()`,
      );
    }
  });

  beforeEach(async () => {
    await world.key();
    await run("truncate writes");
  });

  it("is written once for many requests, and finally when the server stops", async () => {
    const app = createApp(testConfig(server.databaseUrl), createLogger("silent"));
    const api = await app.startApi();
    const since = new Date();
    try {
      const url = `http://127.0.0.1:${api.port}`;
      const { secret } = await world.run("createServiceToken", {
        input: { name: "POS", permissions: ["READ_ORDERS"] },
      });
      const requests = Array.from({ length: 30 }, async () => {
        const read = await fetch(`${url}/api/v1/${shop.id}/products`, {
          headers: { authorization: `Bearer ${await world.key()}` },
        });
        expect(read.status).to.equal(200);
        const authorization = `Bearer ${secret}`;
        const { errors } = await askGraphql({ ...server, url }, "{ viewer { id } }", {}, { authorization });
        expect(errors).to.deep.equal([]);
      });
      await Promise.all(requests);
      expect(await run("select 1 from writes")).to.deep.equal([]);
    } finally {
      await api.stop();
      await app.close();
    }
    expect(await run("select 1 from writes")).to.have.length(2);
    for (const table of TABLES) {
      expect((await lastUsed(table)).at!.getTime()).to.be.within(since.getTime(), Date.now());
    }
  });

  it("is not recorded for refused requests", async () => {
    const app = createApp(testConfig(server.databaseUrl), createLogger("silent"));
    const api = await app.startApi();
    await run("update api_keys set revoked_at = now() where shop_id = $1", [shop.id]);
    const headers = { authorization: `Bearer ${await world.key()}` };
    expect((await fetch(`http://127.0.0.1:${api.port}/api/v1/${shop.id}/products`, { headers })).status).to.equal(401);
    await api.stop();
    await app.close();
    expect((await lastUsed("api_keys")).at).to.equal(null);
  });

  describe("in memory", () => {
    let uses: LastUsedWriter;
    let warnings: unknown[];

    function open(interval: number): void {
      warnings = [];
      const logger = createLogger("silent");
      logger.warn = ((fields: unknown) => warnings.push(fields)) as typeof logger.warn;
      uses = new LastUsedWriter({ database: kysely(server.em), logger, interval });
      uses.start();
    }

    it("never decreases", async () => {
      open(60_000);
      const { id } = await lastUsed("api_keys");
      await run("update api_keys set last_used_at = '2100-01-01' where id = $1", [id]);
      uses.record("api_keys", shop.id, id);
      await uses.stop();
      expect((await lastUsed("api_keys")).at!.toISOString()).to.equal("2100-01-01T00:00:00.000Z");
    });

    it("is written later after a failure", async () => {
      open(50);
      const { id } = await lastUsed("api_keys");
      await run("create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$");
      await run("create trigger fail before update on api_keys for each row execute function fail()");
      const now = async () => (await run<{ at: Date }>("select now() as at"))[0]!.at.getTime();
      const before = await now();
      uses.record("api_keys", shop.id, id);
      await eventually(
        () => warnings,
        (all) => all.length >= 2,
      );
      // It was used before that, and is written after it.
      const after = await now();
      await run("drop function fail cascade");
      await eventually(
        () => lastUsed("api_keys"),
        (found) => found.at !== null,
      );
      await uses.stop();
      expect((await lastUsed("api_keys")).at!.getTime()).to.be.within(before, after);
    });
  });
});
