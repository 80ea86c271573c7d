import { expect } from "chai";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowserAs } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";
import { useWorld } from "../../support/world.ts";

const VIEWER = "{ viewer { name memberships { shop { id } role } } }";

interface AuditRow {
  action: string;
  actor_id: string;
  target_name: string;
  details: Record<string, string>;
}

describe("Staff of a shop", () => {
  const { server, shop, staff: owner, ask, run, send, sql } = useWorld();

  const openAs = (staff: TestStaff) => openBrowserAs(server, staff);

  const rolesOf = async () =>
    Object.fromEntries((await run("members")).map(({ id, role }: { id: string; role: Role }) => [id, role]));
  const join = (other: Shop, { id }: TestStaff) =>
    query(server.databaseUrl, "insert into memberships values ($1, $2, 'CLERK', now())", [other.id, id]);
  const auditOf = (action: string) =>
    sql<AuditRow>("select * from audit_entries where shop_id = $1 and action = $2", action);

  describe("members", () => {
    it("are listed in the order of joining", async () => {
      const clerk = await buildStaff(server.em, shop, Role.CLERK);
      await buildStaff(server.em, await buildShop(server.em));
      const members = await run("members");
      expect(members.map(({ id, email, role }: TestStaff & { role: Role }) => [id, email, role])).to.deep.equal([
        [owner.id, owner.email, "OWNER"],
        [clerk.id, clerk.email, "CLERK"],
      ]);
    });

    it("get a new role immediately, with an audit entry", async () => {
      const clerk = await buildStaff(server.em, shop, Role.CLERK);
      const clerkBrowser = await openAs(clerk);
      const changed = await run("changeMemberRole", { staffId: clerk.id, role: "VIEWER" });
      expect(changed).to.include({ id: clerk.id, email: clerk.email, role: "VIEWER" });
      expect((await clerkBrowser.ask(VIEWER)).data.viewer.memberships[0].role).to.equal("VIEWER");
      await run("changeMemberRole", { staffId: clerk.id, role: "VIEWER" });
      const audit = await auditOf("MEMBER_ROLE_CHANGED");
      expect(audit).to.have.length(1);
      expect(audit[0]).to.deep.include({ actor_id: owner.id, target_name: clerk.email });
      expect(audit[0]!.details).to.deep.equal({ from: "CLERK", to: "VIEWER" });
    });

    it("are removed immediately, and keep their account", async () => {
      const clerk = await buildStaff(server.em, shop, Role.CLERK);
      const clerkBrowser = await openAs(clerk);
      expect(await run("removeMember", { staffId: clerk.id })).to.equal(true);
      expect(await run("removeMember", { staffId: clerk.id })).to.equal(false);
      expect((await clerkBrowser.ask(VIEWER)).data.viewer).to.deep.equal({ name: clerk.email, memberships: [] });
      expect((await auditOf("MEMBER_REMOVED")).map((row) => row.target_name)).to.deep.equal([clerk.email]);
    });

    for (const role of [Role.OWNER, Role.MANAGER, Role.CLERK, Role.VIEWER]) {
      it(`leave as ${role}, immediately and only this shop, with an audit entry`, async () => {
        const member = await buildStaff(server.em, shop, role);
        const other = await buildShop(server.em);
        await join(other, member);
        const theirs = await openAs(member);
        expect((await theirs.send("leaveShop", { shopId: shop.id })).data.leaveShop).to.equal(true);
        const memberships = [{ shop: { id: other.id }, role: "CLERK" }];
        expect((await theirs.ask(VIEWER)).data.viewer).to.deep.equal({ name: member.email, memberships });
        expect(codesOf(await theirs.send("leaveShop", { shopId: shop.id }))).to.deep.equal(["SHOP_NOT_FOUND"]);
        const [entry, ...others] = await auditOf("MEMBER_REMOVED");
        expect(entry).to.deep.include({ actor_kind: "STAFF", actor_id: member.id, target_id: member.id });
        expect(others).to.deep.equal([]);
        expect(codesOf(await send("endMemberSessions", { staffId: member.id }))).to.deep.equal(["NOT_FOUND"]);
        expect((await theirs.ask(VIEWER)).data.viewer.name).to.equal(member.email);
      });
    }

    it("lose their invitations when they leave", async () => {
      const member = await buildStaff(server.em, shop);
      const theirs = await openAs(member);
      const input = { email: "left-behind@example.com", role: "OWNER" };
      await theirs.send("inviteMember", { shopId: shop.id, input });
      await theirs.send("leaveShop", { shopId: shop.id });
      expect(await run("invitations")).to.deep.equal([]);
      expect((await auditOf("INVITATION_REVOKED")).map((row) => row.actor_id)).to.deep.equal([member.id]);
    });

    it("can leave without a required second factor, but not a closed shop", async () => {
      const member = await buildStaff(server.em, shop);
      const theirs = await openAs(member);
      await sql("update shops set requires_second_factor = true, closed_at = now() where id = $1");
      expect(codesOf(await theirs.send("leaveShop", { shopId: shop.id }))).to.deep.equal(["UNAVAILABLE"]);
      await sql("update shops set closed_at = null where id = $1");
      expect(codesOf(await theirs.ask(documentOf("members"), { shopId: shop.id }))).to.deep.equal([
        "SECOND_FACTOR_NOT_ENROLLED",
      ]);
      expect((await theirs.send("leaveShop", { shopId: shop.id })).data.leaveShop).to.equal(true);
    });

    it("are logged out everywhere by an owner, with an entry in this shop only", async () => {
      const member = await buildStaff(server.em, shop);
      const other = await buildShop(server.em);
      await join(other, member);
      const browsers = [await openAs(member), await openAs(member)];
      expect(await run("endMemberSessions", { staffId: member.id })).to.equal(2);
      for (const ended of browsers) expect((await ended.ask(VIEWER)).data.viewer).to.equal(null);
      expect((await ask(VIEWER)).data.viewer.name).to.equal(owner.email);
      expect(await run("endMemberSessions", { staffId: member.id })).to.equal(0);
      const audit = await query<AuditRow>(
        server.databaseUrl,
        `select shop_id, actor_id, target_name, details from audit_entries
        where action = 'MEMBER_SESSIONS_ENDED' and target_id = $1`,
        [member.id],
      );
      const target = { target_name: member.email, details: { sessions: "2" } };
      expect(audit).to.deep.equal([{ shop_id: shop.id, actor_id: owner.id, ...target }]);
      await openAs(member);
    });

    it("always include an owner", async () => {
      await buildStaff(server.em, shop, Role.MANAGER);
      for (const [mutation, variables] of [
        ["changeMemberRole", { staffId: owner.id, role: "MANAGER" }],
        ["removeMember", { staffId: owner.id }],
        ["leaveShop", {}],
      ] as const) {
        expect(codesOf(await send(mutation, variables))).to.deep.equal(["INVALID_STATE"]);
      }
      await run("changeMemberRole", { staffId: owner.id, role: "OWNER" });
      expect((await rolesOf())[owner.id]).to.equal("OWNER");
    });

    it("include an owner after concurrent demotions or removals", async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const pair = await buildShop(server.em);
        const [one, other] = [await buildStaff(server.em, pair), await buildStaff(server.em, pair)];
        const [oneBrowser, otherBrowser] = [await openAs(one), await openAs(other)];
        const mutation = turn % 2 ? "removeMember" : "changeMemberRole";
        const variables = (staffId: string) => ({ shopId: pair.id, staffId, ...(turn % 2 ? {} : { role: "CLERK" }) });
        const answers = await Promise.all([
          oneBrowser.send(mutation, variables(other.id)),
          otherBrowser.send(mutation, variables(one.id)),
        ]);
        const codes = answers.flatMap(codesOf);
        expect(codes).to.have.length(1);
        // Either both were allowed to ask and the second found no other owner, or it was none any more.
        expect(codes[0]).to.be.oneOf(["INVALID_STATE", "FORBIDDEN", "SHOP_NOT_FOUND"]);
        const owners = await query(
          server.databaseUrl,
          "select 1 from memberships where shop_id = $1 and role = 'OWNER'",
          [pair.id],
        );
        expect(owners).to.have.length(1);
      }
    });
  });
});
