import { expect } from "chai";
import { purgeExpired } from "../../../src/jobs/retention/purge-expired.sql.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import type { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { codesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

const VIEWER = "{ viewer { kind id name memberships { shop { id } role permissions } } }";
const SESSIONS = "{ viewer { sessions { id createdAt lastSeenAt expiresAt address userAgent isCurrent } } }";

describe("Staff sessions", () => {
  const { server, shop, staff: owner } = useWorld();

  async function logIn(staff: TestStaff = owner, headers: Record<string, string> = {}): Promise<TestBrowser> {
    const browser = openBrowser(server, headers);
    expect(codesOf(await browser.logIn(staff))).to.deep.equal([]);
    return browser;
  }

  const isLoggedIn = async (browser: TestBrowser) => (await browser.ask(VIEWER)).data.viewer !== null;
  const sessionsOf = async (browser: TestBrowser) => (await browser.ask(SESSIONS)).data.viewer.sessions;
  const rowsOf = (staff: TestStaff) =>
    query<{ id: string; last_seen_at: Date }>(
      server.databaseUrl,
      "select * from sessions where staff_id = $1 order by created_at",
      [staff.id],
    );

  it("show the viewer", async () => {
    const { data } = await (await logIn()).ask(VIEWER);
    const { permissions, ...membership } = data.viewer.memberships[0];
    expect(data.viewer).to.include({ kind: "STAFF", id: owner.id, name: owner.email });
    expect(membership).to.deep.equal({ shop: { id: shop.id }, role: "OWNER" });
    expect(permissions).to.have.length(10);
  });

  it("are listed up to the newest hundred", async () => {
    const browser = await logIn();
    const [{ id }] = await sessionsOf(browser);
    await query(
      server.databaseUrl,
      `insert into sessions select (jsonb_populate_record(original, jsonb_build_object('id', left(original.id, 27) || lpad(number::text, 3, '0'),
        'token_digest', sha256(number::text::bytea), 'created_at', original.created_at - interval '1 second' * number))).*
      from sessions original, generate_series(1, 150) number where id = $1`,
      [id],
    );
    const listed = await sessionsOf(browser);
    expect(listed).to.have.length(100);
    expect(listed[0]).to.include({ id, isCurrent: true });
    expect(listed.at(-1).id).to.equal(`${id.slice(0, -3)}099`);
  });

  it("have the role of each shop", async () => {
    const other = await buildShop(server.em);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'VIEWER', now())", [other.id, owner.id]);
    const browser = await logIn();
    const { data } = await browser.ask(VIEWER);
    expect(data.viewer.memberships.map((one: { shop: Shop; role: Role }) => [one.shop.id, one.role])).to.deep.equal([
      [shop.id, "OWNER"],
      [other.id, "VIEWER"],
    ]);
    const create = `mutation ($id: ID!) { createProduct(shopId: $id, input: { title: "Mug", variants: [{ price: "1" }] }) { id } }`;
    expect(codesOf(await browser.ask(create, { id: shop.id }))).to.deep.equal([]);
    expect(codesOf(await browser.ask(create, { id: other.id }))).to.deep.equal(["FORBIDDEN"]);
  });

  it("are listed newest first, with origin and the current one", async () => {
    const first = await logIn(owner, { "user-agent": "First" });
    const second = await logIn(owner, { "user-agent": "x".repeat(600) });
    await logIn(await buildStaff(server.em, shop));
    const listed = await sessionsOf(first);
    expect(listed.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).to.deep.equal([false, true]);
    expect(listed[1]).to.include({ address: "127.0.0.1", userAgent: "First" });
    expect(listed[0].userAgent).to.equal("x".repeat(512));
    expect(Date.parse(listed[0].expiresAt) - Date.parse(listed[0].createdAt)).to.equal(12 * 3_600_000);
    expect((await sessionsOf(second))[0].isCurrent).to.equal(true);
    for (const token of [first.cookies.get("session")!, second.cookies.get("session")!]) {
      expect(JSON.stringify(listed)).not.to.include(token);
    }
  });

  it("expire 12 hours after the login", async () => {
    const browser = await logIn();
    await query(server.databaseUrl, "update sessions set expires_at = now() where staff_id = $1", [owner.id]);
    expect(await isLoggedIn(browser)).to.equal(false);
  });

  it("expire after an hour without use", async () => {
    const browser = await logIn();
    const rest = (interval: string) =>
      query(server.databaseUrl, "update sessions set last_seen_at = now() - $2::interval where staff_id = $1", [
        owner.id,
        interval,
      ]);
    await rest("59 minutes 50 seconds");
    expect(await isLoggedIn(browser)).to.equal(true);
    const other = await logIn();
    await rest("60 minutes");
    expect(await isLoggedIn(browser)).to.equal(false);
    await query(server.databaseUrl, "update sessions set last_seen_at = now() where id = $1", [
      (await rowsOf(owner)).at(-1)!.id,
    ]);
    expect(await sessionsOf(other)).to.have.length(1);
  });

  it("update their last use at most once a minute", async () => {
    const browser = await logIn();
    const seen = async (interval: string) => {
      const text = "update sessions set last_seen_at = now() - $2::interval where staff_id = $1 returning last_seen_at";
      const [before] = await query<{ last_seen_at: Date }>(server.databaseUrl, text, [owner.id, interval]);
      await browser.ask(VIEWER);
      const [after] = await rowsOf(owner);
      return after!.last_seen_at.getTime() - before!.last_seen_at.getTime();
    };
    expect(await seen("50 seconds")).to.equal(0);
    expect(await seen("70 seconds")).to.be.at.least(70_000);
  });

  it("are replaced by the next login of the same browser", async () => {
    const browser = await logIn();
    const old = browser.cookies.get("session")!;
    const other = await buildStaff(server.em, shop);
    await browser.logIn(other);
    expect(browser.cookies.get("session")).not.to.equal(old);
    expect(await rowsOf(owner)).to.deep.equal([]);
    expect((await browser.ask(VIEWER)).data.viewer.id).to.equal(other.id);
  });

  it("do not accept a token chosen by someone else", async () => {
    const planted = "a".repeat(43);
    const browser = openBrowser(server);
    browser.cookies.set("session", planted).set("device", planted);
    await browser.logIn(owner);
    expect(browser.cookies.get("session")).not.to.equal(planted);
    expect(browser.cookies.get("device")).not.to.equal(planted);
  });

  it("are opened once for two logins in one request", async () => {
    const browser = openBrowser(server);
    const one = `logIn(email: "${owner.email}", password: "${owner.password}") { id }`;
    await browser.ask(`mutation { a: ${one} b: ${one} }`);
    expect(await rowsOf(owner)).to.have.length(1);
    expect(await isLoggedIn(browser)).to.equal(true);
  });

  it("are purged after their end, with known devices and login counters", async () => {
    await logIn();
    await query(
      server.databaseUrl,
      "insert into login_attempts values ('\\x01', 1, now() - interval '1 second'), ('\\x02', 1, now() + interval '1 hour')",
    );
    await query(server.databaseUrl, "update sessions set expires_at = now() where staff_id = $1", [owner.id]);
    await query(
      server.databaseUrl,
      "update known_devices set last_used_at = now() - interval '366 days' where staff_id = $1",
      [owner.id],
    );
    await purgeExpired(server.em.fork(), new AbortController().signal);
    expect(await rowsOf(owner)).to.deep.equal([]);
    const devices = await query(server.databaseUrl, "select 1 from known_devices where staff_id = $1", [owner.id]);
    expect(devices).to.deep.equal([]);
    const counts = await query<{ key: Buffer }>(
      server.databaseUrl,
      "select key from login_attempts where length(key) = 1",
    );
    expect(counts.map(({ key }) => key.toString("hex"))).to.deep.equal(["02"]);
  });

  describe("endSession", () => {
    it("ends one of your sessions", async () => {
      const [first, second] = [await logIn(), await logIn()];
      const [, { id }] = await sessionsOf(second);
      expect((await second.send("endSession", { id })).data.endSession).to.equal(true);
      expect((await second.send("endSession", { id })).data.endSession).to.equal(false);
      expect([await isLoggedIn(first), await isLoggedIn(second)]).to.deep.equal([false, true]);
    });

    it("does not end others' sessions", async () => {
      const [{ id }] = await sessionsOf(await logIn());
      const other = await logIn(await buildStaff(server.em, shop));
      for (const nothing of [id, newId("ses"), "", "x\0", "\ud800"]) {
        const { data } = await other.send("endSession", { id: nothing });
        expect(data.endSession, nothing).to.equal(false);
      }
      expect(await rowsOf(owner)).to.have.length(1);
    });
  });

  it("endOtherSessions preserves this one, and those of others", async () => {
    const [first, second, third] = [await logIn(), await logIn(), await logIn()];
    const other = await logIn(await buildStaff(server.em, shop));
    expect((await second.send("endOtherSessions")).data.endOtherSessions).to.equal(2);
    expect((await second.send("endOtherSessions")).data.endOtherSessions).to.equal(0);
    const states = await Promise.all([first, second, third, other].map(isLoggedIn));
    expect(states).to.deep.equal([false, true, false, true]);
  });

  it("set a device cookie for a year", async () => {
    const browser = openBrowser(server);
    const { headers } = await browser.logIn(owner);
    const device = headers.getSetCookie().find((line) => line.startsWith("device="))!;
    expect(device).to.match(/^device=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
    const days = (Date.parse(/expires=([^;]+)/i.exec(device)![1]!) - Date.now()) / 86_400_000;
    expect(days).to.be.within(364.9, 365.1);
    const rows = await query<{ text: string }>(
      server.databaseUrl,
      "select known_devices::text as text from known_devices",
    );
    for (const { text } of rows) {
      expect(text).not.to.include(Buffer.from(browser.cookies.get("device")!).toString("hex"));
    }
  });
});
