import { expect } from "chai";
import { Plan, type Shop } from "../../src/core/shops/shop.entity.ts";
import { newId } from "../../src/core/ids.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";

const KEY = `id name scopes status firstCharacters lastCharacters createdBy createdAt expiresAt lastUsedAt revokedAt
  successorId predecessorId`;
const LIST = `query ($shopId: ID!, $status: CredentialStatus, $limit: Int! = 50, $after: String) {
  shop(id: $shopId) { apiKeys(status: $status, limit: $limit, after: $after) { total nextCursor items { ${KEY} } } }
}`;
const CREATE = `mutation ($shopId: ID!, $input: CreateApiKeyInput!) {
  createApiKey(shopId: $shopId, input: $input) { secret apiKey { ${KEY} } }
}`;
const ROTATE = `mutation ($shopId: ID!, $id: ID!, $input: RotateApiKeyInput! = {}) {
  rotateApiKey(shopId: $shopId, id: $id, input: $input) { secret apiKey { ${KEY} } }
}`;
const REVOKE = `mutation ($shopId: ID!, $id: ID!) { revokeApiKey(shopId: $shopId, id: $id) { ${KEY} } }`;

const HOUR = 3_600_000;
/** A change holds for every process within a second; asking for it takes a little too. Milliseconds. */
const SOON = 1_500;

const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

describe("API keys", () => {
  const server = useServer();
  let shop: Shop;
  let owner: TestStaff;
  let session: { cookie: string };

  beforeEach(() => useShop());

  async function useShop(overrides: Parameters<typeof buildShop>[1] = {}) {
    shop = await buildShop(server.em, overrides);
    owner = await buildStaff(server.em, shop);
    session = await logIn(server, owner);
  }

  const ask = (document: string, variables: Record<string, unknown> = {}) =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, session);
  const create = (input: Record<string, unknown> = {}) =>
    ask(CREATE, { input: { name: "Warehouse", scopes: ["READ_PRODUCTS"], ...input } });
  const created = async (input: Record<string, unknown> = {}) => {
    const answer = await create(input);
    expect(answer.errors).to.deep.equal([]);
    return answer.data.createApiKey as { secret: string; apiKey: Record<string, string> };
  };
  const rotate = (id: string, input: Record<string, unknown> = {}) => ask(ROTATE, { id, input });
  const list = async (variables: Record<string, unknown> = {}) => (await ask(LIST, variables)).data.shop.apiKeys;
  const statusOf = async (secret: string) =>
    (await call(server, "GET", `/${shop.id}/products`, { key: secret })).status;
  const becomes = (secret: string, status: number) =>
    eventually(
      () => statusOf(secret),
      (actual) => actual === status,
      SOON,
    );
  const actions = async () => {
    const rows = await query<{ action: string; target_id: string }>(
      server.databaseUrl,
      "select action, target_id from audit_entries where shop_id = $1 and actor_kind = 'STAFF' order by id",
      [shop.id],
    );
    return rows.map(({ action, target_id }) => [action, target_id]);
  };
  const expire = (id: string) =>
    query(server.databaseUrl, "update api_keys set expires_at = now() where id = $1", [id]);

  it("are created with a secret that opens the REST API, and listed without it", async () => {
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
      createdBy: owner.id,
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      successorId: null,
    });
    expect(await statusOf(secret)).to.equal(200);
    expect(await list()).to.deep.equal({ total: 1, nextCursor: null, items: [apiKey] });
    expect(await actions()).to.deep.equal([["API_KEY_CREATED", apiKey.id]]);
  });

  it("are listed newest first, in pages, and by status", async () => {
    const keys = [];
    for (const name of ["one", "two", "three", "four"]) keys.push((await created({ name })).apiKey);
    const [active, expired, revoked, both] = keys.map(({ id }) => id!);
    await expire(expired!);
    await expire(both!);
    for (const id of [revoked, both]) await ask(REVOKE, { id });
    const idsOf = async (status?: string) => (await list({ status })).items.map(({ id }: { id: string }) => id);
    expect(await idsOf()).to.deep.equal([both, revoked, expired, active]);
    expect(await idsOf("ACTIVE")).to.deep.equal([active]);
    expect(await idsOf("EXPIRED")).to.deep.equal([expired]);
    expect(await idsOf("REVOKED")).to.deep.equal([both, revoked]);
    const first = await list({ limit: 3 });
    expect(first).to.include({ total: 4 });
    expect((await list({ limit: 3, after: first.nextCursor })).items.map(({ id }: { id: string }) => id)).to.deep.equal(
      [active],
    );
    expect(first.items.map(({ status }: { status: string }) => status)).to.deep.equal([
      "REVOKED",
      "REVOKED",
      "EXPIRED",
    ]);
  });

  it("are not made of bad input: everything wrong is named at once, and nothing is stored", async () => {
    const input = { name: " ", scopes: [], expiresAt: later(-1) };
    const { issues } = (await create(input)).errors[0]!.extensions as unknown as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path)).to.have.members(["name", "scopes", "expiresAt"]);
    for (const name of ["a".repeat(256), "a\0b", "\ud800"]) {
      expect(codes(await create({ name })), name).to.deep.equal(["VALIDATION_FAILED"]);
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

  it("cannot hold scopes that the plan does not include", async () => {
    await useShop({ plan: Plan.GROWTH });
    const answer = await create({ scopes: ["READ_ORDERS", "WRITE_ORDERS"] });
    expect(codes(answer)).to.deep.equal(["VALIDATION_FAILED"]);
    expect(JSON.stringify(answer.errors)).to.include("write_orders").and.not.include("read_orders");
    await created({ scopes: ["READ_ORDERS", "READ_INVENTORY"] });
  });

  for (const [plan, limit] of [
    [Plan.GROWTH, 2],
    [Plan.ENTERPRISE, 10],
  ] as const) {
    it(`are at most ${limit} under ${plan}, also when ten ask for the last place at once`, async () => {
      await useShop({ plan });
      for (let count = 1; count < limit; count += 1) await created();
      const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
      const refused = answers.flatMap(codes);
      expect(refused).to.deep.equal(Array.from({ length: 9 }, () => "LIMIT_REACHED"));
      expect(await list({ status: "ACTIVE" })).to.include({ total: limit });
      expect(await actions()).to.have.length(limit);
    });
  }

  describe("take a place of the plan", () => {
    beforeEach(() => useShop({ plan: Plan.GROWTH }));

    it("until they are revoked or expire, and not beside their successor", async () => {
      const { apiKey: first } = await created();
      const { apiKey: second } = await created();
      expect(codes(await create())).to.deep.equal(["LIMIT_REACHED"]);
      expect((await rotate(first.id!)).errors).to.deep.equal([]);
      expect(codes(await create())).to.deep.equal(["LIMIT_REACHED"]);
      await ask(REVOKE, { id: second.id });
      const { apiKey: third } = await created();
      expect(codes(await create())).to.deep.equal(["LIMIT_REACHED"]);
      await expire(third.id!);
      await created();
    });

    it("again when their successor ends before them", async () => {
      const { apiKey: old } = await created();
      const { apiKey: successor } = (await rotate(old.id!)).data.rotateApiKey;
      await ask(REVOKE, { id: successor.id });
      await created();
      // Else there would be no end to the keys that are alive.
      expect(codes(await create())).to.deep.equal(["LIMIT_REACHED"]);
    });
  });

  describe("when rotated", () => {
    it("live on beside their successor, which has their name and scopes", async () => {
      const { secret: oldSecret, apiKey: old } = await created({ scopes: ["READ_PRODUCTS", "READ_ORDERS"] });
      const rotatedAt = Date.now();
      const answer = await rotate(old.id!);
      const { secret, apiKey } = answer.data.rotateApiKey;
      expect(secret).not.to.equal(oldSecret);
      expect(apiKey).to.deep.include({ name: old.name, scopes: old.scopes, status: "ACTIVE", expiresAt: null });
      expect([await statusOf(oldSecret), await statusOf(secret)]).to.deep.equal([200, 200]);
      const [after, before] = (await list()).items;
      expect([apiKey.predecessorId, after.predecessorId, before.predecessorId]).to.deep.equal([old.id, old.id, null]);
      expect(before).to.deep.include({ id: old.id, successorId: apiKey.id, status: "ACTIVE" });
      expect(Date.parse(before.expiresAt)).to.be.within(rotatedAt + 24 * HOUR, Date.now() + 24 * HOUR);
      expect(await actions()).to.deep.equal([
        ["API_KEY_CREATED", old.id],
        ["API_KEY_ROTATED", old.id],
      ]);
    });

    it("end within a second without an overlap, and with their own time when that is sooner", async () => {
      const { secret, apiKey } = await created();
      expect(await statusOf(secret)).to.equal(200);
      const { secret: successor } = (await rotate(apiKey.id!, { overlapHours: 0 })).data.rotateApiKey;
      await becomes(secret, 401);
      expect(await statusOf(successor)).to.equal(200);
      const expiresAt = later(1);
      const { apiKey: short } = await created({ expiresAt });
      const own = later(1000);
      const { apiKey: next } = (await rotate(short.id!, { overlapHours: 168, expiresAt: own })).data.rotateApiKey;
      expect(next.expiresAt).to.equal(own);
      const { items } = await list();
      expect(items.find(({ id }: { id: string }) => id === short.id).expiresAt).to.equal(expiresAt);
    });

    it("are refused when their overlap is over", async () => {
      const { secret, apiKey } = await created();
      await rotate(apiKey.id!, { overlapHours: 1 });
      expect(await statusOf(secret)).to.equal(200);
      await expire(apiKey.id!);
      await becomes(secret, 401);
    });

    it("need no free place, and keep only the scopes that the plan still includes", async () => {
      const keys = [];
      for (let count = 0; count < 10; count += 1) {
        keys.push((await created({ scopes: count === 0 ? ["WRITE_ORDERS"] : ["READ_ORDERS", "WRITE_ORDERS"] })).apiKey);
      }
      expect((await rotate(keys[1]!.id!)).data.rotateApiKey.apiKey.scopes).to.deep.equal([
        "READ_ORDERS",
        "WRITE_ORDERS",
      ]);
      await query(server.databaseUrl, "update shops set plan = 'GROWTH' where id = $1", [shop.id]);
      expect((await rotate(keys[2]!.id!)).data.rotateApiKey.apiKey.scopes).to.deep.equal(["READ_ORDERS"]);
      expect(codes(await rotate(keys[0]!.id!))).to.deep.equal(["PLAN_FORBIDS"]);
      await query(server.databaseUrl, "update shops set plan = 'NONE' where id = $1", [shop.id]);
      expect(codes(await rotate(keys[3]!.id!))).to.deep.equal(["PLAN_FORBIDS"]);
    });

    it("cannot be rotated again, nor their successor while they live", async () => {
      const { apiKey: old } = await created();
      const { apiKey: successor } = (await rotate(old.id!)).data.rotateApiKey;
      expect(codes(await rotate(old.id!))).to.deep.equal(["INVALID_STATE"]);
      const answer = await rotate(successor.id);
      expect(codes(answer)).to.deep.equal(["INVALID_STATE"]);
      expect(answer.errors[0]!.message).to.match(/revoke it first/);
      await ask(REVOKE, { id: old.id });
      expect((await rotate(successor.id)).errors).to.deep.equal([]);
    });

    it("cannot be revoked or expired", async () => {
      const { apiKey: revoked } = await created();
      await ask(REVOKE, { id: revoked.id });
      const { apiKey: expired } = await created();
      await expire(expired.id!);
      for (const id of [revoked.id!, expired.id!]) expect(codes(await rotate(id))).to.deep.equal(["INVALID_STATE"]);
    });

    it("get one successor, however many ask at once", async () => {
      const { apiKey } = await created();
      const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(apiKey.id!)));
      expect(answers.flatMap(codes)).to.deep.equal(Array.from({ length: 4 }, () => "INVALID_STATE"));
      expect(await list()).to.include({ total: 2 });
    });

    it("take an overlap of 0 to 168 hours, and an end in the future", async () => {
      const { apiKey } = await created();
      for (const input of [{ overlapHours: -1 }, { overlapHours: 169 }, { expiresAt: later(-1) }]) {
        expect(codes(await rotate(apiKey.id!, input)), JSON.stringify(input)).to.deep.equal(["VALIDATION_FAILED"]);
      }
      for (const input of [{ overlapHours: 1.5 }, { overlapHours: null }, { overlapHours: "24" }]) {
        expect((await rotate(apiKey.id!, input)).status, JSON.stringify(input)).to.equal(400);
      }
      expect(await list()).to.include({ total: 1 });
    });
  });

  describe("when revoked", () => {
    it("are refused within a second, once and for all", async () => {
      const { secret, apiKey } = await created();
      expect(await statusOf(secret)).to.equal(200);
      const first = (await ask(REVOKE, { id: apiKey.id })).data.revokeApiKey;
      expect(first).to.include({ id: apiKey.id, status: "REVOKED" });
      await becomes(secret, 401);
      const again = await ask(REVOKE, { id: apiKey.id });
      // The use before may be written only now.
      expect(again.data.revokeApiKey).to.deep.equal({ ...first, lastUsedAt: again.data.revokeApiKey.lastUsedAt });
      expect(await actions()).to.deep.equal([
        ["API_KEY_CREATED", apiKey.id],
        ["API_KEY_REVOKED", apiKey.id],
      ]);
    });
  });

  it("of others answer like those that do not exist", async () => {
    const foreign = await buildShop(server.em);
    await buildKey(server.em, foreign);
    const [row] = await query<{ id: string }>(server.databaseUrl, "select id from api_keys where shop_id = $1", [
      foreign.id,
    ]);
    for (const document of [ROTATE, REVOKE]) {
      for (const id of [row!.id, newId("key"), "nonsense", "key_\0", ""]) {
        const { errors } = await ask(document, { id });
        expect(errors.map(({ message, extensions }) => [message, extensions.code])).to.deep.equal([
          ["API key not found", "NOT_FOUND"],
        ]);
      }
    }
    for (const document of [CREATE, REVOKE, ROTATE]) {
      const input = document === CREATE ? { name: "Mine", scopes: ["READ_ORDERS"] } : {};
      const variables = { shopId: foreign.id, id: row!.id, input };
      expect(codes(await askGraphql(server, document, variables, session))).to.deep.equal(["SHOP_NOT_FOUND"]);
    }
    const [after] = await query(server.databaseUrl, "select revoked_at, successor_id from api_keys where id = $1", [
      row!.id,
    ]);
    expect(after).to.deep.equal({ revoked_at: null, successor_id: null });
  });
});
