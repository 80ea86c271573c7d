import { expect } from "chai";
import { generateToken } from "../src/core/staff/accounts/token.ts";
import { call } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { buildKey } from "./support/factories.ts";
import { askGraphql } from "./support/graphql.ts";
import { collectLines } from "./support/telemetry/log-lines.ts";
import { useServer } from "./support/server.ts";
import { openWorld, useWorld } from "./support/world.ts";

describe("The log line of a request", () => {
  const { logger, lines } = collectLines();
  const world = useWorld({ logger });
  const { server, shop } = world;
  let key: string;

  beforeEach(async () => {
    key = await world.key();
    lines.length = 0;
  });

  const only = async () => {
    const found = await eventually(
      // The helper that calls asks for the document, too.
      () => lines.filter(({ msg, path }) => msg === "request" && path !== "/api/v1/openapi.json"),
      ({ length }) => length > 0,
    );
    expect(found).to.have.length(1);
    return found[0]!;
  };

  it("has shop, key, route, status and size for REST", async () => {
    const { text, headers } = await world.call("GET", "/products?search=secret");
    const line = await only();
    expect(line).to.deep.include({
      requestId: headers.get("x-request-id"),
      shopId: shop.id,
      method: "GET",
      path: `/api/v1/${shop.id}/products`,
      route: "/products",
      status: 200,
      bytes: Buffer.byteLength(text),
    });
    expect(line.actor).to.match(/^apiKey key_/);
    expect(line.ms).to.be.a("number");
    expect(JSON.stringify(line)).not.to.include("secret");
  });

  it("has no secret from X-Request-Id", async () => {
    for (const secret of [key, generateToken()]) {
      lines.length = 0;
      const answer = await world.call("GET", "/products", { headers: { "X-Request-Id": secret } });
      expect(answer.headers.get("x-request-id")).to.match(/^[\da-f-]{36}$/);
      expect(JSON.stringify(await only())).not.to.include(secret);
    }
  });

  it("has the error code, and the caller as far as known", async () => {
    await world.call("GET", "/products", { key: await buildKey(server.em, shop, ["read_orders"]) });
    expect(await only()).to.deep.include({ status: 403, errors: "FORBIDDEN", shopId: shop.id });
    lines.length = 0;
    await call(server, "GET", `/${shop.id}/products`);
    const stranger = await only();
    expect(stranger).to.deep.include({ status: 401, errors: "UNAUTHENTICATED", route: "/products" });
    expect(stranger).not.to.have.any.keys("shopId", "actor");
    lines.length = 0;
    await fetch(`${server.url}/nowhere`);
    expect(await only()).to.deep.include({ status: 404, errors: "HTTP_404" });
  });

  it("masks secrets in the path, and has no query", async () => {
    const token = generateToken();
    const whole = () => JSON.stringify(lines);
    for (const [path, logged] of [
      [`/api/v1/${shop.id}/products/${key}`, `/api/v1/${shop.id}/products/***`],
      [`/api/v1/${shop.id}/products/${key.replace("_", "%5f")}?key=${key}`, `/api/v1/${shop.id}/products/***`],
      [`/api/v1/${key}/products?${key}`, "/api/v1/***/products"],
      [`/${key}`, "/***"],
      [`/admin/join/${token}?token=${token}`, "/admin/join/***"],
    ] as const) {
      lines.length = 0;
      await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
      expect((await only()).path).to.equal(logged);
      for (const hidden of [key.slice(8), token]) expect(whole(), path).not.to.include(hidden);
    }
  });

  it("has the route of pages, assets and the document", async () => {
    for (const [path, route] of [
      ["/", "/"],
      ["/admin/login", "/admin/*"],
      ["/admin/assets/none.js", "/admin/assets/*"],
      ["/docs", "/docs"],
    ] as const) {
      lines.length = 0;
      await fetch(server.url + path, { redirect: "manual" });
      expect(await only()).to.deep.include({ path, route });
    }
    await fetch(`${server.url}/api/v1/openapi.json`);
    await eventually(
      () => lines.filter(({ msg, route }) => msg === "request" && route === "/openapi.json"),
      ({ length }) => length > 0,
    );
  });

  it("has staff member, fields and error codes for GraphQL", async () => {
    await world.session();
    lines.length = 0;
    await world.ask("query MyName ($shopId: ID!) { a: shop(id: $shopId) { order(id: $shopId) { id } } viewer { id } }");
    const line = await only();
    expect(line).to.deep.include({
      operation: "query shop.order viewer",
      route: "/graphql",
      shopId: shop.id,
      status: 200,
    });
    expect(line.actor).to.match(/^staff stf_/);
    expect(line).not.to.have.property("errors");
    lines.length = 0;
    await askGraphql(server, "mutation { deleteProduct(shopId: 1, id: 2) { id } }");
    expect(await only()).to.deep.include({ errors: "GRAPHQL_VALIDATION_FAILED", status: 400 });
  });

  it("has no message of an error", async () => {
    await askGraphql(server, "{ viewers { id } }");
    expect(JSON.stringify(await only())).not.to.include("viewers");
  });

  it("is omitted for a successful probe", async () => {
    for (const path of ["/livez", "/readyz", "/health"]) expect((await fetch(server.url + path)).status).to.equal(200);
    expect((await fetch(`${server.url}/livez`, { method: "POST" })).status).to.equal(405);
    expect(await only()).to.deep.include({ status: 405 });
  });

  it("has the client's request ID if it is well-formed", async () => {
    for (const [given, isKept] of Object.entries({
      "01JD-abc_9.x:y": true,
      [crypto.randomUUID()]: true,
      short: false,
      'with "quotes" and spaces': false,
      ["x".repeat(65)]: false,
    })) {
      lines.length = 0;
      const { headers } = await fetch(`${server.url}/nowhere`, { headers: { "x-request-id": given } });
      const requestId = headers.get("x-request-id");
      expect(requestId === given, given).to.equal(isKept);
      expect((await only()).requestId).to.equal(requestId);
    }
  });
});

describe("At the level debug, the log", () => {
  const { logger, lines } = collectLines("debug");
  const server = useServer({ logger });

  const answerTo = async (ask: () => Promise<unknown>) => {
    lines.length = 0;
    await ask();
    const refused = () => lines.filter(({ msg }) => msg === "request refused");
    const [line, ...others] = await eventually(refused, ({ length }) => length > 0);
    expect(others).to.deep.equal([]);
    expect(line!.requestId).to.match(/^[\da-f-]{36}$/);
    return line!.answer as string;
  };

  it("has the messages that the client of REST got", async () => {
    const world = await openWorld(server);
    const key = await world.key();
    const answer = await answerTo(() => world.call("GET", `/products?limt=5&${key}=1`));
    const { error, details } = JSON.parse(answer);
    expect(error).to.equal("Validation error");
    expect(details[0]).to.deep.include({ in: "query", path: "limt" });
    expect(answer).not.to.include(key.slice(8));
  });

  it("has those of GraphQL, without the values of the client", async () => {
    const unknown = await answerTo(() => askGraphql(server, "{ viewers { id } }"));
    expect(unknown).to.include("Cannot query field");
    const login = "mutation ($email: String!, $password: String!) { logIn(email: $email, password: $password) { id } }";
    const create =
      "mutation ($shopId: ID!, $input: CreateProductInput!) { createProduct(shopId: $shopId, input: $input) { id } }";
    for (const [document, variables, reason] of [
      [login, { email: "ada@example.com", password: ["hunter2; hunter2"] }, "got invalid value ***"],
      [
        create,
        { shopId: "1", input: { title: "Mug", titel: "hunter2", variants: [] } },
        '***; Field \\"titel\\" is not defined by type',
      ],
      ['{ shop(id: { is: "hunter2" }) { id } }', {}, "ID cannot represent a non-string and non-integer value: ***"],
    ] as const) {
      const answer = await answerTo(() => askGraphql(server, document, variables));
      expect(answer).to.include(reason).and.not.include("hunter2");
    }
  });
});
