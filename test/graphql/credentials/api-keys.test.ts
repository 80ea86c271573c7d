import { expect } from "chai";
import { codesOf } from "../../support/browser/browser.ts";
import { Plan } from "../../../src/core/model/shops/shop.entity.ts";
import { later, useApiKeys } from "../../support/shops/api-keys.ts";

describe("API keys", () => {
  const fixture = useApiKeys();
  const { open, revoke, create, created, rotate, list, statusOf, becomes, actions, expire } = fixture;

  it("are created with a secret for the REST API, and listed without it", async () => {
    const expiresAt = later(1);
    const scopes = ["READ_PRODUCTS", "WRITE_PRODUCTS", "READ_PRODUCTS"];
    const { secret, apiKey } = await created({ name: "  ERP ", scopes, expiresAt });
    expect(secret).to.match(/^sk_live_[0-9A-Za-z]{33}$/);
    expect(apiKey).to.deep.include({
      name: "ERP",
      scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"],
      status: "ACTIVE",
      firstCharacters: secret.slice(0, 12),
      lastCharacters: secret.slice(-4),
      createdBy: fixture.staff.id,
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      successorId: null,
    });
    expect(await list()).to.deep.equal({ total: 1, nextCursor: null, items: [apiKey] });
    expect(await statusOf(secret)).to.equal(200);
    expect(await actions()).to.deep.equal([["API_KEY_CREATED", apiKey.id]]);
  });

  it("can be limited to addresses when they are created", async () => {
    const { secret } = await created({ allowedAddresses: ["203.0.113.0/24"] });
    expect(await statusOf(secret)).to.equal(403);
    expect(await statusOf((await created({ allowedAddresses: ["127.0.0.1", "::1"] })).secret)).to.equal(200);
  });

  it("are listed active ones first, then newest first, in pages, and by status", async () => {
    const keys = [];
    for (const name of ["one", "two", "three", "four"]) keys.push((await created({ name })).apiKey);
    const [active, expired, revoked, both] = keys.map(({ id }) => id!);
    await expire(expired!);
    await expire(both!);
    for (const id of [revoked, both]) await revoke(id!);
    const idsOf = async (status?: string) => (await list({ status })).items.map(({ id }: { id: string }) => id);
    expect(await idsOf()).to.deep.equal([active, both, revoked, expired]);
    expect(await idsOf("ACTIVE")).to.deep.equal([active]);
    expect(await idsOf("EXPIRED")).to.deep.equal([expired]);
    expect(await idsOf("REVOKED")).to.deep.equal([both, revoked]);
    const first = await list({ limit: 3 });
    expect(first).to.include({ total: 4 });
    expect((await list({ limit: 3, after: first.nextCursor })).items.map(({ id }: { id: string }) => id)).to.deep.equal(
      [expired],
    );
    expect(first.items.map(({ status }: { status: string }) => status)).to.deep.equal(["ACTIVE", "REVOKED", "REVOKED"]);
  });

  it("are refused with invalid input: all mistakes are reported, and nothing is stored", async () => {
    const input = { name: " ", scopes: [], expiresAt: later(-1), allowedAddresses: ["203.0.113.0/24", "here"] };
    const { issues } = (await create(input)).errors[0]!.extensions as unknown as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path)).to.have.members(["name", "scopes", "expiresAt", "allowedAddresses.1"]);
    for (const name of ["a".repeat(256), "a\0b", "\ud800"]) {
      expect(codesOf(await create({ name })), name).to.deep.equal(["VALIDATION_FAILED"]);
    }
    for (const bad of [
      { scopes: ["read_products"] },
      { scopes: ["SETTINGS"] },
      { scopes: null },
      { expiresAt: "tomorrow" },
      { name: 1 },
      { createdBy: "stf_1" },
    ]) {
      expect((await create(bad)).status, JSON.stringify(bad)).to.equal(400);
    }
    expect(await list()).to.deep.include({ total: 0 });
    expect(await actions()).to.deep.equal([]);
  });

  it("cannot have scopes that the plan does not include", async () => {
    await open({ plan: Plan.GROWTH });
    const answer = await create({ scopes: ["READ_ORDERS", "WRITE_ORDERS"] });
    expect(codesOf(answer)).to.deep.equal(["VALIDATION_FAILED"]);
    expect(JSON.stringify(answer.errors)).to.include("write_orders").and.not.include("read_orders");
    await created({ scopes: ["READ_ORDERS", "READ_INVENTORY"] });
  });

  for (const [plan, limit] of [
    [Plan.GROWTH, 2],
    [Plan.ENTERPRISE, 10],
  ] as const) {
    it(`are limited to ${limit} by ${plan}, also with concurrent requests`, async () => {
      await open({ plan });
      for (let count = 1; count < limit; count += 1) await created();
      const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
      const refused = answers.flatMap(codesOf);
      expect(refused).to.deep.equal(Array.from({ length: 9 }, () => "LIMIT_REACHED"));
      expect(await list({ status: "ACTIVE" })).to.include({ total: limit });
      expect(await actions()).to.have.length(limit);
    });
  }

  describe("count toward the plan's limit", () => {
    beforeEach(() => open({ plan: Plan.GROWTH }));

    it("until they are revoked or expire, but not beside a valid successor", async () => {
      const { apiKey: first } = await created();
      const { apiKey: second } = await created();
      expect(codesOf(await create())).to.deep.equal(["LIMIT_REACHED"]);
      expect((await rotate(first.id!)).errors).to.deep.equal([]);
      expect(codesOf(await create())).to.deep.equal(["LIMIT_REACHED"]);
      await revoke(second.id!);
      const { apiKey: third } = await created();
      expect(codesOf(await create())).to.deep.equal(["LIMIT_REACHED"]);
      await expire(third.id!);
      await created();
    });

    it("again when their successor ends first", async () => {
      const { apiKey: old } = await created();
      const { apiKey: successor } = (await rotate(old.id!)).data.rotateApiKey;
      await revoke(successor.id!);
      await created();
      // Otherwise a shop could have any number of valid keys.
      expect(codesOf(await create())).to.deep.equal(["LIMIT_REACHED"]);
    });
  });

  describe("when revoked", () => {
    it("are refused within a second, for good", async () => {
      const { secret, apiKey } = await created();
      expect(await statusOf(secret)).to.equal(200);
      const first = (await revoke(apiKey.id!)).data.revokeApiKey;
      expect(first).to.include({ id: apiKey.id, status: "REVOKED" });
      await becomes(secret, 401);
      const again = await revoke(apiKey.id!);
      // The uses before may be written only now.
      const { lastUsedAt, usage } = again.data.revokeApiKey;
      expect(again.data.revokeApiKey).to.deep.equal({ ...first, lastUsedAt, usage });
      expect(await actions()).to.deep.equal([
        ["API_KEY_CREATED", apiKey.id],
        ["API_KEY_REVOKED", apiKey.id],
      ]);
    });
  });
});
