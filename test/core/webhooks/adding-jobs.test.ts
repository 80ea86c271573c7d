import type { EntityManager } from "@mikro-orm/postgresql";
import { expect } from "chai";
import { sql } from "kysely";
import { kysely } from "../../../src/core/queries/database.ts";
import { SEND_WEBHOOKS, sendAt, sendNow } from "../../../src/core/webhooks/jobs/send-jobs.sql.ts";
import { query } from "../../support/database.ts";
import { useServer } from "../../support/server.ts";

const WAITING = 5_000;
const CALLS = 10;

describe("Adding a job", () => {
  const server = useServer({ own: "empties the queue of all shops" });
  const job = { shopId: "shop_1", endpointId: "whe_1" };
  const later = [{ endpointId: job.endpointId, runAt: new Date("2100-01-01T00:00:00Z") }];

  async function readSoFar(em: EntityManager): Promise<number> {
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_all_tables
      where relid = 'graphile_worker._private_jobs'::regclass`.execute(kysely(em));
    return rows[0]!.read;
  }

  const states: Record<string, string> = {
    "never analyzed": "alter table graphile_worker._private_jobs set (autovacuum_enabled = off)",
    "vacuumed while it was empty": "vacuum analyze graphile_worker._private_jobs",
  };
  for (const [state, statement] of Object.entries(states)) {
    it(`reads none of the waiting jobs when their table was ${state}`, async () => {
      await query(server.databaseUrl, statement);
      await server.em.transactional(async (em) => {
        // PostgreSQL may keep a plan for the empty table from the sixth call.
        for (let call = 0; call < CALLS; call += 1) {
          await sendNow(em, job);
          await sendAt(em, job.shopId, later);
        }
        await sql`insert into graphile_worker._private_jobs (task_id, key)
          select id, n from graphile_worker._private_tasks, generate_series(1, ${sql.lit(WAITING)}) n
          where identifier = ${SEND_WEBHOOKS}`.execute(kysely(em));
        const before = await readSoFar(em);
        await sendNow(em, job);
        await sendAt(em, job.shopId, later);
        expect((await readSoFar(em)) - before).to.be.below(WAITING / 10);
        await sql`delete from graphile_worker._private_jobs`.execute(kysely(em));
      });
    });
  }
});
