import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { hashPassword } from "../../../src/core/staff/accounts/password.ts";
import { joinShop } from "../../../src/core/staff/accounts/account.ts";
import { Role, Staff } from "../../../src/core/model/staff/staff.entity.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { closeLongAgo, exportText, importText } from "../../support/shops/moves.ts";
import { useServer } from "../../support/server.ts";

describe("A shop imported beside other shops", () => {
  const config = { encryptionKeys: [{ name: "test", key: randomBytes(32) }] };
  const source = useServer({ config });
  const target = useServer({ config });

  it("uses existing accounts, which keep their passwords", async () => {
    const shops = [await buildShop(source.em), await buildShop(source.em)];
    const staff = await buildStaff(source.em, shops[0]!, Role.CLERK);
    await source.em.transactional(async (em) =>
      joinShop(em, shops[1]!.id, await em.findOneOrFail(Staff, staff.id), Role.OWNER),
    );
    const otherHash = await hashPassword("another since");
    const files: string[] = [];
    for (const shop of shops) {
      await closeLongAgo(source, shop);
      files.push(await exportText(source, shop));
      await query(source.databaseUrl, "update staff set password_hash = $1", [otherHash]);
    }
    for (const file of files) await importText(target, file);
    const { data } = await askGraphql(
      target,
      "{ viewer { id memberships { shop { id } role } } }",
      {},
      await logIn(target, staff),
    );
    expect(data.viewer.id).to.equal(staff.id);
    expect(data.viewer.memberships).to.deep.equal([
      { shop: { id: shops[0]!.id }, role: "CLERK" },
      { shop: { id: shops[1]!.id }, role: "OWNER" },
    ]);
  });
});
