import { expect } from "chai";
import { codesOf } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

const HOUR = 3_600_000;

describe("A webhook endpoint with a rotated secret", () => {
  const { server, shop, run, send, refusal, audited } = useWorld();

  const created = async () => (await buildEndpoint(server, shop, "https://receiver.example/hooks")).endpoint.id;
  const rotate = (id: string, input: object = {}) => run("rotateWebhookSecret", { id, input });
  const activate = (id: string) => run("activateWebhookSecret", { id });
  const rowOf = async (id: string) =>
    (await query(server.databaseUrl, "select * from webhook_endpoints where id = $1", [id]))[0]!;

  it("gets a new secret, and the old one is valid for a day", async () => {
    const id = await created();
    const before = await rowOf(id);
    const askedAt = Date.now();
    const { secret, endpoint } = await rotate(id);
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
    await rotate(id);
    const { errors } = await send("rotateWebhookSecret", { id, input: { overlapHours: 1 } });
    expect(errors[0]!.extensions.code).to.equal("INVALID_STATE");
    expect((errors[0]!.extensions as { hint?: string }).hint).to.match(/overlapHours 0/);
  });

  it("accepts a rotation without overlap, which ends all earlier secrets", async () => {
    for (const first of [{}, { activeAt: new Date(Date.now() + HOUR).toISOString() }]) {
      const id = await created();
      await rotate(id, first);
      const { sealed_secret: leaked } = await rowOf(id);
      const { secretActiveAt, oldSecretExpiresAt } = (await rotate(id, { overlapHours: 0 })).endpoint;
      expect(secretActiveAt).to.equal(oldSecretExpiresAt);
      const row = await rowOf(id);
      expect(row.sealed_secret).not.to.equal(leaked);
      expect(row.sealed_old_secret).to.equal(null);
    }
  });

  it("gets one new secret with concurrent requests", async () => {
    const id = await created();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send("rotateWebhookSecret", { id, input: {} })));
    expect(answers.flatMap(codesOf)).to.deep.equal(Array.from({ length: 4 }, () => "INVALID_STATE"));
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
      const [code] = await refusal("rotateWebhookSecret", { id, input });
      expect(code, JSON.stringify(input)).to.equal("VALIDATION_FAILED");
    }
    const activeAt = inHours(1.9);
    const { endpoint } = await rotate(id, { overlapHours: 2, activeAt });
    expect(endpoint.secretActiveAt).to.equal(activeAt);
  });

  it("can switch earlier, once", async () => {
    const id = await created();
    const never = await activate(id);
    expect(never).to.include({ secretActiveAt: null, oldSecretExpiresAt: null });
    const activeAt = new Date(Date.now() + HOUR).toISOString();
    await rotate(id, { activeAt });
    const askedAt = Date.now();
    const first = await activate(id);
    expect(Date.parse(first.secretActiveAt)).to.be.within(askedAt, Date.now());
    expect(await activate(id)).to.deep.equal(first);
    expect((await audited()).map(([action]) => action)).to.deep.equal([
      "WEBHOOK_ENDPOINT_CREATED",
      "WEBHOOK_SECRET_ROTATED",
      "WEBHOOK_SECRET_ACTIVATED",
    ]);
  });
});
