import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { createApiKey, rotateApiKey } from "../../src/core/credentials/api-keys/api-keys.ts";
import { apiKeys, serviceTokens } from "../../src/core/credentials/credential-kind.ts";
import { revokeCredential } from "../../src/core/credentials/credentials.ts";
import { createServiceToken } from "../../src/core/credentials/service-tokens/service-tokens.ts";
import { Permission } from "../../src/core/model/permissions.ts";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import type { DigestNotice } from "../../src/core/notifications/mail-jobs.sql.ts";
import { digestLetter } from "../../src/jobs/mail/letters.ts";
import { notifyExpiring } from "../../src/jobs/mail/notify-expiring.sql.ts";
import { purgeExpired } from "../../src/jobs/retention/purge-expired.sql.ts";
import { query } from "../support/database.ts";
import { buildEndpoint, buildShop } from "../support/factories.ts";
import { mailJobs } from "../support/mail/mail-jobs.ts";
import { useServer } from "../support/server.ts";

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);

describe("Staff are notified a week ahead of", () => {
  const server = useServer({ own: "looks for credentials of all shops" });
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(server.em);
  });

  const run = (text: string, values: unknown[] = []) => query(server.databaseUrl, text, [shop.id, ...values]);
  const find = (signal = new AbortController().signal) => notifyExpiring(server.em.fork(), signal);

  async function found(): Promise<string[]> {
    await find();
    const rows = await run(
      "select kind, target_name from notices where shop_id = $1 and mailed_at is null order by 1, 2",
    );
    return rows.map((row) => `${row.kind as string} ${row.target_name as string}`);
  }

  async function key(name: string, days: number | null): Promise<string> {
    const expiresAt = days === null ? null : inDays(days);
    const { apiKey } = await createApiKey(
      { em: server.em, shop, actor: operator },
      { name, scopes: ["read_orders"], expiresAt },
    );
    return apiKey.id;
  }

  /** As if everything of the shop had been made so long ago. */
  const age = async (interval: string) => {
    await run("update api_keys set created_at = created_at - $2::interval where shop_id = $1", [interval]);
    await run("update service_tokens set created_at = created_at - $2::interval where shop_id = $1", [interval]);
  };

  it("expiring keys and tokens, once", async () => {
    await key("soon", 6.9);
    await key("later", 7.1);
    await key("never", null);
    const token = { name: "till", permissions: [Permission.READ_ORDERS], expiresAt: inDays(1) };
    await createServiceToken({ em: server.em, shop, actor: operator }, token);
    await age("30 days");
    const expected = ["CREDENTIAL_EXPIRING soon", "CREDENTIAL_EXPIRING till"];
    expect(await found()).to.deep.equal(expected);
    expect(await found()).to.deep.equal(expected);
    await run("update notices set mailed_at = now() where shop_id = $1");
    expect(await found()).to.deep.equal([]);
    const jobs = (await mailJobs(server.databaseUrl)).filter(({ payload }) => payload.shopId === shop.id);
    expect(jobs.map(({ key: name }) => name)).to.deep.equal([`digest ${shop.id} CREDENTIAL_EXPIRING`]);
  });

  it("no ended, replaced, revoked or short-lived keys", async () => {
    await key("ended", 1);
    const replaced = await key("replaced", 5);
    await rotateApiKey({ em: server.em, shop, actor: operator }, replaced, { overlapHours: 100 });
    await revokeCredential({ em: server.em, shop, actor: operator }, apiKeys, await key("revoked", 5));
    await age("30 days");
    await run("update api_keys set expires_at = now() where shop_id = $1 and name = 'ended'");
    await key("short", 6);
    expect(await found()).to.deep.equal([]);
  });

  it("ending trials, and again after an extension", async () => {
    const end = (days: number) => run("update shops set trial_ends_at = $2 where id = $1", [inDays(days)]);
    shop = await buildShop(server.em, { name: "Trial shop", plan: Plan.TRIAL, trialEndsAt: inDays(14) });
    expect(await found()).to.deep.equal([]);
    await end(6);
    expect(await found()).to.deep.equal(["TRIAL_ENDING Trial shop"]);
    await run("update notices set mailed_at = now() where shop_id = $1");
    expect(await found()).to.deep.equal([]);
    await end(5);
    expect(await found()).to.deep.equal(["TRIAL_ENDING Trial shop"]);
    await run("update notices set mailed_at = now() where shop_id = $1");
    await end(-1);
    expect(await found()).to.deep.equal([]);
  });

  it("the end of a service token with endpoints, which go on", async () => {
    await buildEndpoint(server, shop, "https://erp.example/hooks?key=1");
    const token = { name: "ERP", permissions: [Permission.MANAGE_OWN_WEBHOOK_ENDPOINTS] };
    const { serviceToken } = await createServiceToken({ em: server.em, shop, actor: operator }, token);
    await run("update webhook_endpoints set service_token_id = $2 where shop_id = $1", [serviceToken.id]);
    expect(await found()).to.deep.equal([]);
    await revokeCredential({ em: server.em, shop, actor: operator }, serviceTokens, serviceToken.id);
    expect(await found()).to.deep.equal(["WEBHOOK_ENDPOINT_WITHOUT_TOKEN https://erp.example/hooks"]);
    const notices = (await run(
      `update notices set mailed_at = now() where shop_id = $1
      returning target_name as "targetName", count, details, created_at as "createdAt"`,
    )) as unknown as DigestNotice[];
    expect(await found()).to.deep.equal([]);
    const letter = digestLetter("WEBHOOK_ENDPOINT_WITHOUT_TOKEN", notices, "Shop");
    expect(letter.items![0]).to.match(/^https:\/\/erp\.example\/hooks: the service token "ERP" ended at 20/);
  });

  it("no earlier trial of a paid plan", async () => {
    shop = await buildShop(server.em, { plan: Plan.GROWTH, trialEndsAt: inDays(3) });
    expect(await found()).to.deep.equal([]);
  });

  it("nothing more once the worker stops", async () => {
    await key("soon", 5);
    await age("30 days");
    await find(AbortSignal.abort());
    expect(await run("select 1 from notices where shop_id = $1")).to.deep.equal([]);
  });

  it("nothing again after notices are deleted after 30 days", async () => {
    const insert = `insert into notices (shop_id, kind, target_id, target_name, count, details, created_at, mailed_at)
      select $1, 'TRIAL_ENDING', id, id, 1, '{}', now(), now() - age
      from (values ('old', interval '31 days'), ('young', interval '29 days'), ('unsent', null)) as notice (id, age)`;
    await run(insert);
    await purgeExpired(server.em.fork(), new AbortController().signal);
    const rows = await run("select target_id from notices where shop_id = $1 order by 1");
    expect(rows.map((row) => row.target_id)).to.deep.equal(["unsent", "young"]);
  });
});
