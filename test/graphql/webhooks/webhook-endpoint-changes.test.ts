import { expect } from "chai";
import { query } from "../../support/database.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

const CREATE = `mutation ($shopId: ID!, $input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(shopId: $shopId, input: $input) { endpoint { id } }
}`;
const UPDATE = `mutation ($shopId: ID!, $id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(shopId: $shopId, id: $id, input: $input) { id url topics paused updatedAt }
}`;

const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

describe("Changes of webhook endpoints", () => {
  const { server, shop, ask } = useWorld({ config: { webhooksAllowLoopback: false } });

  const created = async () => {
    const input = { url: "https://receiver.example/hooks", topics: ["product.created"] };
    return (await ask(CREATE, { input })).data.createWebhookEndpoint.endpoint.id as string;
  };
  const rowOf = async (id: string) =>
    (await query(server.databaseUrl, "select * from webhook_endpoints where id = $1", [id]))[0]!;
  const audited = async () => {
    const rows = await query<{ action: string; details: Record<string, string> }>(
      server.databaseUrl,
      "select action, details from audit_entries where shop_id = $1 and action <> 'MEMBER_LOGGED_IN' order by id",
      [shop.id],
    );
    return rows.map(({ action, details }) => [action, details]);
  };

  it("apply only to the given fields", async () => {
    const id = await created();
    const url = "https://receiver.example/new?token=secret";
    expect((await ask(UPDATE, { id, input: { url } })).data.updateWebhookEndpoint).to.deep.include({
      url,
      topics: ["product.created"],
      paused: false,
    });
    const topics = ["order.paid", "order.created", "order.paid"];
    expect((await ask(UPDATE, { id, input: { topics, paused: true } })).data.updateWebhookEndpoint).to.deep.include({
      url,
      topics: ["order.created", "order.paid"],
      paused: true,
    });
    expect(await audited()).to.deep.equal([
      ["WEBHOOK_ENDPOINT_CREATED", { topics: "product.created" }],
      // Without the query, which may be the receiver's own secret.
      ["WEBHOOK_ENDPOINT_UPDATED", { url: "https://receiver.example/new" }],
      ["WEBHOOK_ENDPOINT_UPDATED", { topics: "order.created, order.paid", paused: "true" }],
    ]);
  });

  it("write and audit nothing without a change", async () => {
    const id = await created();
    const before = await rowOf(id);
    for (const input of [
      {},
      { url: null, topics: null, paused: null },
      { url: "https://receiver.example/hooks", topics: ["product.created", "product.created"], paused: false },
    ]) {
      expect((await ask(UPDATE, { id, input })).errors).to.deep.equal([]);
    }
    expect(await rowOf(id)).to.deep.equal(before);
    expect(await audited()).to.have.length(1);
    const jobs = "select 1 from graphile_worker.jobs where flags ? $1";
    expect(await query(server.databaseUrl, jobs, [id])).to.deep.equal([]);
  });

  it("are validated like new endpoints", async () => {
    const id = await created();
    for (const input of [
      { url: "http://receiver.example" },
      { url: "" },
      { url: "https://receiver.example/\0" },
      { topics: [] },
      { topics: ["product.exploded"] },
    ]) {
      expect(codes(await ask(UPDATE, { id, input })), JSON.stringify(input)).to.deep.equal(["VALIDATION_FAILED"]);
    }
    for (const input of [{ paused: "yes" }, { topics: [null] }, { secret: "mine" }]) {
      expect((await ask(UPDATE, { id, input })).status, JSON.stringify(input)).to.equal(400);
    }
    expect(await audited()).to.have.length(1);
  });

  it("name every mistake at once, those of the URL too", async () => {
    const id = await created();
    const input = { url: "http://receiver.example", topics: [], description: "a".repeat(256) };
    for (const answer of [await ask(CREATE, { input }), await ask(UPDATE, { id, input })]) {
      const { issues } = answer.errors[0]!.extensions as unknown as { issues: { path: string }[] };
      expect(issues.map(({ path }) => path)).to.have.members(["url", "topics", "description"]);
    }
  });
});
