import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { AuditAction } from "../../../src/core/model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../../src/core/audit/record-audit.ts";
import { whileCommitsFail } from "../../support/postgres/failing-commits.ts";
import { openWorld, useWorld } from "../../support/world.ts";

interface Entry {
  id: string;
  action: string;
  actorKind: string;
  actorId: string | null;
  targetId: string;
  targetName: string;
  createdAt: string;
}

describe("The audit log", () => {
  const world = useWorld({}, { name: "Harbour Goods" });
  const { server, shop, staff: owner, session, send, run, refusal, sql } = world;

  beforeEach(async () => {
    // Logins are included too.
    await session();
    await sql("delete from audit_entries where shop_id = $1");
  });

  const log = (variables: Record<string, unknown> = {}) =>
    run("auditLog", variables) as Promise<{ total: number; nextCursor: string | null; items: Entry[] }>;
  const keyNamed = (name: string) => ({ input: { name, scopes: ["READ_ORDERS", "READ_PRODUCTS"] } });
  const createKey = async (name: string) => (await run("createApiKey", keyNamed(name))).apiKey.id as string;
  const recordAsOperator = (action: AuditAction, details = {}) =>
    server.em.transactional((em) => recordAudit({ em, shop, actor: operator }, { action, target: shop, details }));

  it("records actor, action, target and time", async () => {
    const before = Date.now();
    const id = await createKey("ERP");
    const { total, items } = await log();
    expect(total).to.equal(1);
    const [entry] = items;
    expect(entry!.id).to.match(/^aud_/);
    expect(entry).to.deep.include({
      action: "API_KEY_CREATED",
      actorKind: "STAFF",
      actorId: owner.id,
      actorName: owner.email,
      targetId: id,
      targetName: "ERP",
      details: [{ name: "scopes", value: "read_orders, read_products" }],
    });
    expect(Date.parse(entry!.createdAt)).to.be.within(before, Date.now());
  });

  it("has pages, newest first", async () => {
    const ids = [];
    for (const name of ["one", "two", "three"]) ids.push(await createKey(name));
    const targets = ({ items }: { items: Entry[] }) => items.map(({ targetId }) => targetId);
    const first = await log({ limit: 2 });
    expect(targets(first)).to.deep.equal([ids[2], ids[1]]);
    const second = await log({ limit: 2, after: first.nextCursor });
    expect(targets(second)).to.deep.equal([ids[0]]);
    expect([first.total, second.total, second.nextCursor]).to.deep.equal([3, 3, null]);
    expect(targets(await log({ order: "ASC" }))).to.deep.equal(ids);
  });

  it("finds words of actions, actors and records, and their IDs", async () => {
    const [first, second] = [await createKey("Till İzmir"), await createKey("Till 100%_")];
    const found = async (search: string, rest = {}) =>
      (await log({ search, ...rest })).items.map(({ targetId }) => targetId);
    expect(await found("  till API key ")).to.deep.equal([second, first]);
    expect(await found(`${owner.email.toUpperCase()} i\u0307zmir`)).to.deep.equal([first]);
    expect(await found("#100%_")).to.deep.equal([second]);
    expect(await found(`${first} ${owner.id}`)).to.deep.equal([first]);
    expect(await found("nobody till")).to.deep.equal([]);
    expect(await found("till", { createdBefore: "2020-01-01T00:00:00Z" })).to.deep.equal([]);
    expect(await found(" # ")).to.have.length(2);
    const searchActions = ["API_KEY_CREATED"];
    expect(await found("nobody", { searchActions })).to.deep.equal([second, first]);
    expect(await found("nobody", { searchActions, actions: ["SHOP_UPDATED"] })).to.deep.equal([]);
    for (const search of ["a".repeat(201), "a\0", "1 2 3 4 5 6 7 8 9"]) {
      expect((await refusal("auditLog", { search }))[0]).to.equal("VALIDATION_FAILED");
    }
  });

  it("filters by actions, target, actor and time", async () => {
    const [first, second] = [await createKey("one"), await createKey("two")];
    await recordAsOperator(AuditAction.MEMBER_ADDED, { role: "OWNER" });
    const names = async (filter: Record<string, unknown>) => (await log(filter)).items.map((entry) => entry.targetName);
    expect(await names({ actions: ["MEMBER_ADDED"] })).to.deep.equal([shop.name]);
    expect(await names({ actions: ["MEMBER_ADDED", "API_KEY_CREATED"] })).to.deep.equal([shop.name, "two", "one"]);
    expect(await names({ actions: ["API_KEY_CREATED", "API_KEY_REVOKED"], actorId: owner.id })).to.have.length(2);
    expect((await refusal("auditLog", { actions: [] }))[0]).to.equal("VALIDATION_FAILED");
    expect(await names({ targetId: first })).to.deep.equal(["one"]);
    expect(await names({ actorId: owner.id })).to.deep.equal(["two", "one"]);
    expect(await names({ actorId: owner.id, targetId: second })).to.deep.equal(["two"]);
    await sql("update audit_entries set created_at = '2026-01-01' where shop_id = $1 and target_id = $2", first);
    expect(await names({ createdSince: "2026-01-01T00:00:00.001Z" })).to.deep.equal([shop.name, "two"]);
    expect(await names({ createdSince: "2026-01-01T00:00:00.000Z" })).to.have.length(3);
    expect(await names({ createdBefore: "2026-01-01T00:00:00.000Z" })).to.deep.equal([]);
    expect(await names({ createdBefore: "2026-01-01T00:00:00.001Z" })).to.deep.equal(["one"]);
    for (const nobody of ["nonsense", ""]) {
      expect(await names({ targetId: nobody }), nobody).to.deep.equal([]);
      expect(await names({ actorId: nobody }), nobody).to.deep.equal([]);
    }
    for (const filter of [{ actions: ["EVERYTHING"] }, { createdSince: "yesterday" }]) {
      expect((await send("auditLog", filter)).status).to.equal(400);
    }
  });

  it("names operators without an ID", async () => {
    await recordAsOperator(AuditAction.SHOP_UPDATED);
    const { items } = await log();
    const nobody = { actorId: null, actorName: null, address: null, userAgent: null };
    expect(items[0]).to.deep.include({ actorKind: "OPERATOR", details: [], ...nobody });
  });

  it("belongs to one shop", async () => {
    await createKey("ERP");
    const { items } = await (await openWorld(server)).run("auditLog");
    expect(items.map(({ action }: Entry) => action)).to.deep.equal(["MEMBER_LOGGED_IN"]);
  });

  it("omits refused changes", async () => {
    await refusal("createApiKey", keyNamed(" "));
    expect((await log()).total).to.equal(0);
  });

  it("commits together with the change", async () => {
    await whileCommitsFail(server.databaseUrl, "audit_entries", async () => {
      expect(await refusal("createApiKey", keyNamed("ERP"))).to.deep.equal(["INTERNAL_SERVER_ERROR"]);
      expect(await refusal("updateShop", { input: { name: "Other" } })).to.deep.equal(["INTERNAL_SERVER_ERROR"]);
    });
    const rows = await sql(
      "select name from shops where id = $1 union all select name from api_keys where shop_id = $1",
    );
    expect(rows).to.deep.equal([{ name: "Harbour Goods" }]);
  });

  describe("of updateShop", () => {
    it("records what changed", async () => {
      const changed = await run("updateShop", { input: { name: " Harbour & Co ", allowsOverselling: true } });
      const settings = { name: "Harbour & Co", allowsOverselling: true, plan: "ENTERPRISE" };
      expect(changed).to.deep.include({ id: shop.id, ...settings });
      await run("updateShop", { input: { allowsOverselling: false } });
      const [named, overselling] = await world.audited();
      expect(named).to.deep.equal([
        "SHOP_UPDATED",
        { oldName: "Harbour Goods", name: "Harbour & Co", oldAllowsOverselling: "false", allowsOverselling: "true" },
      ]);
      expect(overselling).to.deep.equal(["SHOP_UPDATED", { oldAllowsOverselling: "true", allowsOverselling: "false" }]);
    });

    it("omits calls that change nothing or are invalid", async () => {
      for (const input of [
        {},
        { name: null, allowsOverselling: null },
        { name: "Harbour Goods ", allowsOverselling: false },
      ]) {
        expect((await run("updateShop", { input })).name).to.equal("Harbour Goods");
      }
      for (const name of [" ", "a".repeat(256), "a\0b", "\ud800"]) {
        expect((await refusal("updateShop", { input: { name } }))[0]).to.equal("VALIDATION_FAILED");
      }
      for (const input of [{ name: 1 }, { allowsOverselling: "yes" }, { plan: "ENTERPRISE" }, { currency: "USD" }]) {
        expect((await send("updateShop", { input })).status).to.equal(400);
      }
      expect(await world.audited()).to.deep.equal([]);
    });
  });
});
