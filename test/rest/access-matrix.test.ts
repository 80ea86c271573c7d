import { expect } from "chai";
import { scopeFor } from "../../src/core/access/permissions.ts";
import type { Scope } from "../../src/core/model/permissions.ts";
import { newId, type IdPrefix } from "../../src/core/model/ids.ts";
import type { Route } from "../../src/rest/route.ts";
import { routes } from "../../src/rest/router.ts";
import { buildTenant, credentials, type Credential, type Tenant, type Verdict } from "../support/shops/access.ts";
import { call, type Answer } from "../support/client.ts";
import { query } from "../support/database.ts";
import { useServer } from "../support/server.ts";

const VALID_BODY = { title: "Stoneware Mug", price: 14.5 };
const prefixes = { Product: "prod", Order: "ord", Customer: "cus" } as const;

type Resource = keyof typeof prefixes;

/** One way to send a request, good or bad in each of its parts. */
interface Variant {
  shop: "own" | "foreign" | "unknown";
  id: "own" | "absent";
  query: "valid" | "invalid";
  body: "valid" | "invalid";
}

function variantsOf(route: Route): Variant[] {
  const shops = ["own", "foreign", "unknown"] as const;
  const ids = route.resource === "Shop" ? (["own"] as const) : (["own", "absent"] as const);
  const inputs = ["valid", "invalid"] as const;
  const bodies = route.body ? inputs : (["valid"] as const);
  return shops.flatMap((shop) =>
    ids.flatMap((id) => inputs.flatMap((parameters) => bodies.map((body) => ({ shop, id, query: parameters, body })))),
  );
}

/** The first check that fails, in the order that the decisions give. */
function expected(route: Route, verdict: Verdict, variant: Variant): { status: number; error?: string } {
  if (verdict === "unauthorized" || verdict === "mistyped") return { status: 401, error: "Unauthorized" };
  if (variant.shop !== "own") return { status: 404, error: `${route.resource} not found` };
  if (verdict === "plan") return { status: 403, error: "Plan does not allow this scope" };
  if (verdict === "scope") return { status: 403, error: "API key does not have the required scope" };
  if (variant.query === "invalid" || variant.body === "invalid") return { status: 400, error: "Validation error" };
  if (variant.id === "absent") return { status: 404, error: `${route.resource} not found` };
  return { status: route.status };
}

function expectBody(answer: Answer, error: string, verdict: Verdict, scope: Scope): void {
  const { hint, details, ...rest } = answer.json as { hint?: string; details?: { in: string; path: string }[] };
  expect(rest).to.deep.equal({ error });
  if (answer.status === 403) expect(hint).to.contain(scope);
  else if (verdict === "mistyped") expect(hint).to.match(/mistyped or cut short/);
  else expect(hint).to.equal(undefined);
  if (answer.status === 400) expect(details).to.have.length.above(0);
  else expect(details).to.equal(undefined);
}

function expectHeaders({ status, headers }: Answer, route: Route): void {
  const isRead = status === 200;
  expect(headers.get("content-type")).to.equal("application/json; charset=utf-8");
  expect(headers.get("cache-control")).to.equal("private, no-cache");
  expect(headers.get("x-request-id")).to.match(/^[\da-f-]{36}$/);
  expect(headers.get("www-authenticate")).to.equal(status === 401 ? "Bearer" : null);
  expect(headers.get("access-control-allow-origin")).to.equal(null);
  expect(headers.has("etag")).to.equal(isRead);
  expect(headers.has("link")).to.equal(isRead && route.resource === "Shop");
  expect(headers.has("location")).to.equal(status === 201);
  expect(headers.has("retry-after")).to.equal(false);
}

function pathOf(route: Route, shopId: string, id: string): string {
  return `/${shopId}${route.path.replace(/\{\w+\}/, id)}`;
}

/** All of an answer that a client could compare with another; its own number and the time aside. */
function comparable({ status, headers, text }: Answer): unknown {
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status, headers: kept, text };
}

describe("Access to each route", () => {
  const server = useServer();
  const built = new Map<Credential, { tenant: Tenant; key: string | undefined }>();
  let foreign: Tenant;

  before(async () => {
    foreign = await buildTenant(server.em);
    for (const credential of credentials) built.set(credential, await credential.build(server.em));
  });

  async function countProducts(shopId: string): Promise<number> {
    const rows = await query(server.databaseUrl, "select id from products where shop_id = $1", [shopId]);
    return rows.length;
  }

  function send(route: Route, { tenant, key }: { tenant: Tenant; key: string | undefined }, variant: Variant) {
    const shopId = { own: tenant.shop.id, foreign: foreign.shop.id, unknown: newId("shop") }[variant.shop];
    const isSingle = route.resource !== "Shop";
    const absent = isSingle ? newId(prefixes[route.resource as Resource]) : "";
    const owner = variant.shop === "foreign" ? foreign : tenant;
    const id = variant.id === "absent" ? absent : isSingle ? owner.ids[route.resource as Resource] : "";
    const parameters = variant.query === "invalid" ? "?limit=0&color=red" : "";
    const body = route.body && (variant.body === "invalid" ? { price: "free" } : VALID_BODY);
    return call(server, route.method, pathOf(route, shopId, id) + parameters, { key, body });
  }

  for (const route of routes) {
    const scope = scopeFor(route.permission)!;

    describe(`${route.method} ${route.path}`, () => {
      for (const credential of credentials) {
        const verdict = credential.verdict(scope);

        it(`returns ${verdict} to ${credential.name}, before it reads the input`, async () => {
          const owner = built.get(credential)!;
          const before = await countProducts(owner.tenant.shop.id);
          let created = 0;
          for (const variant of variantsOf(route)) {
            const answer = await send(route, owner, variant);
            const { status, error } = expected(route, verdict, variant);
            expect(answer.status, `${JSON.stringify(variant)} ${answer.text}`).to.equal(status);
            if (error !== undefined) expectBody(answer, error, verdict, scope);
            expectHeaders(answer, route);
            if (status === 201) created += 1;
          }
          expect(await countProducts(owner.tenant.shop.id)).to.equal(before + created);
        });
      }

      if (route.method === "GET") {
        it("checks HEAD like GET", async () => {
          for (const credential of credentials) {
            const { tenant, key } = built.get(credential)!;
            const path = pathOf(route, tenant.shop.id, tenant.ids[route.resource as Resource] ?? "");
            const answer = await call(server, "HEAD", path, { key });
            const variant = { shop: "own", id: "own", query: "valid", body: "valid" } as const;
            const { status } = expected(route, credential.verdict(scope), variant);
            expect(answer.status, credential.name).to.equal(status);
            expect(answer.text).to.equal("");
          }
        });
      }
    });
  }
});

describe("A response", () => {
  const server = useServer();
  const admitted = credentials.find(({ name }) => name === "a key with every scope")!;
  let own: Tenant;
  let key: string;
  let foreign: Tenant;

  before(async () => {
    const built = await admitted.build(server.em);
    own = built.tenant;
    key = built.key!;
    foreign = await buildTenant(server.em);
  });

  /** Texts that name nothing, whatever they look like. */
  function strangers(prefix: IdPrefix): string[] {
    return [
      newId(prefix),
      newId(prefix).toUpperCase(),
      newId("evt"),
      "0",
      "null",
      "__proto__",
      "constructor",
      "%00",
      `${newId(prefix)}%00`,
      `${newId(prefix)}%0A`,
      "%2F",
      "..%2F..%2Forders",
      "%",
      "%zz",
      "%ff%fe",
      "%ed%a0%80",
      encodeURIComponent("‮привет 😀"),
      "'%20or%20''='",
      "a".repeat(10_240),
      "%F0%9F%98%80".repeat(800),
    ];
  }

  async function expectSame(route: Route, paths: string[]): Promise<void> {
    const body = route.body && VALID_BODY;
    const answers = await Promise.all(paths.map((path) => call(server, route.method, path, { key, body })));
    const [first, ...others] = answers.map(comparable);
    expect(first).to.deep.include({ status: 404, text: `{"error":"${route.resource} not found"}` });
    others.forEach((other, index) => expect(other, paths[index + 1]!.slice(0, 200)).to.deep.equal(first));
  }

  for (const route of routes) {
    it(`of ${route.method} ${route.path} is the same for a foreign and a nonexistent shop`, async () => {
      const id = own.ids[route.resource as Resource] ?? "";
      const foreignId = foreign.ids[route.resource as Resource] ?? "";
      await expectSame(route, [
        pathOf(route, newId("shop"), id),
        pathOf(route, foreign.shop.id, id),
        pathOf(route, foreign.shop.id, foreignId),
        pathOf(route, foreign.shop.id, newId("prod")),
        ...strangers("shop").map((shopId) => pathOf(route, shopId, id)),
        pathOf(route, own.shop.id.toUpperCase(), id),
        pathOf(route, `${own.shop.id}%20`, id),
        pathOf(route, `${own.shop.id},${foreign.shop.id}`, id),
      ]);
    });
  }

  for (const route of routes.filter(({ resource }) => resource !== "Shop")) {
    const resource = route.resource as Resource;

    it(`of ${route.method} ${route.path} is the same for a foreign and a nonexistent ID`, async () => {
      const ownId = own.ids[resource];
      const others = (Object.keys(prefixes) as Resource[]).filter((name) => name !== resource);
      await expectSame(
        route,
        [
          newId(prefixes[resource]),
          foreign.ids[resource],
          ...others.flatMap((name) => [own.ids[name], foreign.ids[name], ownId.replace(/^[a-z]+/, prefixes[name])]),
          own.shop.id,
          ...strangers(prefixes[resource]),
          ownId.toUpperCase(),
          `%20${ownId}`,
          `${ownId}%0A`,
          `${ownId}%2F`,
          ownId.slice(0, -1),
        ].map((id) => pathOf(route, own.shop.id, id)),
      );
    });
  }

  it("is the same for a percent-encoded ID", async () => {
    const path = `/${own.shop.id.replace("_", "%5F")}/products/${own.ids.Product.replace("_", "%5f")}`;
    const { status, json } = await call(server, "GET", path, { key });
    expect(status).to.equal(200);
    expect(json.product.id).to.equal(own.ids.Product);
  });
});
