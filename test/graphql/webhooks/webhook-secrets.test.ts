import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildEndpoint } from "../../support/factories.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

const ROTATE = `mutation ($shopId: ID!, $id: ID!, $input: RotateWebhookSecretInput! = {}) {
  rotateWebhookSecret(shopId: $shopId, id: $id, input: $input) {
    secret endpoint { id secretActiveAt oldSecretExpiresAt updatedAt }
  }
}`;
const ACTIVATE = `mutation ($shopId: ID!, $id: ID!) {
  activateWebhookSecret(shopId: $shopId, id: $id) { id secretActiveAt oldSecretExpiresAt }
}`;

const HOUR = 3_600_000;

const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

describe("A webhook endpoint with a rotated secret", () => {
  const { server, shop, ask } = useWorld();

  const created = async () => (await buildEndpoint(server, shop, "https://receiver.example/hooks")).endpoint.id;
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

  it("gets a new secret, and the old one is valid for a day", async () => {
    const id = await created();
    const before = await rowOf(id);
    const askedAt = Date.now();
    const { secret, endpoint } = (await ask(ROTATE, { id })).data.rotateWebhookSecret;
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Date.parse(endpoint.secretActiveAt)).to.be.within(askedAt, Date.now());
    const end = Date.parse(endpoint.secretActiveAt) + 24 * HOUR;
    expect(Date.parse(endpoint.oldSecretExpiresAt)).to.equal(end);
    const row = await rowOf(id);
    expect(row.sealed_old_secret).to.equal(before.sealed_secret);
    expect(row.sealed_secret).not.to.equal(before.sealed_secret);
    expect((await audited()).map(([action]) => action)).to.deep.equal([
      "WEBHOOK_ENDPOINT_CREATED",
      "WEBHOOK_SECRET_ROTATED",
    ]);
  });

  it("refuses another overlap before the first ends", async () => {
    const id = await created();
    await ask(ROTATE, { id });
    const { errors } = await ask(ROTATE, { id, input: { overlapHours: 1 } });
    expect(errors[0]!.extensions.code).to.equal("INVALID_STATE");
    expect((errors[0]!.extensions as { hint?: string }).hint).to.match(/overlapHours 0/);
  });

  it("accepts a rotation without overlap, which ends all earlier secrets", async () => {
    for (const first of [{}, { activeAt: new Date(Date.now() + HOUR).toISOString() }]) {
      const id = await created();
      await ask(ROTATE, { id, input: first });
      const { sealed_secret: leaked } = await rowOf(id);
      const { data, errors } = await ask(ROTATE, { id, input: { overlapHours: 0 } });
      expect(errors).to.deep.equal([]);
      const { secretActiveAt, oldSecretExpiresAt } = data.rotateWebhookSecret.endpoint;
      expect(secretActiveAt).to.equal(oldSecretExpiresAt);
      const row = await rowOf(id);
      expect(row.sealed_secret).not.to.equal(leaked);
      expect(row.sealed_old_secret).to.equal(null);
    }
  });

  it("gets one new secret with concurrent requests", async () => {
    const id = await created();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(ROTATE, { id })));
    expect(answers.flatMap(codes)).to.deep.equal(Array.from({ length: 4 }, () => "INVALID_STATE"));
  });

  it("can be rotated again after the overlap", async () => {
    const id = await created();
    for (const _ of [1, 2, 3]) {
      expect((await ask(ROTATE, { id, input: { overlapHours: 0 } })).errors).to.deep.equal([]);
    }
  });

  it("switches at the chosen time, within the overlap", async () => {
    const id = await created();
    const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
    for (const input of [
      { overlapHours: 2, activeAt: inHours(2.1) },
      { activeAt: inHours(-0.1) },
      { overlapHours: 0, activeAt: inHours(1) },
      { overlapHours: -1 },
      { overlapHours: 169 },
    ]) {
      expect(codes(await ask(ROTATE, { id, input })), JSON.stringify(input)).to.deep.equal(["VALIDATION_FAILED"]);
    }
    const activeAt = inHours(1.9);
    const { endpoint } = (await ask(ROTATE, { id, input: { overlapHours: 2, activeAt } })).data.rotateWebhookSecret;
    expect(endpoint.secretActiveAt).to.equal(activeAt);
  });

  it("can switch earlier, once", async () => {
    const id = await created();
    const never = (await ask(ACTIVATE, { id })).data.activateWebhookSecret;
    expect(never).to.include({ secretActiveAt: null, oldSecretExpiresAt: null });
    const activeAt = new Date(Date.now() + HOUR).toISOString();
    await ask(ROTATE, { id, input: { activeAt } });
    const askedAt = Date.now();
    const first = (await ask(ACTIVATE, { id })).data.activateWebhookSecret;
    expect(Date.parse(first.secretActiveAt)).to.be.within(askedAt, Date.now());
    expect((await ask(ACTIVATE, { id })).data.activateWebhookSecret).to.deep.equal(first);
    expect((await audited()).map(([action]) => action)).to.deep.equal([
      "WEBHOOK_ENDPOINT_CREATED",
      "WEBHOOK_SECRET_ROTATED",
      "WEBHOOK_SECRET_ACTIVATED",
    ]);
  });
});
