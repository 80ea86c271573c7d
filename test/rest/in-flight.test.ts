import { expect } from "chai";
import pg from "pg";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { generateApiKeySecret, generateSecret } from "../../src/core/credentials/secret.ts";
import { kysely, query } from "../../src/core/queries/database.ts";
import { generateToken } from "../../src/core/staff/accounts/token.ts";
import { call, type Answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop } from "../support/factories.ts";
import { askGraphql } from "../support/graphql.ts";
import { expectShown } from "../support/requests/openapi-examples.ts";
import { useServer } from "../support/server.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { lockWaits } from "../support/postgres/lock-waits.ts";

const MOST_EACH = 60;

describe("Requests of a shop over its share", () => {
  const server = useServer();
  let busy: Shop;
  let key: string;
  let blocker: pg.Client;

  beforeEach("make what the shop asks for wait", async () => {
    busy = await buildShop(server.em);
    key = await buildKey(server.em, busy);
    // Until a key is known, its requests are anonymous.
    await list();
    blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
  });

  afterEach(() => blocker.end());

  const list = (parameters = "") => call(server, "GET", `/${busy.id}/products${parameters}`, { key });
  const blocked = () => lockWaits(server.databaseUrl, "%products%");

  it("are refused immediately, and admitted ones wait their turn", async () => {
    const answers: Answer[] = [];
    const all = Array.from({ length: MOST_EACH + 5 }, async () => answers.push(await list()));
    await eventually(
      () => answers.length,
      (count) => count === 5,
    );
    for (const { status, headers, json } of answers) {
      expect(status).to.equal(503);
      expect(headers.get("retry-after")).to.equal("1");
      expect(json).to.deep.equal({ error: "Too many requests at once", hint: "Retry shortly." });
    }
    await expectShown(server, 503, answers[0]!.json);
    await blocker.query("rollback");
    await Promise.all(all);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(MOST_EACH);
    expect((await list()).status).to.equal(200);
  });

  it("leave database connections for others", async () => {
    const other = await buildShop(server.em);
    const otherKey = await buildKey(server.em, other);
    const waiting = Array.from({ length: MOST_EACH }, () => list());
    await eventually(blocked, (count) => count > 0);
    const { status } = await call(server, "GET", `/${other.id}/orders`, { key: otherKey });
    expect(status).to.equal(200);
    expect(await blocked()).to.equal(3);
    await blocker.query("rollback");
    await Promise.all(waiting);
  });

  for (const [what, parameters] of Object.entries({ searches: "?search=mug", "pages far away": "?page=6&limit=250" })) {
    it(`run one after another: ${what}`, async () => {
      const other = await buildShop(server.em);
      const otherKey = await buildKey(server.em, other);
      const waiting = Array.from({ length: 10 }, () => list(parameters));
      await eventually(blocked, (count) => count === 1);
      // Its answer comes after all that would have begun beside the first.
      expect((await call(server, "GET", `/${other.id}/orders`, { key: otherKey })).status).to.equal(200);
      expect(await blocked()).to.equal(1);
      await blocker.query("rollback");
      for (const { status } of await Promise.all(waiting)) expect(status).to.equal(200);
    });
  }
});

describe("A statement", () => {
  const server = useServer();
  const log = useStatementLog();

  it("of a request may take two seconds, and one of the service five", async () => {
    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    const ask = () => call(server, "GET", `/${shop.id}/products`, { key });
    expect((await log.during(ask)).timeouts).to.deep.equal(new Set([2_000]));
    const own = () => query(kysely(server.em), { text: "select 1" }, []);
    expect((await log.during(own)).timeouts).to.deep.equal(new Set([5_000]));
  });
});

describe("Requests with unknown credentials", () => {
  const server = useServer();
  const log = useStatementLog();

  it("query the database once per key, and never for a mistyped one", async () => {
    const shop = await buildShop(server.em);
    const guess = generateApiKeySecret();
    const { statements } = await log.during(async () => {
      for (const key of [guess, guess, guess, `${guess}x`]) {
        expect((await call(server, "GET", `/${shop.id}/products`, { key })).status).to.equal(401);
      }
    });
    expect(statements.filter((text) => text.includes("api_keys"))).to.have.length(1);
  });

  it("query it once per service token and session", async () => {
    const asked = {
      service_tokens: { authorization: `Bearer ${generateSecret("svt_")}` },
      sessions: { cookie: `session=${generateToken()}` },
    };
    for (const [table, headers] of Object.entries(asked)) {
      const { statements } = await log.during(async () => {
        for (const _ of [1, 2, 3]) {
          expect((await askGraphql(server, "{ viewer { name } }", {}, headers)).data?.viewer ?? null).to.equal(null);
        }
      });
      expect(statements.filter((text) => text.includes(table))).to.have.length(1);
    }
  });
});
