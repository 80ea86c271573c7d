import { expect } from "chai";
import { firstIdOf } from "../../src/core/model/ids.ts";
import { purgeExpired } from "../../src/jobs/retention/purge-expired.sql.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildStaff } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";

const OLD = new Date(Date.now() - 31 * 86_400_000);

describe("Expired idempotency keys, sessions, pending second factors and old signing secrets", () => {
  const { server, shop } = useWorld({ own: "deletes the expired rows of all shops" });

  const accountId = (name: string) => `stf_${name}`.padEnd(30, "0");
  const run = (statement: string, values: unknown[] = []) => query(server.databaseUrl, statement, values);

  it("are deleted by the worker, with events and requests from 30 days ago", async () => {
    await run(
      `insert into events (shop_id, id, topic, body, created_at) values ($1, $2, 'product.created', '{}', $3)`,
      [shop.id, firstIdOf("evt", OLD), OLD],
    );
    await run(
      `insert into api_requests (shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms, created_at)
       values ($1, $2, '', '', 'GET', '/products', '/products', 200, 1, $3)`,
      [shop.id, firstIdOf("req", OLD), OLD],
    );
    await run(
      `insert into hourly_requests (shop_id, hour, requests, client_errors, server_errors)
       select $1, now() - age, 1, 0, 0 from unnest(array[interval '31 days', interval '29 days']) as age`,
      [shop.id],
    );
    const staff = await buildStaff(server.em, shop);
    await run(
      `insert into idempotency_keys (shop_id, caller_id, key, fingerprint, result, created_at)
       select $1, 'key_1', key, '', '{}', now() - age from (values ('old', interval '25 hours'), ('young', interval '23 hours'))
       as keys (key, age)`,
      [shop.id],
    );
    await run(
      `insert into sessions (id, token_digest, staff_id, created_at, last_seen_at, expires_at)
       select rpad('ses_' || id, 30, '0'), id::bytea, $1, now(), now(), now() + age
       from (values ('over', interval '-1 minute'), ('valid', interval '1 minute')) as sessions (id, age)`,
      [staff.id],
    );
    await run(
      `insert into staff (id, email, password_hash, created_at) select id, id, '', now() from unnest($1::text[]) id`,
      [["over", "pending", "on"].map(accountId)],
    );
    await run(
      `insert into second_factors (staff_id, sealed_secret, expires_at)
       values ($1, '', now()), ($2, '', now() + interval '1 minute'), ($3, '', null)`,
      ["over", "pending", "on"].map(accountId),
    );
    await run(
      `insert into webhook_endpoints
         (shop_id, id, url, topics, sealed_secret, sealed_old_secret, old_secret_expires_at, created_at, updated_at)
       select $1, rpad('whe_' || id, 30, '0'), '', '{}', 'new', 'old', now() + age, now(), now()
       from (values ('over', interval '-1 minute'), ('valid', interval '1 minute')) as endpoints (id, age)`,
      [shop.id],
    );
    await run(
      `insert into imports (shop_id, id, kind, state, file_name, file_size, actor, created_at, started_at, ended_at)
       select $1, rpad('imp_' || id, 30, '0'), 'PRODUCTS', state, '', 1, '{}', now() - age, started, ended
       from (values ('unused', 'CHECKED', interval '25 hours', null::timestamptz, null::timestamptz),
         ('ended', 'FINISHED', interval '99 days', now() - interval '26 hours', now() - interval '25 hours'),
         ('recent', 'FINISHED', interval '26 hours', now() - interval '26 hours', now() - interval '23 hours')
       ) as imports (id, state, age, started, ended)`,
      [shop.id],
    );
    await run(
      `with chunks as (
         insert into import_chunks (shop_id, import_id, number, data) select $1, rpad('imp_unused', 30, '0'), 0, ''
       )
       insert into import_items (shop_id, import_id, number, first_row, last_row, input, problems)
       select shop_id, id, 1, 2, 2, '{}', '[]' from imports where shop_id = $1`,
      [shop.id],
    );
    const worker = await server.app.startWorker();
    try {
      await run("select graphile_worker.add_job(task) from unnest($1::text[]) task", [
        ["purge-events", "purge-expired", "purge-requests"],
      ]);
      await eventually(
        () => run("select 1 from graphile_worker.jobs where task_identifier like 'purge-%'"),
        (rows) => rows.length === 0,
      );
    } finally {
      await worker.stop();
    }
    const imports = await run(
      "select imports.id, number from imports left join import_items on import_id = imports.id order by imports.id",
    );
    expect(imports).to.deep.equal([
      { id: "imp_ended".padEnd(30, "0"), number: null },
      { id: "imp_recent".padEnd(30, "0"), number: 1 },
    ]);
    expect(await run("select from import_chunks")).to.deep.equal([]);
    expect(await run("select from hourly_requests where hour < now() - interval '30 days'")).to.deep.equal([]);
    expect(await run("select from hourly_requests")).to.have.length(1);
    for (const table of ["events", "api_requests"]) expect(await run(`select from ${table}`)).to.deep.equal([]);
    expect(await run("select key from idempotency_keys")).to.deep.equal([{ key: "young" }]);
    expect(await run("select rtrim(id, '0') as id from sessions")).to.deep.equal([{ id: "ses_valid" }]);
    expect(await run("select staff_id from second_factors order by staff_id")).to.deep.equal([
      { staff_id: accountId("on") },
      { staff_id: accountId("pending") },
    ]);
    const endpoints =
      "select rtrim(id, '0') as id, sealed_old_secret from webhook_endpoints where sealed_secret = 'new' order by id";
    expect(await run(endpoints)).to.deep.equal([
      { id: "whe_over", sealed_old_secret: null },
      { id: "whe_valid", sealed_old_secret: "old" },
    ]);
  });

  it("are deleted in batches, with two workers at once", async () => {
    await run(
      `insert into idempotency_keys (shop_id, caller_id, key, fingerprint, result, created_at)
       select $1, 'key_1', number, '', '{}', now() - interval '2 days' from generate_series(1, 12000) number`,
      [shop.id],
    );
    await Promise.all([1, 2].map(() => purgeExpired(server.em.fork(), new AbortController().signal)));
    expect(await run("select 1 from idempotency_keys where shop_id = $1", [shop.id])).to.deep.equal([]);
  });
});
