import { expect } from "chai";
import { operator, type Actor } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { buildFactor } from "../../support/staff/second-factor.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import { useWorld } from "../../support/world.ts";

const PREVIEW = "query ($token: String!) { invitation(token: $token) { email } }";

describe("Invitations", () => {
  const world = useWorld();
  const { server, shop, staff: owner } = world;
  let inviter: TestStaff;

  beforeEach(async () => {
    inviter = await buildStaff(server.em, shop);
  });

  let invited = 0;

  async function inviteAs(actor: Actor, role: Role = Role.VIEWER): Promise<string> {
    const email = `rights-${(invited += 1)}@example.com`;
    return buildInvitation(server, shop.id, actor, { email, role });
  }

  const actorOf = ({ id, email }: TestStaff): Actor => ({ ...operator, kind: "STAFF", id, name: email });
  const change = (mutation: string, variables: Record<string, unknown> = {}) =>
    world.send(mutation, { staffId: inviter.id, ...variables });
  const accept = async (token: string) =>
    codesOf(await openBrowser(server).send("acceptInvitation", { token, password: "a password of theirs" }));
  const invitationsOf = () => world.sql("select invited_by from invitations where shop_id = $1 order by id");
  const revoked = () =>
    world.sql(
      "select actor_id, target_name from audit_entries where shop_id = $1 and action = 'INVITATION_REVOKED' order by id",
    );

  for (const [title, mutation, variables] of [
    ["is removed", "removeMember", {}],
    ["gets a role that may not invite", "changeMemberRole", { role: "MANAGER" }],
  ] as const) {
    it(`are revoked when the inviter ${title}`, async () => {
      const tokens = [await inviteAs(actorOf(inviter), Role.OWNER), await inviteAs(actorOf(inviter))];
      const others = [await inviteAs(actorOf(owner)), await inviteAs(operator, Role.OWNER)];
      expect(codesOf(await change(mutation, variables))).to.deep.equal([]);
      expect(await invitationsOf()).to.deep.equal([{ invited_by: owner.id }, { invited_by: null }]);
      expect(await revoked()).to.deep.equal(
        [invited - 3, invited - 2].map((number) => ({
          actor_id: owner.id,
          target_name: `rights-${number}@example.com`,
        })),
      );
      for (const token of tokens) expect(await accept(token)).to.deep.equal(["NOT_FOUND"]);
      for (const token of others) expect(await accept(token)).to.deep.equal([]);
    });

    it(`are either accepted or revoked when the inviter ${title} concurrently`, async () => {
      const token = await inviteAs(actorOf(inviter), Role.OWNER);
      const [codes, changed] = await Promise.all([accept(token), change(mutation, variables)]);
      expect(codesOf(changed)).to.deep.equal([]);
      expect(codes).to.deep.equal((await revoked()).length > 0 ? ["NOT_FOUND"] : []);
      expect(await invitationsOf()).to.deep.equal([]);
    });
  }

  it("stay valid in another shop of the inviter", async () => {
    const other = await buildShop(server.em);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'OWNER', now())", [other.id, inviter.id]);
    const request = { email: "elsewhere@example.com", role: Role.CLERK };
    const token = await buildInvitation(server, other.id, actorOf(inviter), request);
    await change("removeMember");
    expect(await accept(token)).to.deep.equal([]);
  });

  it("stay valid while the new role may invite", async () => {
    const token = await inviteAs(actorOf(inviter));
    expect(codesOf(await change("changeMemberRole", { role: "OWNER" }))).to.deep.equal([]);
    expect(await accept(token)).to.deep.equal([]);
  });

  it("are invalid while the inviter lacks a required second factor", async () => {
    await buildFactor(server, owner);
    await world.sql("update shops set requires_second_factor = true where id = $1");
    const token = await inviteAs(actorOf(inviter));
    const others = [await inviteAs(actorOf(owner)), await inviteAs(operator)];
    const preview = async () => codesOf(await openBrowser(server).ask(PREVIEW, { token }));
    expect(await preview()).to.deep.equal(["NOT_FOUND"]);
    expect(await accept(token)).to.deep.equal(["NOT_FOUND"]);
    for (const other of others) expect(await accept(other)).to.deep.equal([]);
    await buildFactor(server, inviter);
    expect(await preview()).to.deep.equal([]);
    expect(await accept(token)).to.deep.equal([]);
  });

  it("are invalid when the right is lost during their creation", async () => {
    const tokens = [];
    for (const role of [Role.MANAGER, Role.CLERK, Role.VIEWER]) {
      tokens.push(await inviteAs(actorOf(await buildStaff(server.em, shop, role))));
    }
    tokens.push(await inviteAs(actorOf(await buildStaff(server.em, await buildShop(server.em)))));
    for (const token of tokens) expect(await accept(token)).to.deep.equal(["NOT_FOUND"]);
  });
});
