import { expect } from "chai";
import { Plan } from "../../../src/core/model/shops/shop.entity.ts";
import { topicNames } from "../../../src/core/model/webhooks/topics.ts";
import { codesOf } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { useWorld } from "../../support/world.ts";

const ENDPOINT = { url: "https://receiver.example/hooks", topics: ["product.created"] };

describe("Webhook endpoints", () => {
  const world = useWorld({ config: { webhooksAllowLoopback: false } });
  const { server, run, send, refusal, sql, audited } = world;

  const create = (url = ENDPOINT.url, topics = ENDPOINT.topics) =>
    run("createWebhookEndpoint", { input: { url, topics } });
  const created = async () => (await create()).endpoint.id as string;
  const list = (): Promise<{ id: string }[]> => run("webhookEndpoints");
  const rowOf = async (id: string) =>
    (await query(server.databaseUrl, "select * from webhook_endpoints where id = $1", [id]))[0]!;

  it("are created with a secret, listed oldest first as they are found, and deleted", async () => {
    const first = await create("https://receiver.example/1", [...topicNames]);
    const second = await create("https://receiver.example:8443/2");
    expect(first.endpoint).to.deep.include({ url: "https://receiver.example/1", topics: topicNames });
    const { id } = first.endpoint;
    const found = [await run("webhookEndpoint", { id }), await run("webhookEndpoint", { id: second.endpoint.id })];
    expect(await list()).to.deep.equal(found);
    expect(await run("deleteWebhookEndpoint", { id })).to.equal(true);
    expect(await run("deleteWebhookEndpoint", { id })).to.equal(false);
    expect((await list()).map((one) => one.id)).to.deep.equal([second.endpoint.id]);
  });

  it("have a secret of 32 bytes, in the format of Standard Webhooks", async () => {
    const secrets = [];
    for (const _ of [1, 2]) secrets.push((await create()).secret as string);
    for (const secret of secrets) {
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.replace("whsec_", ""), "base64")).to.have.length(32);
    }
    expect(secrets[0]).not.to.equal(secrets[1]);
  });

  it("are stored with the normalized URL", async () => {
    for (const [typed, kept] of [
      ["https://receiver.example", "https://receiver.example/"],
      [" HTTPS://RECEIVER.example:443/A/../b?c=d ", "https://receiver.example/b?c=d"],
      ["\u200bhttps://receiver.example/hooks\u2069\r\n", "https://receiver.example/hooks"],
      ["https://receiver.example\\@elsewhere.example/", "https://receiver.example/@elsewhere.example/"],
      ["https://müller.example/größe", "https://xn--mller-kva.example/gr%C3%B6%C3%9Fe"],
    ] as const) {
      const { id, url } = (await create(typed)).endpoint;
      expect(url).to.equal(kept);
      const before = await rowOf(id);
      expect(before.url).to.equal(kept);
      expect((await run("updateWebhookEndpoint", { id, input: { url: typed } })).url).to.equal(kept);
      expect(await rowOf(id)).to.deep.equal(before);
    }
  });

  it("require https, port 443 or 1024 and above, without user info and control characters", async () => {
    for (const url of [
      "receiver.example/hooks",
      "http://receiver.example/hooks",
      "http://127.0.0.1:8080/",
      "javascript:alert(1)",
      "https://receiver.example:80/",
      "https://receiver.example:1023/",
      "https://user@receiver.example/",
      "https://",
      "https://receiver.example\n.elsewhere.example/",
      `https://receiver.example/${"a".repeat(2048)}`,
      `https://receiver.example/${"ä".repeat(1000)}`,
    ]) {
      const [code, ...issues] = await refusal("createWebhookEndpoint", { input: { ...ENDPOINT, url } });
      expect(code, url).to.equal("VALIDATION_FAILED");
      expect(issues.map((issue) => issue.split(":")[0])).to.deep.equal(["url"]);
    }
    await create("https://receiver.example:1024");
  });

  it("require existing topics, each once", async () => {
    for (const topics of [[], ["product.exploded"], ["product.created", "PRODUCT.CREATED"], ["*"]]) {
      const [code] = await refusal("createWebhookEndpoint", { input: { ...ENDPOINT, topics } });
      expect(code, topics.join()).to.equal("VALIDATION_FAILED");
    }
    expect((await create(undefined, ["order.paid", "order.paid"])).endpoint.topics).to.deep.equal(["order.paid"]);
  });

  for (const [plan, limit] of [
    [Plan.GROWTH, 3],
    [Plan.ENTERPRISE, 25],
    [Plan.TRIAL, 25],
    [Plan.NONE, 0],
  ] as const) {
    it(`are limited to ${limit} by the plan ${plan}, also with concurrent requests`, async () => {
      const trialEndsAt = plan === Plan.TRIAL ? new Date(Date.now() + 86_400_000) : null;
      await world.open({ plan, trialEndsAt });
      for (let count = 1; count < limit; count += 1) await create();
      // They compete for the last place, if there is any.
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => send("createWebhookEndpoint", { input: ENDPOINT })),
      );
      const refused = answers.flatMap(codesOf);
      expect(refused).to.deep.equal(Array.from({ length: limit === 0 ? 10 : 9 }, () => "LIMIT_REACHED"));
      expect(await list()).to.have.length(limit);
    });
  }

  it("are deleted and audited once", async () => {
    const { id } = (await create("https://receiver.example/hooks?token=secret")).endpoint;
    for (const _ of [1, 2]) await run("deleteWebhookEndpoint", { id });
    const rows = await sql(
      "select action, target_id, target_name from audit_entries where shop_id = $1 and action like 'WEBHOOK%' order by id",
    );
    expect(rows).to.deep.equal([
      { action: "WEBHOOK_ENDPOINT_CREATED", target_id: id, target_name: "https://receiver.example/hooks" },
      { action: "WEBHOOK_ENDPOINT_DELETED", target_id: id, target_name: "https://receiver.example/hooks" },
    ]);
  });

  describe("when changed", () => {
    const update = (id: string, input: object) => run("updateWebhookEndpoint", { id, input });

    it("have only the given fields changed", async () => {
      const id = await created();
      const url = "https://receiver.example/new?token=secret";
      expect(await update(id, { url })).to.deep.include({ ...ENDPOINT, url, paused: false });
      const topics = ["order.paid", "order.created", "order.paid"];
      const changed = { url, topics: ["order.created", "order.paid"], paused: true };
      expect(await update(id, { topics, paused: true })).to.deep.include(changed);
      expect(await audited()).to.deep.equal([
        ["WEBHOOK_ENDPOINT_CREATED", { topics: "product.created" }],
        // Without the query, which may be the receiver's own secret.
        ["WEBHOOK_ENDPOINT_UPDATED", { oldUrl: ENDPOINT.url, url: "https://receiver.example/new" }],
        [
          "WEBHOOK_ENDPOINT_UPDATED",
          { oldTopics: "product.created", topics: "order.created, order.paid", oldPaused: "false", paused: "true" },
        ],
      ]);
    });

    it("to what they are, are neither written nor audited", async () => {
      const id = await created();
      const before = await rowOf(id);
      for (const input of [
        {},
        { url: null, topics: null, paused: null },
        { ...ENDPOINT, topics: ["product.created", "product.created"], paused: false },
      ]) {
        await update(id, input);
      }
      expect(await rowOf(id)).to.deep.equal(before);
      expect(await audited()).to.have.length(1);
      const jobs = "select 1 from graphile_worker.jobs where flags ? $1";
      expect(await query(server.databaseUrl, jobs, [id])).to.deep.equal([]);
    });

    it("are validated like new ones, and every mistake is named", async () => {
      const id = await created();
      for (const input of [{ url: "" }, { url: "https://receiver.example/\0" }, { topics: ["product.exploded"] }]) {
        const [code] = await refusal("updateWebhookEndpoint", { id, input });
        expect(code, JSON.stringify(input)).to.equal("VALIDATION_FAILED");
      }
      for (const input of [{ paused: "yes" }, { topics: [null] }, { secret: "mine" }]) {
        expect((await send("updateWebhookEndpoint", { id, input })).status, JSON.stringify(input)).to.equal(400);
      }
      const input = { url: "http://receiver.example", topics: [], description: "a".repeat(256) };
      for (const name of ["createWebhookEndpoint", "updateWebhookEndpoint"]) {
        const [, ...issues] = await refusal(name, { id, input });
        expect(issues.map((issue) => issue.split(":")[0])).to.have.members(["url", "topics", "description"]);
      }
      expect(await audited()).to.have.length(1);
    });
  });
});
