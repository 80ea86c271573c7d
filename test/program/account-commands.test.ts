import { expect } from "chai";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { runCommand } from "../support/programs/command.ts";
import { query } from "../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";

describe("merchant-api staff with existing accounts", function () {
  this.timeout(120_000);
  const { server, shop, staff: owner, sql } = useWorld();
  let clerk: TestStaff;

  beforeEach(async () => {
    clerk = await buildStaff(server.em, shop, Role.CLERK);
  });

  const run = (...command: string[]) => runCommand(["staff", ...command], { DATABASE_URL: server.databaseUrl });
  async function read(...command: string[]) {
    const { code, stdout, stderr } = await run(...command, "--json");
    expect(code, stderr).to.equal(0);
    return { document: JSON.parse(stdout), stderr };
  }

  it("list prints a shop's members", async () => {
    await buildStaff(server.em, await buildShop(server.em));
    const { document } = await read("list", "--shop", shop.id);
    expect(document.map(({ joinedAt, ...member }: { joinedAt: string }) => member)).to.deep.equal([
      { id: owner.id, email: owner.email, role: "OWNER", secondFactorAt: null, disabledAt: null },
      { id: clerk.id, email: clerk.email, role: "CLERK", secondFactorAt: null, disabledAt: null },
    ]);
    const { stdout } = await run("list", "--shop", shop.id);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 3))).to.deep.equal([
      ["ID", "EMAIL", "ROLE"],
      [owner.id, owner.email, "OWNER"],
      [clerk.id, clerk.email, "CLERK"],
      [""],
    ]);
  });

  it("remove ends one membership, with an audit entry", async () => {
    const { document } = await read("remove", "--shop", shop.id, "--email", clerk.email.toUpperCase());
    expect(document).to.deep.equal({ id: clerk.id, email: clerk.email, removedFrom: shop.id });
    const left = "select staff_id from memberships where shop_id = $1";
    expect(await sql(left)).to.deep.equal([{ staff_id: owner.id }]);
    const audit = await sql(
      "select actor_kind, target_id from audit_entries where shop_id = $1 and action = 'MEMBER_REMOVED'",
    );
    expect(audit).to.deep.equal([{ actor_kind: "OPERATOR", target_id: clerk.id }]);
    expect(codesOf(await openBrowser(server).logIn(clerk))).to.deep.equal([]);
  });

  it("disable locks an account out immediately until enable, with audit entries", async () => {
    const browser = openBrowser(server);
    await browser.logIn(clerk);
    const { document, stderr } = await read("disable", "--email", clerk.email.toUpperCase());
    expect(document).to.deep.include({ id: clerk.id, email: clerk.email, sessionsEnded: 1 });
    expect(Date.parse(document.disabledAt)).to.be.a("number").and.not.NaN;
    expect(JSON.parse(stderr)).to.deep.include({ event: "account_disabled", sessions: 1 });
    expect(stderr).not.to.include(clerk.email);
    expect((await browser.ask("{ viewer { id } }")).data.viewer).to.equal(null);
    expect(codesOf(await browser.logIn(clerk))).to.deep.equal(["INVALID_CREDENTIALS"]);
    const again = await read("disable", "--email", clerk.email);
    expect(again).to.deep.equal({ document: { ...document, sessionsEnded: 0 }, stderr: "" });
    const enabled = await read("enable", "--email", clerk.email);
    expect(enabled.document).to.deep.equal({ id: clerk.id, email: clerk.email, disabledAt: null });
    expect(JSON.parse(enabled.stderr)).to.deep.include({ event: "account_enabled" });
    expect(codesOf(await browser.logIn(clerk))).to.deep.equal([]);
  });

  it("disable names shops without another owner", async () => {
    const { code, stderr } = await run("disable", "--email", owner.email);
    expect(code).to.equal(0);
    expect(stderr).to.include(`› No owner of ${shop.id} can log in any more. Add one with staff add\n`);
  });

  it("reports mistakes in one line, and changes nothing", async () => {
    const stranger = await buildStaff(server.em, await buildShop(server.em));
    const unchanged = "select (select count(*) from memberships), (select count(disabled_at) from staff)";
    const before = await query(server.databaseUrl, unchanged);
    for (const [command, message] of [
      [["list", "--shop", "shop_x"], "Shop not found"],
      [
        ["remove", "--shop", shop.id, "--email", stranger.email],
        `The shop has no member with the email address ${stranger.email}`,
      ],
      [
        ["remove", "--shop", shop.id, "--email", owner.email],
        "A shop must have at least one owner. Make another member an owner first.",
      ],
      [["disable", "--email", "nobody@example.com"], "No account has this email address"],
    ] as const) {
      expect(await run(...command)).to.deep.equal({ code: 1, stdout: "", stderr: `${message}\n` });
    }
    expect(await query(server.databaseUrl, unchanged)).to.deep.equal(before);
  });
});
