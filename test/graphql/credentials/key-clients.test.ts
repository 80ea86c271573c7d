import { expect } from "chai";
import { scopeFor } from "../../../src/core/access/permissions.ts";
import { routes } from "../../../src/rest/router.ts";
import { eventually } from "../../support/eventually.ts";
import { LIST_TOOLS, postMcp } from "../../support/mcp.ts";
import { useWorld } from "../../support/world.ts";

const LOG = `query ($shopId: ID!, $address: String, $userAgent: String) { shop(id: $shopId) {
  requests(address: $address, userAgent: $userAgent) { items { address userAgent status path method } } } }`;
const KEY = `query ($shopId: ID!, $id: ID!, $allowed: [String!]!) { shop(id: $shopId) { apiKey(id: $id) {
  allowedAddresses isSafeToRevoke usage { logStartsAt usedScopes clients { address userAgent requests } }
  rehearseAllowedAddresses(allowedAddresses: $allowed) { requests refusedRequests refusedAddresses } } } }`;

describe("The clients of an API key", () => {
  const world = useWorld({ config: { trustedProxies: 1 } });
  const { ask, run, refusal } = world;
  let secret: string;
  let id: string;

  beforeEach(async () => {
    const scopes = ["READ_PRODUCTS", "WRITE_PRODUCTS", "READ_ORDERS"];
    ({
      secret,
      apiKey: { id },
    } = await run("createApiKey", { input: { name: "ERP", scopes } }));
  });

  const headersOf = (address: string, userAgent = "erp/1.0") => ({
    "x-forwarded-for": `198.51.100.1, ${address}`,
    "user-agent": userAgent,
  });
  const from = (address: string, userAgent?: string, path = "/products") =>
    world.call("GET", path, { key: secret, headers: headersOf(address, userAgent) });
  const logged = (filter: object = {}) => ask(LOG, { ...filter }).then(({ data }) => data.shop.requests.items);
  const shown = (allowed: string[] = []) => ask(KEY, { id, allowed }).then(({ data }) => data.shop.apiKey);
  const allow = (allowedAddresses: string[]) => run("setAllowedAddresses", { id, allowedAddresses });
  const hasLogged = (count: number) => eventually(logged, (items: unknown[]) => items.length === count);

  it("are in the log of requests, which finds them by address, its start and User-Agent", async () => {
    for (const address of ["203.0.113.5", "[::ffff:cb00:7105]:443", "2001:DB8:0::9"]) await from(address);
    await from("203.0.113.77", `curl/8.5 \u00e9${"x".repeat(10_000)}`);
    const [last] = await hasLogged(4);
    expect(last).to.deep.include({ address: "203.0.113.77", userAgent: `curl/8.5 \u00e9${"x".repeat(190)}` });
    expect(await logged({ address: "203.0.113.5" })).to.have.length(2);
    expect(await logged({ address: "203.0.113.", userAgent: "CURL" })).to.deep.equal([last]);
    expect(await logged({ address: "203.0.113.7" })).to.deep.equal([]);
    expect(await logged({ address: "2001:db8:" })).to.have.length(1);
  });

  it("are shown with the key and the scopes that they used", async () => {
    expect(await shown()).to.deep.include({
      isSafeToRevoke: false,
      usage: { logStartsAt: null, usedScopes: [], clients: [] },
    });
    await from("203.0.113.5");
    await from("203.0.113.5");
    await hasLogged(2);
    await from("203.0.113.6", "curl/8.5", "/customers");
    await hasLogged(3);
    const clients = [
      { address: "203.0.113.6", userAgent: "curl/8.5", requests: 1 },
      { address: "203.0.113.5", userAgent: "erp/1.0", requests: 2 },
    ];
    expect((await shown()).usage).to.deep.equal({ logStartsAt: null, usedScopes: ["READ_PRODUCTS"], clients });
    const used = "update api_keys set last_used_at = now() - $2::interval where shop_id = $1";
    for (const [age, isSafe] of [
      ["27 days", false],
      ["29 days", true],
    ] as const) {
      await world.sql(used, age);
      expect(await shown()).to.include({ isSafeToRevoke: isSafe });
    }
    for (const { method, path, permission } of routes) {
      expect(scopeFor(permission)).to.equal(`${method === "GET" ? "read" : "write"}_${path.split("/")[1]}`);
    }
  });

  it("are refused outside of the key's allowed addresses, over REST and MCP, also with its successor", async () => {
    await from("203.0.113.5");
    await from("203.0.113.5");
    await from("198.51.100.9");
    await hasLogged(3);
    expect((await shown(["203.0.113.0/24"])).rehearseAllowedAddresses).to.deep.equal({
      requests: 3,
      refusedRequests: 1,
      refusedAddresses: ["198.51.100.9"],
    });
    expect((await from("198.51.100.9")).status).to.equal(200);
    const key = await allow([" 203.0.113.0/24", "2001:DB8:0::/32", "203.0.113.0/24"]);
    expect(key.allowedAddresses).to.deep.equal(["203.0.113.0/24", "2001:db8::/32"]);
    const { status, json } = await eventually(
      () => from("198.51.100.9"),
      (answer) => answer.status !== 200,
      1_500,
    );
    expect([status, json.error]).to.deep.equal([403, "API key does not allow requests from 198.51.100.9"]);
    for (const address of ["203.0.113.250", "::ffff:203.0.113.1", "2001:db8::1"]) {
      expect((await from(address)).status, address).to.equal(200);
    }
    const { secret: successor } = await run("rotateApiKey", { id, input: { overlapHours: 1 } });
    for (const credential of [secret, successor]) {
      const answer = await postMcp(world.server, credential, LIST_TOOLS, headersOf("198.51.100.9"));
      expect(answer.status).to.equal(403);
    }
    const refused = await eventually(
      () => logged({ address: "198.51.100.9" }),
      (items) => items.filter(({ path }: { path: string }) => path === "/mcp").length === 2,
    );
    expect(refused[0]).to.include({ status: 403, method: "POST" });
    await allow([]);
    await eventually(
      () => from("198.51.100.9"),
      (answer) => answer.status === 200,
      1_500,
    );
    expect((await world.audited()).map(([action]) => action)).to.deep.equal([
      "API_KEY_CREATED",
      "API_KEY_UPDATED",
      "API_KEY_ROTATED",
      "API_KEY_UPDATED",
    ]);
  });

  it("cannot be restricted to anything but addresses and networks", async () => {
    const bad = [
      "203.0.113.0/33",
      "203.0.113.1/",
      "203.0.113",
      "::ffff:203.0.113.0/120",
      "fe80::1%eth0",
      "::/129",
      "",
      "\0",
    ];
    for (const network of [...bad, "2001:db8::/032", "example.com", "x".repeat(100_000)]) {
      const refused = await refusal("setAllowedAddresses", { id, allowedAddresses: ["::1", network] });
      expect(refused, network.slice(0, 50)).to.deep.equal(["VALIDATION_FAILED", "allowedAddresses.1: invalid_value"]);
    }
    const many = Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`);
    expect(await refusal("setAllowedAddresses", { id, allowedAddresses: many })).to.deep.equal([
      "VALIDATION_FAILED",
      "allowedAddresses: too_big",
    ]);
    expect((await allow(many.slice(1))).allowedAddresses).to.have.length(50);
  });
});
