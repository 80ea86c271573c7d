import { expect } from "chai";
import { topicNames } from "../../../src/core/model/webhooks/topics.ts";
import { Plan } from "../../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { useSession } from "../../support/shops/use-shop.ts";

const LIST = "query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { id url topics createdAt updatedAt } } }";
const CREATE = `mutation ($shopId: ID!, $url: String!, $topics: [String!]!) {
  createWebhookEndpoint(shopId: $shopId, input: { url: $url, topics: $topics }) { secret endpoint { id url topics } }
}`;
const UPDATE = `mutation ($shopId: ID!, $id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(shopId: $shopId, id: $id, input: $input) { id url topics paused updatedAt }
}`;
const ROTATE = `mutation ($shopId: ID!, $id: ID!, $input: RotateWebhookSecretInput! = {}) {
  rotateWebhookSecret(shopId: $shopId, id: $id, input: $input) {
    secret endpoint { id secretActiveAt oldSecretExpiresAt updatedAt }
  }
}`;
const ACTIVATE = `mutation ($shopId: ID!, $id: ID!) {
  activateWebhookSecret(shopId: $shopId, id: $id) { id secretActiveAt oldSecretExpiresAt }
}`;
const DELETE = "mutation ($shopId: ID!, $id: ID!) { deleteWebhookEndpoint(shopId: $shopId, id: $id) }";

const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

describe("Webhook endpoints", () => {
  const server = useServer({ config: { webhooksAllowLoopback: false } });
  const { shop, session, open } = useSession(server);

  async function create(url = "https://receiver.example/hooks", topics: string[] = ["product.created"]) {
    return askGraphql(server, CREATE, { shopId: shop.id, url, topics }, session);
  }

  async function list() {
    const { data } = await askGraphql(server, LIST, { shopId: shop.id }, session);
    return data.shop.webhookEndpoints as { id: string; url: string; topics: string[] }[];
  }

  it("are created with a secret, listed oldest first, and deleted", async () => {
    const first = (await create("https://receiver.example/1", [...topicNames])).data.createWebhookEndpoint;
    const second = (await create("https://receiver.example:8443/2")).data.createWebhookEndpoint;
    expect(first.endpoint).to.deep.include({ url: "https://receiver.example/1", topics: topicNames });
    expect((await list()).map(({ id }) => id)).to.deep.equal([first.endpoint.id, second.endpoint.id]);
    const variables = { shopId: shop.id, id: first.endpoint.id };
    expect((await askGraphql(server, DELETE, variables, session)).data.deleteWebhookEndpoint).to.equal(true);
    expect((await askGraphql(server, DELETE, variables, session)).data.deleteWebhookEndpoint).to.equal(false);
    expect((await list()).map(({ id }) => id)).to.deep.equal([second.endpoint.id]);
  });

  it("have a secret of 32 bytes, in the format of Standard Webhooks", async () => {
    const secrets = [];
    for (const _ of [1, 2]) secrets.push((await create()).data.createWebhookEndpoint.secret as string);
    for (const secret of secrets) {
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.replace("whsec_", ""), "base64")).to.have.length(32);
    }
    expect(secrets[0]).not.to.equal(secrets[1]);
  });

  it("show their secret once, and store it encrypted", async () => {
    const { secret, endpoint } = (await create()).data.createWebhookEndpoint;
    const { errors } = await askGraphql(
      server,
      "query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { secret } } }",
      { shopId: shop.id },
      session,
    );
    expect(errors[0]!.extensions.code).to.equal("GRAPHQL_VALIDATION_FAILED");
    expect(JSON.stringify(await list())).not.to.include(secret);
    const [row] = await query<{ row: string }>(
      server.databaseUrl,
      "select webhook_endpoints::text as row from webhook_endpoints where id = $1",
      [endpoint.id],
    );
    expect(row!.row).not.to.include(secret.replace("whsec_", ""));
  });

  it("are stored with the normalized URL", async () => {
    for (const [typed, kept] of [
      ["https://receiver.example", "https://receiver.example/"],
      [" HTTPS://RECEIVER.example:443/A/../b?c=d ", "https://receiver.example/b?c=d"],
      ["\u200bhttps://receiver.example/hooks\u2069\r\n", "https://receiver.example/hooks"],
      ["https://receiver.example\\@elsewhere.example/", "https://receiver.example/@elsewhere.example/"],
      ["https://müller.example/größe", "https://xn--mller-kva.example/gr%C3%B6%C3%9Fe"],
    ] as const) {
      const { endpoint } = (await create(typed)).data.createWebhookEndpoint;
      expect(endpoint.url).to.equal(kept);
      const { id } = endpoint;
      const [before] = await query(server.databaseUrl, "select * from webhook_endpoints where id = $1", [id]);
      expect(before!.url).to.equal(kept);
      const input = { url: typed };
      const { data } = await askGraphql(server, UPDATE, { shopId: shop.id, id, input }, session);
      expect(data.updateWebhookEndpoint.url).to.equal(kept);
      const [after] = await query(server.databaseUrl, "select * from webhook_endpoints where id = $1", [id]);
      expect(after).to.deep.equal(before);
    }
  });

  it("require https, port 443 or 1024 and above, without user info and control characters", async () => {
    for (const url of [
      "",
      "nonsense",
      "receiver.example/hooks",
      "http://receiver.example/hooks",
      "http://127.0.0.1:8080/",
      "http://localhost/",
      "ftp://receiver.example/",
      "javascript:alert(1)",
      "https://receiver.example:80/",
      "https://receiver.example:22/",
      "https://receiver.example:1023/",
      "https://user@receiver.example/",
      "https://user:password@receiver.example/",
      "https://",
      "https://receiver.example\n.elsewhere.example/",
      `https://receiver.example/${"a".repeat(2048)}`,
      `https://receiver.example/${"ä".repeat(1000)}`,
    ]) {
      const { data, errors } = await create(url);
      expect(data, url).to.equal(null);
      const { code, issues } = errors[0]!.extensions as { code: string; issues?: { path: string }[] };
      expect(code, url).to.equal("VALIDATION_FAILED");
      expect(issues!.map(({ path }) => path)).to.deep.equal(["url"]);
    }
    for (const url of [
      "https://receiver.example",
      "https://receiver.example:443/a?b=c",
      "https://receiver.example:1024",
    ]) {
      expect((await create(url)).errors, url).to.deep.equal([]);
    }
  });

  it("require existing topics, each once", async () => {
    for (const topics of [[], ["product.exploded"], ["product.created", "PRODUCT.CREATED"], ["*"]]) {
      const { errors } = await create(undefined, topics);
      expect(errors[0]?.extensions.code, topics.join()).to.equal("VALIDATION_FAILED");
    }
    const { data } = await create(undefined, ["order.paid", "order.paid"]);
    expect(data.createWebhookEndpoint.endpoint.topics).to.deep.equal(["order.paid"]);
  });

  for (const [plan, limit] of [
    [Plan.GROWTH, 3],
    [Plan.ENTERPRISE, 25],
    [Plan.TRIAL, 25],
    [Plan.NONE, 0],
  ] as const) {
    it(`are limited to ${limit} by the plan ${plan}, also with concurrent requests`, async () => {
      const trialEndsAt = plan === Plan.TRIAL ? new Date(Date.now() + 86_400_000) : null;
      await open({ plan, trialEndsAt });
      for (let count = 1; count < limit; count += 1) expect((await create()).errors).to.deep.equal([]);
      // They compete for the last place, if there is any.
      const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
      const refused = answers.flatMap(codes);
      expect(refused).to.deep.equal(Array.from({ length: limit === 0 ? 10 : 9 }, () => "LIMIT_REACHED"));
      expect(await list()).to.have.length(limit);
    });
  }

  for (const role of [Role.MANAGER, Role.CLERK, Role.VIEWER]) {
    it(`are refused to a ${role}`, async () => {
      const { endpoint } = (await create()).data.createWebhookEndpoint;
      Object.assign(session, await logIn(server, await buildStaff(server.em, shop, role)));
      const variables = {
        shopId: shop.id,
        id: endpoint.id,
        url: "https://receiver.example",
        topics: ["order.paid"],
        input: {},
      };
      for (const document of [LIST, CREATE, UPDATE, ROTATE, ACTIVATE, DELETE]) {
        const { data, errors } = await askGraphql(server, document, variables, session);
        expect(data?.shop ?? null, document).to.equal(null);
        expect(errors.map(({ extensions }) => extensions.code)).to.deep.equal(["FORBIDDEN"]);
      }
      const rows = await query(server.databaseUrl, "select 1 from webhook_endpoints where shop_id = $1", [shop.id]);
      expect(rows).to.have.length(1);
    });
  }

  it("of another shop cannot be read, created or deleted", async () => {
    const { endpoint } = (await create()).data.createWebhookEndpoint;
    const foreign = await logIn(server, await buildStaff(server.em, await buildShop(server.em)));
    const variables = { shopId: shop.id, id: endpoint.id, url: "https://receiver.example", topics: ["order.paid"] };
    expect((await askGraphql(server, LIST, variables, foreign)).data.shop).to.equal(null);
    for (const document of [CREATE, DELETE]) {
      const { errors } = await askGraphql(server, document, variables, foreign);
      expect(errors.map(({ extensions }) => extensions.code)).to.deep.equal(["SHOP_NOT_FOUND"]);
    }
    expect(await list()).to.have.length(1);
  });

  const ask = (document: string, variables: Record<string, unknown>) =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, session);
  const created = async (url?: string) => (await create(url)).data.createWebhookEndpoint.endpoint.id as string;
  const rowOf = async (id: string) =>
    (await query(server.databaseUrl, "select * from webhook_endpoints where id = $1", [id]))[0]!;
  it("are deleted and audited once", async () => {
    const id = await created("https://receiver.example/hooks?token=secret");
    for (const _ of [1, 2]) await ask(DELETE, { id });
    const rows = await query(
      server.databaseUrl,
      "select action, target_id, target_name from audit_entries where shop_id = $1 and action <> 'MEMBER_LOGGED_IN' order by id",
      [shop.id],
    );
    expect(rows).to.deep.equal([
      { action: "WEBHOOK_ENDPOINT_CREATED", target_id: id, target_name: "https://receiver.example/hooks" },
      { action: "WEBHOOK_ENDPOINT_DELETED", target_id: id, target_name: "https://receiver.example/hooks" },
    ]);
  });

  it("of another shop look like nonexistent ones", async () => {
    const foreignId = await created();
    const before = await rowOf(foreignId);
    await open();
    for (const id of [foreignId, newId("whe"), "nonsense", "whe_\0"]) {
      for (const document of [UPDATE, ROTATE, ACTIVATE]) {
        const { errors } = await ask(document, { id, input: document === UPDATE ? { paused: true } : {} });
        expect(errors.map(({ message, extensions }) => [message, extensions.code])).to.deep.equal([
          ["Webhook endpoint not found", "NOT_FOUND"],
        ]);
      }
      expect((await ask(DELETE, { id })).data.deleteWebhookEndpoint).to.equal(false);
    }
    expect(await rowOf(foreignId)).to.deep.equal(before);
  });
});
