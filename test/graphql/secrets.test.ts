import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { askGraphql, documentOf } from "../support/graphql.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useServer } from "../support/server.ts";
import { useWorld } from "../support/world.ts";

const LISTS = ["apiKeys", "serviceTokens", "webhookEndpoints", "auditLog"].map((name) => documentOf(name));
const DELIVERIES = `query ($shopId: ID!) { shop(id: $shopId) { webhookDeliveries { items { body attempts {
  responseBody requestHeaders { name value } responseHeaders { name value } } } } } }`;

/** The pattern of a whole secret, of any kind. */
const LIKE_A_SECRET = /(sk_live_|svt_)[0-9A-Za-z]{33}|whsec_[0-9A-Za-z+/]{40}/;

describe("Secrets", () => {
  const { logger, lines } = collectLines("trace");
  // As verbose as possible: errors with all of their properties.
  const server = useServer({ worker: true, logger });
  const receiver = useReceiver();
  /** The value of a header that endpoints are sent, which is not shown even once. */
  const header = `whsec_${randomBytes(30).toString("base64")}`;
  const { shop, ask, run, send } = useWorld(server);

  const key = { name: "ERP", scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"] };
  const token = { name: "POS", permissions: ["READ_ORDERS"] };
  const endpoint = () => ({
    url: receiver.url,
    topics: ["product.created"],
    headers: [{ name: "X-Shop-Key", value: header }],
  });
  const change = { headers: [{ name: "Authorization", value: header }] };

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
    const { secret: oldKey, apiKey } = await run("createApiKey", { input: key });
    const { secret } = await run("rotateApiKey", { id: apiKey.id, input: {} });
    const serviceToken = await run("createServiceToken", { input: token });
    const created = await run("createWebhookEndpoint", { input: endpoint() });
    const { id } = created.endpoint;
    const rotated = await run("rotateWebhookSecret", { id, input: {} });
    const secrets = [oldKey, secret, serviceToken.secret, created.secret, rotated.secret, header] as string[];
    expect(secrets.filter((one) => LIKE_A_SECRET.test(one))).to.have.length(6);

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
      () => ask(DELIVERIES),
      ({ data }) => data.shop.webhookDeliveries.items[0].attempts.length === 1,
    );
    answers.push(shown, await ask("{ viewer { id } }"), await run("updateWebhookEndpoint", { id, input: change }));
    for (const document of LISTS) answers.push(await ask(document));
    for (const one of secrets) {
      const authorization = `Bearer ${one}`;
      for (const document of [...LISTS, DELIVERIES, "{ nonsense }"]) {
        answers.push(await askGraphql(server, document, { shopId: shop.id }, { authorization }));
      }
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
    const sql = (statement: string) => query(server.databaseUrl, statement);
    const { id } = (await run("createWebhookEndpoint", { input: endpoint() })).endpoint;
    lines.length = 0;
    await sql("create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$");
    const tables = ["api_keys", "service_tokens", "webhook_endpoints"];
    for (const table of tables) {
      await sql(`create trigger fail before insert or update on ${table} for each row execute function fail()`);
    }
    try {
      for (const [name, input] of [
        ["createApiKey", key],
        ["createServiceToken", token],
        ["createWebhookEndpoint", endpoint()],
        ["rotateWebhookSecret", {}],
        ["updateWebhookEndpoint", change],
      ] as const) {
        const answer = await send(name, { id, input });
        expect(answer.errors.map(({ message }) => message)).to.deep.equal(["Internal server error"]);
        expect(JSON.stringify(answer)).not.to.match(LIKE_A_SECRET);
      }
    } finally {
      await sql("drop function fail cascade");
    }
    expect(lines.filter(({ msg }) => msg === "GraphQL request failed")).to.have.length(5);
    expect(JSON.stringify(lines)).not.to.match(LIKE_A_SECRET);
  });
});
