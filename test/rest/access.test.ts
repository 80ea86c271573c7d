import { expect } from "chai";
import { scopeFor } from "../../src/core/access/permissions.ts";
import { SCOPES, type Scope } from "../../src/core/model/permissions.ts";
import { newId, type IdPrefix } from "../../src/core/model/ids.ts";
import type { Route } from "../../src/rest/route.ts";
import { routes } from "../../src/rest/router.ts";
import { buildTenant, type Tenant } from "../support/shops/access.ts";
import { call, type Answer } from "../support/client.ts";
import { query } from "../support/database.ts";
import { buildKey } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

const VALID_BODY = { title: "Stoneware Mug", price: 14.5 };
const prefixes = { Product: "prod", Order: "ord", Customer: "cus" } as const;

type Resource = keyof typeof prefixes;

function pathOf(route: Route, shopId: string, id: string): string {
  return `/${shopId}${route.path.replace(/\{\w+\}/, id)}`;
}

/** All of an answer that a client could compare with another; its own number and the time aside. */
function comparable({ status, headers, text }: Answer): unknown {
  const kept = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status, headers: kept, text };
}

describe("A route", () => {
  const server = useServer();
  let foreign: Tenant;

  before(async () => {
    foreign = await buildTenant(server.em);
  });

  /** A shop with a key of these scopes, and whatever changed after the key was issued. */
  async function open(scopes: readonly Scope[], change?: string) {
    const tenant = await buildTenant(server.em);
    const key = await buildKey(server.em, tenant.shop, scopes);
    if (change !== undefined) await query(server.databaseUrl, change, [tenant.shop.id]);
    return { tenant, key };
  }

  type Opened = Awaited<ReturnType<typeof open>>;

  const withoutPlan = "update shops set plan = 'NONE' where id = $1";
  const onGrowth = "update shops set plan = 'GROWTH' where id = $1";

  /** Sends a valid request, or one with all mistakes from this one on. */
  async function send(route: Route, { tenant, key }: Opened, from?: "shop" | "input" | "record") {
    const isInvalid = from === "shop" || from === "input";
    const known = tenant.ids[route.resource as Resource];
    const id = known === undefined || from === undefined ? known : newId(prefixes[route.resource as Resource]);
    const path = pathOf(route, from === "shop" ? foreign.shop.id : tenant.shop.id, id ?? "");
    const body = route.body && (isInvalid ? { price: "free" } : VALID_BODY);
    return call(server, route.method, path + (isInvalid ? "?limit=0&color=red" : ""), { key, body });
  }

  function expectError(answer: Answer, status: number, error: string, hint?: Scope): void {
    const { details, hint: given, ...rest } = answer.json as Record<string, unknown>;
    expect([answer.status, rest], answer.text).to.deep.equal([status, { error }]);
    if (hint === undefined) expect(given).to.equal(undefined);
    else expect(given).to.contain(hint);
    if (status === 400) expect(details).to.have.length.above(0);
    else expect(details).to.equal(undefined);
  }

  const PLAN = "Plan does not allow this scope";
  const SCOPE = "API key does not have the required scope";

  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    const scope = scopeFor(route.permission)!;
    const others = SCOPES.filter((each) => each !== scope);

    it(`checks key, shop, plan, scope, input and record in this order: ${name}`, async () => {
      const notFound = `${route.resource} not found`;
      const revoked = await open(others, "update api_keys set revoked_at = now() where shop_id = $1");
      expectError(await send(route, revoked, "shop"), 401, "Unauthorized");
      const unplanned = await open(others, withoutPlan);
      expectError(await send(route, unplanned, "shop"), 404, notFound);
      expectError(await send(route, unplanned, "input"), 403, PLAN, scope);
      expectError(await send(route, await open(others), "input"), 403, SCOPE, scope);
      const admitted = await open([scope]);
      expectError(await send(route, admitted, "input"), 400, "Validation error");
      const absent = await send(route, admitted, "record");
      if (route.resource === "Shop") expect(absent.status).to.equal(route.status);
      else expectError(absent, 404, notFound);
      expect((await send(route, admitted)).status).to.equal(route.status);
    });

    it(`is open to the plans that include its scope: ${name}`, async () => {
      const trial = (end: string) => `update shops set plan = 'TRIAL', trial_ends_at = now() ${end} where id = $1`;
      const changes = {
        [trial("+ interval '1 day'")]: true,
        [trial("- interval '1 day'")]: false,
        [withoutPlan]: false,
      };
      for (const [change, isOpen] of Object.entries({ ...changes, [onGrowth]: scope.startsWith("read_") })) {
        const answer = await send(route, await open(SCOPES, change));
        if (isOpen) expect(answer.status, change).to.equal(route.status);
        else expectError(answer, 403, PLAN, scope);
      }
    });

    it(`is open to its scope only: ${name}`, async () => {
      for (const only of SCOPES) {
        const { status } = await send(route, await open([only]));
        expect(status, only).to.equal(only === scope ? route.status : 403);
      }
    });

    if (route.method === "GET") {
      it(`checks HEAD like GET: ${name}`, async () => {
        for (const [status, { tenant, key }] of [
          [200, await open([scope])],
          [403, await open(others)],
          [401, await open([scope], "delete from api_keys where shop_id = $1")],
        ] as const) {
          const path = pathOf(route, tenant.shop.id, tenant.ids[route.resource as Resource] ?? "");
          const answer = await call(server, "HEAD", path, { key });
          expect([answer.status, answer.text]).to.deep.equal([status, ""]);
        }
      });
    }
  }
});

describe("A response", () => {
  const server = useServer();
  let own: Tenant;
  let key: string;
  let foreign: Tenant;

  before(async () => {
    own = await buildTenant(server.em);
    key = await buildKey(server.em, own.shop);
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
          `${ownId}0`,
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
