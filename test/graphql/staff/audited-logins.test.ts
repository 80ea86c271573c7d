import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { useStatementLog } from "../../support/postgres/statements.ts";
import { buildFactor, wrongCode } from "../../support/staff/second-factor.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import {
  fillUp,
  logInFrom,
  someAddress,
  tally,
  times,
  unknown,
  wrong,
  type Account,
} from "../../support/staff/logins.ts";
import { useServer } from "../../support/server.ts";

const USER_AGENT = "Till/1";

describe("Logins in the audit log", () => {
  const server = useServer({ config: { trustedProxies: 1 } });
  const log = useStatementLog();
  let shops: [Shop, Shop];
  let member: TestStaff;
  let address: string;
  let browser: TestBrowser;

  beforeEach(async () => {
    shops = [await buildShop(server.em), await buildShop(server.em)];
    member = await buildStaff(server.em, shops[0], Role.CLERK);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'OWNER', now())", [
      shops[1].id,
      member.id,
    ]);
    address = someAddress();
    browser = openBrowser(server, { "x-forwarded-for": address, "user-agent": USER_AGENT });
  });

  const rows = <Row>(text: string, values: unknown[] = []) => query<Row>(server.databaseUrl, text, values);
  /** The entries of the member, oldest first, with their actor and origin. */
  const entries = (shop: Shop) =>
    rows<Record<string, unknown>>(
      `select action, actor_kind, actor_id, actor_name, target_id, target_name, details, address, user_agent
      from audit_entries where shop_id = $1 and target_id = $2 order by created_at, id`,
      [shop.id, member.id],
    );
  const actions = async (shop: Shop) => (await entries(shop)).map(({ action }) => action);
  const expectInBoth = async (expected: string[]) => {
    for (const shop of shops) expect(await actions(shop)).to.deep.equal(expected);
  };
  const changePassword = (currentPassword: string) =>
    browser.send("changePassword", { currentPassword, newPassword: "the next long password" });
  const entry = (action: string, details = {}) => ({
    action,
    actor_kind: "STAFF",
    actor_id: member.id,
    actor_name: member.email,
    target_id: member.id,
    target_name: member.email,
    details,
    address,
    user_agent: USER_AGENT,
  });

  it("are recorded in each shop of the account, with member and origin", async () => {
    const bystander = await buildShop(server.em);
    await browser.logIn(member);
    for (const shop of shops) expect(await entries(shop)).to.deep.equal([entry("MEMBER_LOGGED_IN")]);
    expect(await rows("select from audit_entries where shop_id = $1", [bystander.id])).to.deep.equal([]);
  });

  it("include the new session after a changed password", async () => {
    await browser.logIn(member);
    expect(codesOf(await changePassword(member.password))).to.deep.equal([]);
    await expectInBoth(["MEMBER_LOGGED_IN", "MEMBER_PASSWORD_CHANGED", "MEMBER_LOGGED_IN"]);
  });

  it("omit the invitation's shop in other shops", async () => {
    const inviting = await buildShop(server.em);
    const token = await buildInvitation(server, inviting.id, operator, { email: member.email, role: Role.VIEWER });
    expect(codesOf(await browser.send("acceptInvitation", { token, password: member.password }))).to.deep.equal([]);
    for (const shop of shops) expect(await entries(shop)).to.deep.equal([entry("MEMBER_LOGGED_IN")]);
    expect(await actions(inviting)).to.have.members(["INVITATION_ACCEPTED", "MEMBER_LOGGED_IN"]);
  });

  describe("include ended sessions", () => {
    const details = { sessions: "1" };
    const end = async (mutation: string, id?: string) => {
      await rows("delete from audit_entries");
      await browser.send(mutation, { id });
    };

    beforeEach(async () => {
      await logInFrom(server, someAddress(), member);
      await logInFrom(server, someAddress(), member);
      await browser.logIn(member);
    });

    it("by their owner: one, all others and the current one", async () => {
      const { data } = await browser.ask("{ viewer { sessions { id isCurrent } } }");
      const { id } = data.viewer.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
      for (const mutation of ["endSession", "endOtherSessions", "logOut"]) {
        await end(mutation, id);
        for (const shop of shops) {
          expect(await entries(shop), mutation).to.deep.equal([entry("MEMBER_SESSIONS_ENDED", details)]);
        }
      }
    });

    it("only if a session ended", async () => {
      await end("endOtherSessions");
      await end("endOtherSessions");
      await expectInBoth([]);
      await end("endSession", "x");
      await expectInBoth([]);
    });
  });

  describe("include refused logins", () => {
    const guess = (account: Account, from = address) => logInFrom(server, from, wrong(account));
    const lockOut = async (account: Account, from = address) => {
      expect(await tally(times(11, () => guess(account, from)))).to.include({ RATE_LIMITED: 1 });
    };
    const jobs = (action: string) =>
      rows<{ email: string }>(
        `select payload->>'email' as email from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = task_id
        where identifier = 'audit-login-failure' and payload->>'action' = $1 order by job.id`,
        [action],
      );
    const refusedLogins = () => jobs("MEMBER_LOGIN_REFUSED");
    const lockOuts = () => jobs("MEMBER_LOCKED_OUT");

    beforeEach(() => rows("delete from graphile_worker._private_jobs"));

    it("with a wrong password, once per account and window, whether or not the account exists", async () => {
      const nobody = unknown();
      for (const account of [member, nobody, { ...member, email: member.email.toUpperCase() }]) await guess(account);
      expect(await refusedLogins()).to.deep.equal([{ email: member.email }, { email: nobody.email }]);
      await rows("update login_attempts set window_ends_at = now()");
      await rows("update staff set disabled_at = now() where id = $1", [member.id]);
      await browser.logIn(member);
      expect(await refusedLogins()).to.have.length(3);
    });

    it("with a wrong code, separately", async () => {
      const { secret } = await buildFactor(server, member);
      const code = wrongCode(secret);
      for (const shown of [undefined, code, code]) await browser.logIn({ ...member, code: shown });
      expect(await jobs("MEMBER_CODE_REFUSED")).to.deep.equal([{ email: member.email }]);
      expect(await refusedLogins()).to.deep.equal([]);
    });

    it("but no login with the correct password", async () => {
      await browser.logIn(member);
      expect(await refusedLogins()).to.deep.equal([]);
    });

    it("over the limit, once per account and window, whether or not the account exists", async () => {
      const nobody = unknown();
      await lockOut(member);
      await lockOut(nobody);
      await guess({ ...member, email: member.email.toUpperCase() });
      await lockOut(member, someAddress());
      expect(await lockOuts()).to.deep.equal([{ email: member.email }, { email: nobody.email }]);
      await rows("update login_attempts set window_ends_at = now()");
      await lockOut(member);
      expect(await lockOuts()).to.have.length(3);
    });

    it("with the same statements for unknown accounts", async () => {
      const sent: string[][] = [];
      for (const account of [member, unknown()]) {
        await tally(times(10, () => guess(account)));
        for (const _ of [1, 2]) sent.push([...(await log.during(() => guess(account))).statements]);
      }
      expect(sent[0]).to.deep.equal(sent[2]);
      expect(sent[1]).to.deep.equal(sent[3]);
    });

    it("but not of an address that tries many accounts", async () => {
      const [one, other] = [unknown(), unknown()];
      await fillUp(server, () => [guess(one), guess(other)]);
      expect(codesOf(await guess(member))).to.deep.equal(["RATE_LIMITED"]);
      expect(await lockOuts()).to.deep.equal([]);
    });

    it("of wrong current passwords in a session", async () => {
      await browser.logIn(member);
      const guesses = times(11, () => changePassword("a wrong password"));
      expect(await tally(guesses)).to.include({ RATE_LIMITED: 1 });
      expect(await lockOuts()).to.deep.equal([{ email: member.email }]);
    });
  });
});

describe("Refused logins in the audit log", () => {
  const server = useServer({ worker: true, config: { trustedProxies: 1 } });

  it("are recorded in each shop, without an actor, with time and origin of the attempt", async () => {
    const [shop, other] = [await buildShop(server.em), await buildShop(server.em)];
    const member = await buildStaff(server.em, shop);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'CLERK', now())", [other.id, member.id]);
    const [address, before] = [someAddress(), Date.now()];
    for (const account of [unknown(), member]) {
      await tally(
        times(11, () => logInFrom(server, address, wrong({ ...account, email: account.email.toUpperCase() }))),
      );
    }
    const refusedBefore = Date.now();
    const read = () =>
      query<{ created_at: Date }>(server.databaseUrl, "select * from audit_entries order by shop_id, action");
    const entries = await eventually(read, (all) => all.length >= 4);
    const jobs = () => query(server.databaseUrl, "select from graphile_worker._private_jobs");
    await eventually(jobs, (waiting) => waiting.length === 0);
    expect(await read()).to.have.length(4);
    const recorded = [shop.id, other.id]
      .toSorted()
      .flatMap((shopId) => ["MEMBER_LOCKED_OUT", "MEMBER_LOGIN_REFUSED"].map((action) => ({ shopId, action })));
    for (const [index, { shopId, action }] of recorded.entries()) {
      expect(entries[index]).to.deep.include({
        shop_id: shopId,
        action,
        actor_kind: "SYSTEM",
        actor_id: null,
        target_id: member.id,
        target_name: member.email,
        details: {},
        address,
      });
      expect(entries[index]!.created_at.getTime()).to.be.within(before, refusedBefore);
    }
  });
});
