import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { askGraphql } from "../support/graphql.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useServer } from "../support/server.ts";
import { useWorld } from "../support/world.ts";

const CREATE_KEY = `mutation ($shopId: ID!) {
  created: createApiKey(shopId: $shopId, input: { name: "ERP", scopes: [READ_PRODUCTS, WRITE_PRODUCTS] }) {
    secret record: apiKey { id }
  }
}`;
const ROTATE_KEY = `mutation ($shopId: ID!, $id: ID!) {
  created: rotateApiKey(shopId: $shopId, id: $id, input: {}) { secret record: apiKey { id } }
}`;
const CREATE_TOKEN = `mutation ($shopId: ID!) {
  created: createServiceToken(shopId: $shopId, input: { name: "POS", permissions: [READ_ORDERS] }) {
    secret record: serviceToken { id }
  }
}`;
const CREATE_ENDPOINT = `mutation ($shopId: ID!, $url: String!, $header: String!) {
  created: createWebhookEndpoint(shopId: $shopId, input: {
    url: $url, topics: ["product.created"], headers: [{ name: "X-Shop-Key", value: $header }]
  }) {
    secret record: endpoint { id }
  }
}`;
const UPDATE_ENDPOINT = `mutation ($shopId: ID!, $id: ID!, $header: String!) {
  created: updateWebhookEndpoint(shopId: $shopId, id: $id, input: {
    headers: [{ name: "Authorization", value: $header }]
  }) { id headerNames }
}`;
const ROTATE_SECRET = `mutation ($shopId: ID!, $id: ID!) {
  created: rotateWebhookSecret(shopId: $shopId, id: $id, input: {}) { secret record: endpoint { id } }
}`;
const EVERYTHING = `query ($shopId: ID!) {
  shop(id: $shopId) {
    apiKeys { items { id name scopes status createdBy createdAt expiresAt lastUsedAt revokedAt successorId } }
    serviceTokens { items { id name permissions createdBy createdAt expiresAt lastUsedAt revokedAt } }
    webhookEndpoints { id url topics description headerNames paused secretActiveAt oldSecretExpiresAt createdBy createdAt updatedAt }
    webhookDeliveries { items { body attempts {
      responseBody requestHeaders { name value } responseHeaders { name value }
    } } }
    auditLog { items { id action targetId targetName details { name value } address userAgent } }
  }
}`;

/** The pattern of a whole secret, of any kind. */
const LIKE_A_SECRET = /(sk_live_|svt_)[0-9A-Za-z]{33}|whsec_[0-9A-Za-z+/]{40}/;

describe("Secrets", () => {
  const { logger, lines } = collectLines("trace");
  // As verbose as possible: errors with all of their properties.
  const server = useServer({ worker: true, logger });
  const receiver = useReceiver();
  /** The value of a header that endpoints are sent, which is not shown even once. */
  const header = `whsec_${randomBytes(30).toString("base64")}`;
  const { shop, ask: askAs } = useWorld(server);

  const ask = (document: string, variables: Record<string, unknown> = {}) =>
    askAs(document, { url: receiver.url, header, ...variables });
  const created = async (document: string, id?: string) => {
    const { data } = await ask(document, { id });
    return data.created as { secret: string; record: { id: string } };
  };

  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const tables = await query<{ name: string }>(
      server.databaseUrl,
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`,
    );
    expect(tables.map(({ name }) => name)).to.include.members(["public.api_keys", "graphile_worker._private_jobs"]);
    const texts = tables.map(async ({ name }) => {
      const rows = await query<{ row: string }>(server.databaseUrl, `select t::text as row from ${name} t`);
      return rows.map(({ row }) => row);
    });
    return (await Promise.all(texts)).flat().join("\n");
  }

  it("are shown once: no query, error, log line or row contains them in any form", async () => {
    const key = await created(CREATE_KEY);
    const nextKey = await created(ROTATE_KEY, key.record.id);
    const token = await created(CREATE_TOKEN);
    const endpoint = await created(CREATE_ENDPOINT);
    const nextSecret = await created(ROTATE_SECRET, endpoint.record.id);
    const secrets = [...[key, nextKey, token, endpoint, nextSecret].map(({ secret }) => secret), header];
    expect(secrets.filter((secret) => LIKE_A_SECRET.test(secret))).to.have.length(6);

    const { secret } = nextKey;
    const body = { title: "Mug", price: 1 };
    expect((await call(server, "POST", `/${shop.id}/products`, { key: secret, body })).status).to.equal(201);
    await eventually(
      () => receiver.received,
      (all) => all.length === 1,
    );
    const [{ headers, body: sent }] = receiver.received as [(typeof receiver.received)[0]];
    const { "x-shop-key": own, ...others } = headers;
    expect(own).to.equal(header);
    const answers: unknown[] = [others, sent.toString()];
    const shown = await eventually(
      () => ask(EVERYTHING),
      ({ data }) => data.shop.webhookDeliveries.items[0].attempts.length === 1,
    );
    answers.push(shown, await ask("{ viewer { id } }"), await ask(UPDATE_ENDPOINT, { id: endpoint.record.id }));
    for (const one of secrets) {
      const authorization = `Bearer ${one}`;
      answers.push(await askGraphql(server, EVERYTHING, { shopId: shop.id }, { authorization }));
      answers.push(await askGraphql(server, "{ nonsense }", {}, { authorization }));
      answers.push((await call(server, "GET", `/${shop.id}/orders?page=0`, { key: one })).json);
    }
    expect(lines.map(({ path }) => path)).to.include("/graphql");
    const places = { answers: JSON.stringify(answers), logged: JSON.stringify(lines), rows: await dump() };
    for (const [place, text] of Object.entries(places)) {
      expect(text, place).not.to.match(LIKE_A_SECRET);
      for (const one of secrets) {
        const bare = one.replace(/^(sk_live_|svt_|whsec_)/, "");
        const hex = Buffer.from(one.startsWith("whsec_") ? Buffer.from(bare, "base64") : bare).toString("hex");
        for (const form of [bare, hex, Buffer.from(one).toString("hex"), Buffer.from(one).toString("base64")]) {
          expect(text.includes(form), `${place}: ${form.slice(0, 4)}…`).to.equal(false);
        }
      }
    }
  });

  it("are in no error or log line when storing fails", async () => {
    const run = (statement: string) => query(server.databaseUrl, statement);
    const endpoint = await created(CREATE_ENDPOINT);
    lines.length = 0;
    await run("create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$");
    const tables = ["api_keys", "service_tokens", "webhook_endpoints"];
    for (const table of tables) {
      await run(`create trigger fail before insert or update on ${table} for each row execute function fail()`);
    }
    try {
      for (const document of [CREATE_KEY, CREATE_TOKEN, CREATE_ENDPOINT, ROTATE_SECRET, UPDATE_ENDPOINT]) {
        const answer = await ask(document, { id: endpoint.record.id });
        expect(answer.errors.map(({ message }) => message)).to.deep.equal(["Internal server error"]);
        expect(JSON.stringify(answer)).not.to.match(LIKE_A_SECRET);
      }
    } finally {
      await run("drop function fail cascade");
    }
    expect(lines.filter(({ msg }) => msg === "GraphQL request failed")).to.have.length(5);
    expect(JSON.stringify(lines)).not.to.match(LIKE_A_SECRET);
  });
});
