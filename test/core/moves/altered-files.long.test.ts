import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildProduct, buildShop } from "../../support/factories.ts";
import { type TestServer, useServer } from "../../support/server.ts";
import { closeLongAgo, exportText, importText, rewrite } from "../../support/shops/moves.ts";

describe("The seal of a shop's file", () => {
  const key = (name: string) => ({ name, key: randomBytes(32) });
  const [first, later] = [key("test"), key("later")];
  const source = useServer({ config: { encryptionKeys: [first] } });
  const rotated = useServer({ config: { encryptionKeys: [later, first] } });
  // Its key has the same name.
  const stranger = useServer({ config: { encryptionKeys: [key("test")] } });
  let shopId: string;
  let file: string;

  before("export a shop", async () => {
    const shop = await buildShop(source.em);
    await buildProduct(source.em, shop);
    await closeLongAgo(source, shop);
    shopId = shop.id;
    file = await exportText(source, shop);
  });

  const refusal = (text: string, server = rotated) => importText(server, text).catch(({ message }: Error) => message);
  const prices = ({ databaseUrl }: TestServer) => query(databaseUrl, "select price::text from variants");

  it("refuses an altered file, one without a seal, and one of another installation", async () => {
    const altered = rewrite(file, (line) => line.replace('"price":10.00', '"price":1.00'));
    expect(altered).to.include('"price":1.00');
    const unsealed = file.replace(/,"seal":"[^"]+"/, "");
    for (const text of [
      altered,
      altered.replace(/,"seal":"[^"]+"/, ""),
      unsealed,
      file.replace(/"seal":"/, '"seal":"x'),
    ]) {
      expect(await refusal(text)).to.match(/^The file is not sealed .* Append the keys .* --trusted/);
    }
    expect(await refusal(file, stranger)).to.match(/^The file is not sealed/);
    for (const { databaseUrl } of [rotated, stranger]) {
      expect(await query(databaseUrl, "select id from shops")).to.deep.equal([]);
    }
  });

  it("is verified by a key that was rotated, or left out for a trusted file", async () => {
    expect(await importText(rotated, file)).to.equal(shopId);
    expect(await importText(stranger, file, true)).to.equal(shopId);
    for (const server of [rotated, stranger]) expect(await prices(server)).to.deep.equal([{ price: "10.00" }]);
  });
});
