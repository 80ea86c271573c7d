import { expect } from "chai";
import { query } from "../support/database.ts";
import { buildKey, buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";
import { useWorld } from "../support/world.ts";

const LOG_IN =
  "mutation ($email: String!, $password: String!) { logIn(email: $email, password: $password) { id email } }";
const LOG_OUT = "mutation { logOut }";
const VIEWER = "{ viewer { id memberships { shop { id name } permissions } } }";
const SHOP = "query ($id: ID!) { shop(id: $id) { id name plan currency } }";

describe("POST /graphql", () => {
  const { server, shop, staff: owner } = useWorld({}, { name: "Harbour Goods" });

  describe("logIn", () => {
    it("opens a session in a cookie that scripts and other sites cannot use", async () => {
      const { data, headers } = await askGraphql(server, LOG_IN, { ...owner });
      expect(data.logIn).to.deep.equal({ id: owner.id, email: owner.email });
      const cookies = headers.getSetCookie();
      expect(cookies).to.have.length(2);
      const [pair, ...attributes] = cookies[0]!.split("; ");
      expect(pair).to.match(/^session=[\w-]{43}$/);
      const named = Object.fromEntries(attributes.map((text) => text.toLowerCase().split("=")));
      expect(named).to.have.keys("path", "expires", "httponly", "samesite");
      expect(named).to.include({ path: "/", samesite: "lax" });
      const hours = (Date.parse(named.expires!) - Date.now()) / 3_600_000;
      expect(hours).to.be.within(11.9, 12.1);
    });

    it("does not store the token", async () => {
      const { cookie } = await logIn(server, owner);
      const rows = await query<{ session: string }>(
        server.databaseUrl,
        "select sessions::text as session from sessions",
      );
      const hex = Buffer.from(cookie.replace("session=", "")).toString("hex");
      for (const { session } of rows) expect(session).not.to.include(hex);
    });

    it("answers alike for a wrong password and an unknown address, without a cookie", async () => {
      const answers = [
        await askGraphql(server, LOG_IN, { ...owner, password: `${owner.password}x` }),
        await askGraphql(server, LOG_IN, { ...owner, password: "" }),
        await askGraphql(server, LOG_IN, { ...owner, email: "nobody@example.com" }),
      ];
      for (const { data, errors, headers } of answers) {
        expect(data).to.equal(null);
        expect(errors).to.have.length(1);
        expect(errors[0]).to.include({ message: "Incorrect email or password" });
        expect(errors[0]!.extensions.code).to.equal("INVALID_CREDENTIALS");
        expect(headers.getSetCookie()).to.deep.equal([]);
      }
    });
  });

  describe("a session", () => {
    it("ends with logOut, also in the database", async () => {
      const session = await logIn(server, owner);
      const { data, headers } = await askGraphql(server, LOG_OUT, {}, session);
      expect(data.logOut).to.equal(true);
      expect(headers.getSetCookie()[0]).to.match(/^session=;.*expires=Thu, 01 Jan 1970/i);
      expect((await askGraphql(server, VIEWER, {}, session)).data.viewer).to.equal(null);
    });

    it("is refused for an invalid token", async () => {
      for (const cookie of ["session=", "session=nonsense", `session=${"a".repeat(43)}`, "other=1"]) {
        expect((await askGraphql(server, VIEWER, {}, { cookie })).data.viewer, cookie).to.equal(null);
      }
    });
  });

  describe("without a session", () => {
    it("has no viewer", async () => {
      expect((await askGraphql(server, VIEWER)).data.viewer).to.equal(null);
      expect((await askGraphql(server, LOG_OUT)).data.logOut).to.equal(false);
    });

    it("shows no shop, even with an API key", async () => {
      const key = await buildKey(server.em, shop);
      for (const headers of [
        {},
        { authorization: `Bearer ${key}` },
        { "x-service-access-token": key },
        { cookie: `session=${key}` },
      ] as Record<string, string>[]) {
        const { data, errors } = await askGraphql(server, SHOP, { id: shop.id }, headers);
        expect(data?.shop ?? null).to.equal(null);
        expect(errors.map(({ extensions }) => extensions.code)).to.deep.equal(["UNAUTHENTICATED"]);
      }
    });
  });

  describe("shop", () => {
    it("is null for a foreign shop, like for a nonexistent one", async () => {
      const foreign = await buildShop(server.em);
      await buildProduct(server.em, foreign);
      const session = await logIn(server, owner);
      const unknown = await askGraphql(server, SHOP, { id: "unknown" }, session);
      expect(await askGraphql(server, SHOP, { id: foreign.id }, session)).to.deep.include({
        status: unknown.status,
        data: { shop: null },
        errors: [],
      });
      expect(unknown.data).to.deep.equal({ shop: null });
    });
  });
});

describe("POST /graphql over https", () => {
  const server = useServer({ config: { baseUrl: "https://api.shop.example" } });

  it("sets the cookies for this host and https only", async () => {
    const staff = await buildStaff(server.em, await buildShop(server.em));
    const { headers } = await askGraphql(server, LOG_IN, { ...staff });
    const [cookie, device, ...others] = headers.getSetCookie();
    expect(others).to.deep.equal([]);
    expect(device).to.match(/^__Host-device=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i);
    expect(cookie).to.match(/^__Host-session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i);
    const session = { cookie: cookie!.split(";")[0]! };
    expect((await askGraphql(server, VIEWER, {}, session)).data.viewer.id).to.equal(staff.id);
    const plain = { cookie: session.cookie.replace("__Host-", "") };
    expect((await askGraphql(server, VIEWER, {}, plain)).data.viewer).to.equal(null);
  });
});
