import { expect } from "chai";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { buildKey, buildProduct } from "../../support/factories.ts";
import { askGraphql, documentOf, type GraphqlAnswer } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

const PRODUCTS = "query ($shopId: ID!) { shop(id: $shopId) { id products { total } } }";
const VIEWER = "{ viewer { id memberships { shop { id } permissions } } }";

const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

describe("Service tokens", () => {
  const { server, shop, staff: owner, session, run, send, sql } = useWorld();

  const create = (input: Record<string, unknown> = {}) =>
    send("createServiceToken", { input: { name: "Storefront", permissions: ["READ_PRODUCTS"], ...input } });
  const created = async (input: Record<string, unknown> = {}) => {
    const answer = await create(input);
    expect(answer.errors).to.deep.equal([]);
    return answer.data.createServiceToken as { secret: string; serviceToken: Record<string, string> };
  };
  const as = (secret: string, document: string, variables: Record<string, unknown> = {}, headers = {}) =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, { authorization: `Bearer ${secret}`, ...headers });
  const audit = () =>
    sql(
      "select action, target_id, target_name from audit_entries where shop_id = $1 and action <> 'MEMBER_LOGGED_IN' order by id",
    );

  it("are created with a secret, listed without it, and audited", async () => {
    const { secret, serviceToken } = await created({ permissions: ["READ_ORDERS", "READ_PRODUCTS", "READ_ORDERS"] });
    expect(secret).to.match(/^svt_[0-9A-Za-z]{33}$/);
    expect(serviceToken).to.deep.include({
      name: "Storefront",
      status: "ACTIVE",
      permissions: ["READ_ORDERS", "READ_PRODUCTS"],
      firstCharacters: secret.slice(0, 8),
      lastCharacters: secret.slice(-4),
      createdBy: owner.id,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await run("serviceTokens")).to.deep.equal({ total: 1, nextCursor: null, items: [serviceToken] });
    expect(await audit()).to.deep.equal([
      { action: "SERVICE_TOKEN_CREATED", target_id: serviceToken.id, target_name: "Storefront" },
    ]);
  });

  it("are listed by status, by the database's clock", async () => {
    const [alive, expired, revoked] = [await created(), await created(), await created()];
    const { id } = expired.serviceToken;
    await query(server.databaseUrl, "update service_tokens set expires_at = now() where id = $1", [id]);
    const ended = await run("revokeServiceToken", { id: revoked.serviceToken.id });
    expect(ended.status).to.equal("REVOKED");
    for (const [status, { serviceToken }] of [
      ["ACTIVE", alive],
      ["EXPIRED", expired],
      ["REVOKED", revoked],
    ] as const) {
      const { total, items } = await run("serviceTokens", { status });
      expect([total, items.map((item: { id: string }) => item.id)]).to.deep.equal([1, [serviceToken.id]]);
      expect(items[0].status).to.equal(status);
    }
    expect((await run("serviceTokens")).total).to.equal(3);
  });

  it("show their shop and permissions as the viewer", async () => {
    await buildProduct(server.em, shop);
    const { secret, serviceToken } = await created();
    expect((await as(secret, PRODUCTS)).data.shop.products.total).to.equal(1);
    expect((await as(secret, VIEWER)).data.viewer).to.deep.equal({
      id: serviceToken.id,
      memberships: [{ shop: { id: shop.id }, permissions: ["READ_PRODUCTS"] }],
    });
  });

  it("work with any plan, in any number", async () => {
    await sql("update shops set plan = 'NONE' where id = $1");
    const all = [];
    for (let count = 0; count < 12; count += 1) all.push(await created());
    expect((await as(all[11]!.secret, PRODUCTS)).errors).to.deep.equal([]);
  });

  it("are refused with invalid input", async () => {
    const input = { name: "", permissions: [], expiresAt: "2020-01-01T00:00:00Z" };
    const { issues } = (await create(input)).errors[0]!.extensions as unknown as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path)).to.have.members(["name", "permissions", "expiresAt"]);
    for (const name of ["a".repeat(256), "a\0b", "\udfff"]) {
      expect(codes(await create({ name }))).to.deep.equal(["VALIDATION_FAILED"]);
    }
    for (const permissions of [["read_products"], ["EVERYTHING"], null, [null]]) {
      expect((await create({ permissions })).status).to.equal(400);
    }
    expect((await run("serviceTokens")).total).to.equal(0);
    expect(await audit()).to.deep.equal([]);
  });

  it("cannot have SETTINGS", async () => {
    const answer = await create({ permissions: ["READ_PRODUCTS", "SETTINGS"] });
    const { code, issues } = answer.errors[0]!.extensions as unknown as { code: string; issues: { path: string }[] };
    expect(code).to.equal("VALIDATION_FAILED");
    expect(issues.map(({ path }) => path)).to.deep.equal(["permissions"]);
  });

  it("are refused immediately after revocation, which happens once", async () => {
    const { secret, serviceToken } = await created();
    const { id } = serviceToken;
    const first = await run("revokeServiceToken", { id });
    expect(first.revokedAt).to.be.a("string");
    const refused = await as(secret, PRODUCTS);
    expect(refused.status).to.equal(401);
    expect(codes(refused)).to.deep.equal(["UNAUTHENTICATED"]);
    expect(await run("revokeServiceToken", { id })).to.deep.equal(first);
    expect((await audit()).map(({ action }) => action)).to.deep.equal([
      "SERVICE_TOKEN_CREATED",
      "SERVICE_TOKEN_REVOKED",
    ]);
  });

  it("are refused after their expiry", async () => {
    const { secret, serviceToken } = await created({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await as(secret, PRODUCTS)).status).to.equal(200);
    await query(server.databaseUrl, "update service_tokens set expires_at = now() where id = $1", [serviceToken.id]);
    expect((await as(secret, PRODUCTS)).status).to.equal(401);
  });

  it("do not work with the REST API", async () => {
    const { secret } = await created();
    expect((await call(server, "GET", `/${shop.id}/products`, { key: secret })).status).to.equal(401);
  });

  describe("in the Authorization header", () => {
    it("take precedence over a session", async () => {
      const { secret, serviceToken } = await created();
      expect((await as(secret, VIEWER, {}, await session())).data.viewer.id).to.equal(serviceToken.id);
      expect(codes(await as(secret, documentOf("serviceTokens"), {}, await session()))).to.deep.equal(["FORBIDDEN"]);
      expect((await as("nonsense", VIEWER, {}, await session())).status).to.equal(401);
    });

    it("cannot be combined with other credentials", async () => {
      const { secret } = await created();
      for (const authorization of [
        "",
        "Bearer",
        secret,
        `Token ${secret}`,
        `Basic ${Buffer.from(`${secret}:`).toString("base64")}`,
        `Bearer ${secret} ${secret}`,
        "Bearer nonsense",
        `Bearer ${secret.toUpperCase()}`,
      ]) {
        const answer = await askGraphql(server, VIEWER, {}, { authorization, ...(await session()) });
        expect(answer.status, authorization).to.equal(401);
        expect(answer.headers.get("www-authenticate")).to.equal("Bearer");
        expect(answer.data, authorization).to.equal(undefined);
        expect(answer.errors.map(({ message }) => message)).to.deep.equal(["Unauthorized"]);
        expect(codes(answer)).to.deep.equal(["UNAUTHENTICATED"]);
      }
    });

    it("get a hint when they are mistyped, or are an API key", async () => {
      const hintOf = async (text: string) =>
        ((await as(text, VIEWER)).errors[0]!.extensions as { hint?: string }).hint ?? "";
      const { secret } = await created();
      expect(await hintOf(secret.slice(0, -1))).to.match(/mistyped/);
      const key = await buildKey(server.em, shop);
      expect(await hintOf(key)).to.match(/REST API/);
      expect(await hintOf(key.slice(0, -3))).to.match(/REST API/);
    });
  });
});
