import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { addMember } from "../../../src/core/staff/members/add-member.ts";
import { codesOf, openBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { useWorld } from "../../support/world.ts";

const PASSWORD = "a password of theirs";

describe("A shop has at most", () => {
  const { server, shop, run, send, sql } = useWorld({ own: "invites accounts by the same addresses again" });

  const invite = (email: string) => send("inviteMember", { input: { email, role: "CLERK" } });
  const accept = (token: string) => openBrowser(server).send("acceptInvitation", { token, password: PASSWORD });
  const count = async (table: string) => (await sql(`select 1 from ${table} where shop_id = $1`)).length;

  it("250 members, also with concurrent joins", async () => {
    await sql(`with people as (
        insert into staff (id, email, password_hash, created_at)
        select 'stf_' || lpad(number::text, 26, '0'), number || '@crowd.example', '', now() from generate_series(1, 248) number returning id
      )
      insert into memberships select $1, id, 'VIEWER', now() from people`);
    const tokens: string[] = [];
    for (const email of ["one@example.com", "other@example.com"]) {
      tokens.push((await invite(email)).data.inviteMember.token);
    }
    const answers = await Promise.all(tokens.map(accept));
    expect(answers.flatMap(codesOf)).to.deep.equal(["LIMIT_REACHED"]);
    expect(await count("memberships")).to.equal(250);
    expect(await count("invitations")).to.equal(1);
    const adding = addMember(
      { em: server.em, shop, actor: operator },
      {
        email: "third@example.com",
        role: Role.OWNER,
        password: PASSWORD,
      },
    );
    expect(await adding.catch((error: unknown) => error)).to.include({ code: "LIMIT_REACHED" });
    expect(await query(server.databaseUrl, "select 1 from staff where email = 'third@example.com'")).to.deep.equal([]);
    await sql("delete from memberships where shop_id = $1 and staff_id = 'stf_' || lpad('1', 26, '0')");
    expect(codesOf(await accept(tokens[answers.findIndex(({ errors }) => errors.length > 0)]!))).to.deep.equal([]);
  });

  describe("100 pending invitations", () => {
    const fillUp = (filled: number) =>
      sql(
        `insert into invitations (shop_id, id, email, role, token_digest, created_at, expires_at)
        select $1, 'inv_' || lpad(number::text, 26, '0'), number || '@crowd.example', 'CLERK', sha256(($1 || number)::bytea), now(), now() + interval '1 day'
        from generate_series(1, $2::int) number`,
        String(filled),
      );

    it("also with concurrent invitations", async () => {
      await fillUp(98);
      const answers = await Promise.all(["a", "b", "c", "d"].map((name) => invite(`${name}@example.com`)));
      expect(answers.flatMap(codesOf)).to.deep.equal(["LIMIT_REACHED", "LIMIT_REACHED"]);
      expect(await count("invitations")).to.equal(100);
    });

    it("and can replace them, or revoke some for others", async () => {
      await fillUp(100);
      const { id } = (await invite("7@crowd.example")).data.inviteMember.invitation;
      expect(codesOf(await invite("new@example.com"))).to.deep.equal(["LIMIT_REACHED"]);
      expect(await run("revokeInvitation", { id })).to.equal(true);
      expect(codesOf(await invite("new@example.com"))).to.deep.equal([]);
    });

    it("not counting expired ones", async () => {
      await fillUp(100);
      await sql("update invitations set expires_at = now() where shop_id = $1");
      expect(codesOf(await invite("new@example.com"))).to.deep.equal([]);
      expect(await count("invitations")).to.equal(1);
    });
  });
});
