import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { joinShop } from "../../../src/core/staff/members/join-shop.ts";
import { Role, Staff } from "../../../src/core/model/staff/staff.entity.ts";
import { query } from "../../support/database.ts";
import { buildProduct, buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { closeLongAgo, exportText, importText, rewrite } from "../../support/shops/moves.ts";
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
    const files: string[] = [];
    for (const shop of shops) {
      await closeLongAgo(source, shop);
      files.push(await exportText(source, shop));
      await query(source.databaseUrl, "update staff set password_hash = 'another since'");
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

  it("adds no rows to existing accounts, whatever the file contains", async () => {
    const [shop, foreign] = [await buildShop(source.em), await buildShop(target.em)];
    await buildProduct(source.em, shop);
    await closeLongAgo(source, shop);
    const file = await exportText(source, shop);
    await importText(
      target,
      rewrite(file, (line) => line.replace(/^(\{"products":.*"shop_id":")[^"]+/, `$1${foreign.id}`)),
    );
    const rows = await query<{ shop_id: string }>(target.databaseUrl, "select shop_id from products");
    expect(rows).to.deep.equal([{ shop_id: shop.id }]);
  });
});
