import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { createApiKey } from "../../src/core/credentials/api-keys/api-keys.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { runCommand } from "../support/programs/command.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";

describe("merchant-api keys", function () {
  this.timeout(120_000);
  const { server, shop, sql } = useWorld();

  const run = (...command: string[]) => runCommand(["keys", ...command], { DATABASE_URL: server.databaseUrl });
  const onlyKeyOf = async ({ id }: Shop) => {
    const [row] = await query<{ id: string }>(server.databaseUrl, "select id from api_keys where shop_id = $1", [id]);
    return row!.id;
  };
  const trace = (secret: string) => `${secret.slice(0, "sk_live_".length + 4)}…${secret.slice(-4)}`;

  it("list prints a shop's keys with their creators, without secrets", async () => {
    const owner = await buildStaff(server.em, shop);
    const actor = { ...operator, kind: "STAFF" as const, id: owner.id, name: owner.email };
    const expiresAt = new Date(Date.now() + 60_000);
    const first = await createApiKey(
      { em: server.em, shop, actor },
      { name: "ERP", scopes: ["read_orders"], expiresAt },
    );
    const secret = await buildKey(server.em, shop, ["read_products", "write_products"]);
    await buildKey(server.em, await buildShop(server.em));
    const used = "2026-11-20T08:00:00.000Z";
    await query(server.databaseUrl, "update api_keys set last_used_at = $2, revoked_at = now() where id = $1", [
      first.apiKey.id,
      used,
    ]);
    const { code, stdout } = await run("list", "--shop", shop.id, "--json");
    expect(code).to.equal(0);
    const [newest, oldest, ...others] = JSON.parse(stdout);
    expect(others).to.deep.equal([]);
    expect(oldest).to.deep.equal({
      id: first.apiKey.id,
      name: "ERP",
      key: trace(first.secret),
      status: "REVOKED",
      scopes: ["read_orders"],
      lastUsedAt: used,
      expiresAt: expiresAt.toISOString(),
      createdBy: owner.email,
      createdAt: first.apiKey.createdAt.toISOString(),
    });
    expect(newest).to.include({ key: trace(secret), status: "ACTIVE", lastUsedAt: null, createdBy: "OPERATOR" });
    const table = (await run("list", "--shop", shop.id)).stdout;
    expect(table).to.include("read_products, write_products");
    for (const shown of [stdout, table]) {
      for (const hidden of [secret, first.secret]) expect(shown).not.to.include(hidden.slice(12, -4));
    }
  });

  it("create limits a key to addresses and a time, and names scopes that open no route", async () => {
    const scopes = ["--scope", "read_products,write_orders"];
    const limits = ["--expires", "2999-01-31", "--allow", "203.0.113.0/24,2001:DB8::1"];
    const { code, stdout, stderr } = await run("create", "--shop", shop.id, "--name", "ERP", ...scopes, ...limits);
    expect(code).to.equal(0);
    expect(stderr).to.equal("› No route requires write_orders yet\n");
    const { status, json } = await call(server, "GET", `/${shop.id}/products`, { key: stdout.trim() });
    expect(status).to.equal(403);
    expect(json.error).to.include("API key does not allow requests from");
    const stored = "select expires_at, allowed_addresses from api_keys where shop_id = $1";
    expect(await sql(stored)).to.deep.equal([
      { expires_at: new Date("2999-01-31T00:00:00Z"), allowed_addresses: ["203.0.113.0/24", "2001:db8::1"] },
    ]);
  });

  it("list reports an empty list", async () => {
    const table = await run("list", "--shop", shop.id);
    expect(table).to.deep.equal({ code: 0, stdout: "", stderr: "› None found\n" });
    expect(await run("list", "--shop", shop.id, "--json")).to.deep.equal({ code: 0, stdout: "[]\n", stderr: "" });
  });

  it("revoke ends a key within a second, with one audit entry", async () => {
    const key = await buildKey(server.em, shop);
    const keyId = await onlyKeyOf(shop);
    const revoke = () => run("revoke", "--shop", shop.id, "--key", keyId, "--json");
    const first = JSON.parse((await revoke()).stdout);
    expect(first).to.include({ id: keyId, key: trace(key), status: "REVOKED" });
    await eventually(
      () => call(server, "GET", `/${shop.id}/products`, { key }),
      ({ status }) => status === 401,
    );
    expect(JSON.parse((await revoke()).stdout)).to.deep.equal(first);
    const audit = "select actor_kind, target_id from audit_entries where shop_id = $1 and action = 'API_KEY_REVOKED'";
    expect(await sql(audit)).to.deep.equal([{ actor_kind: "OPERATOR", target_id: keyId }]);
  });

  it("reports mistakes in one line", async () => {
    await buildKey(server.em, shop);
    const keyId = await onlyKeyOf(shop);
    const other = await buildShop(server.em);
    for (const [command, message] of [
      [["list", "--shop", "shop_x"], "Shop not found"],
      [
        ["create", "--shop", other.id, "--name", "ERP", "--scope", "read_orders", "--expires", "soon"],
        "--expires: Must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T09:30Z",
      ],
      [["revoke", "--shop", other.id, "--key", keyId], "API key not found"],
    ] as const) {
      expect(await run(...command)).to.deep.equal({ code: 1, stdout: "", stderr: `${message}\n` });
    }
    const revoked = "select 1 from api_keys where shop_id = $1 and revoked_at is not null";
    expect(await sql(revoked)).to.deep.equal([]);
  });
});
