import { expect } from "chai";
import { operator, type Actor } from "../../../src/core/access/actor.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { disableAccount, enableAccount } from "../../../src/core/staff/flows/disable-account.ts";
import { setPassword } from "../../../src/core/staff/flows/passwords.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, openBrowserAs, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";
import { untilBlocked } from "../../support/postgres/lock-waits.ts";

const VIEWER = "{ viewer { id } }";

describe("A disabled account", () => {
  const world = useWorld();
  const { server, shop, staff, send } = world;
  let browser: TestBrowser;

  beforeEach("log in", async () => {
    browser = await world.browser();
  });

  const openAs = (account: TestStaff) => openBrowserAs(server, account);

  const disable = ({ email }: TestStaff = staff) => disableAccount(server.em, operator, email);
  const enable = () => enableAccount(server.em, operator, staff.email.toUpperCase());
  const tryLogIn = (password: string, from = openBrowser(server)) => from.logIn({ email: staff.email, password });
  const isLoggedIn = async (which: TestBrowser) => (await which.ask(VIEWER)).data.viewer !== null;
  const actorOf = ({ id, email }: TestStaff): Actor => ({ ...operator, kind: "STAFF", id, name: email });
  const resultOf = ({ data, errors }: GraphqlAnswer) => ({ data, errors });
  const auditOf = (action: string) =>
    query(
      server.databaseUrl,
      `select shop_id, actor_kind, target_id, target_name, details from audit_entries
      where action = $1 and target_id = $2 order by shop_id`,
      [action, staff.id],
    );

  it("loses its sessions, and those of others continue", async () => {
    const others = [await openAs(await buildStaff(server.em, shop)), await openAs(await buildStaff(server.em, shop))];
    await openAs(staff);
    const { sessions, isChanged } = await disable();
    expect([sessions, isChanged]).to.deep.equal([2, true]);
    expect(await isLoggedIn(browser)).to.equal(false);
    for (const other of others) expect(await isLoggedIn(other)).to.equal(true);
  });

  it("is answered like a wrong password, even with the correct one from a known browser", async () => {
    await disable();
    const wrong = await tryLogIn("a wrong password");
    expect(codesOf(wrong)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(resultOf(await tryLogIn(staff.password))).to.deep.equal(resultOf(wrong));
    expect(resultOf(await tryLogIn(staff.password, browser))).to.deep.equal(resultOf(wrong));
    const codes = [];
    // Ten from one place, whether right or wrong: two are over.
    for (let guess = 0; guess < 9; guess += 1) codes.push(...codesOf(await tryLogIn(staff.password)));
    expect(codes.slice(-2)).to.deep.equal(["INVALID_CREDENTIALS", "RATE_LIMITED"]);
  });

  it("cannot complete a login that started before", async () => {
    let login!: Promise<GraphqlAnswer>;
    await server.em.transactional(async (transaction) => {
      await disableAccount(transaction, operator, staff.email);
      login = tryLogIn(staff.password);
      await untilBlocked(server.databaseUrl);
    });
    expect(codesOf(await login)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(await query(server.databaseUrl, "select 1 from sessions where staff_id = $1", [staff.id])).to.be.empty;
  });

  it("cannot accept an invitation", async () => {
    const other = await buildShop(server.em);
    const token = await buildInvitation(server, other.id, operator, { email: staff.email, role: Role.OWNER });
    await disable();
    for (const password of [staff.password, "a password of theirs"]) {
      expect(codesOf(await openBrowser(server).send("acceptInvitation", { token, password }))).to.deep.equal([
        "INVALID_CREDENTIALS",
      ]);
    }
    const members = "select 1 from memberships where shop_id = $1";
    expect(await query(server.databaseUrl, members, [other.id])).to.deep.equal([]);
    await enable();
    expect(
      codesOf(await openBrowser(server).send("acceptInvitation", { token, password: staff.password })),
    ).to.deep.equal([]);
  });

  it("has its invitations revoked in every shop", async () => {
    const other = await buildShop(server.em);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'OWNER', now())", [other.id, staff.id]);
    let invited = 0;
    const invite = async ({ id }: Shop, actor: Actor) => {
      const request = { email: `disabled-${(invited += 1)}@example.com`, role: Role.VIEWER };
      return buildInvitation(server, id, actor, request);
    };
    const dead = [await invite(shop, actorOf(staff)), await invite(other, actorOf(staff))];
    const alive = [await invite(shop, operator), await invite(other, actorOf(await buildStaff(server.em, other)))];
    await disable();
    const revoked = `select shop_id, actor_kind from audit_entries
      where action = 'INVITATION_REVOKED' and shop_id = any($1) order by shop_id`;
    expect(await query(server.databaseUrl, revoked, [[shop.id, other.id]])).to.deep.equal([
      { shop_id: shop.id, actor_kind: "OPERATOR" },
      { shop_id: other.id, actor_kind: "OPERATOR" },
    ]);
    // By a request of theirs that was under way.
    dead.push(await invite(shop, actorOf(staff)));
    const accept = async (token: string) =>
      codesOf(await openBrowser(server).send("acceptInvitation", { token, password: "a password of theirs" }));
    for (const token of dead) expect(await accept(token)).to.deep.equal(["NOT_FOUND"]);
    for (const token of alive) expect(await accept(token)).to.deep.equal([]);
  });

  it("does not count as an owner", async () => {
    const other = await buildStaff(server.em, shop);
    expect((await disable(other)).shopsWithoutOwner).to.deep.equal([]);
    const alone = await send("changeMemberRole", { staffId: staff.id, role: "CLERK" });
    expect(codesOf(alone)).to.deep.equal(["INVALID_STATE"]);
    expect((await disable()).shopsWithoutOwner).to.deep.equal([shop.id]);
  });

  it("is recorded once in the audit log of each shop, like enabling", async () => {
    const other = await buildShop(server.em);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'CLERK', now())", [other.id, staff.id]);
    const { account } = await disable();
    const again = await disable({ ...staff, email: staff.email.toUpperCase() });
    expect(again).to.deep.include({ isChanged: false, sessions: 0 });
    expect(again.account.disabledAt).to.deep.equal(account.disabledAt);
    expect((await enable()).isChanged).to.equal(true);
    expect((await enable()).isChanged).to.equal(false);
    const target = { target_id: staff.id, target_name: staff.email, details: {} };
    for (const action of ["MEMBER_DISABLED", "MEMBER_ENABLED"]) {
      expect(await auditOf(action), action).to.deep.equal(
        [shop.id, other.id].map((id) => ({ shop_id: id, actor_kind: "OPERATOR", ...target })),
      );
    }
  });

  it("stays disabled after a new password, which works once it is enabled", async () => {
    await disable();
    const password = "another long password";
    await setPassword(server.em, operator, { email: staff.email, password });
    expect(codesOf(await tryLogIn(password))).to.deep.equal(["INVALID_CREDENTIALS"]);
    await enable();
    expect(await isLoggedIn(browser)).to.equal(false);
    expect(codesOf(await tryLogIn(password))).to.deep.equal([]);
  });
});
