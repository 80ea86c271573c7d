import { expect } from "chai";
import { readdirSync, readFileSync } from "node:fs";
import { query } from "../../support/database.ts";
import { buildShop } from "../../support/factories.ts";
import { files } from "../../support/imports.ts";
import { useServer } from "../../support/server.ts";
import { Importing } from "../../support/shops/imports.ts";

describe("Files of other systems", () => {
  const server = useServer({ worker: true });

  it("are imported, and change nothing again", async () => {
    for (const file of readdirSync(files).filter((name) => name.endsWith(".csv"))) {
      const shop = await buildShop(server.em);
      const importing = await Importing.open(server, shop);
      const kind = file.includes("customers") ? "CUSTOMERS" : "PRODUCTS";
      const text = readFileSync(new URL(file, files), "utf8");
      const { state, itemCount, faultyCount, format } = await importing.check(kind, text);
      expect(state, file).to.equal("CHECKED");
      if (format.questions.length > 0 || faultyCount === itemCount) continue;
      const events = () => query(server.databaseUrl, "select id from events where shop_id = $1", [shop.id]);
      const { createdCount, refusedCount } = await importing.run(kind, text);
      expect(createdCount + refusedCount, file).to.equal(itemCount - faultyCount);
      const before = await events();
      expect(before, file).to.have.length(createdCount);
      const again = await importing.run(kind, text);
      expect(again, file).to.deep.include({ unchangedCount: createdCount, createdCount: 0, updatedCount: 0 });
      expect(await events(), file).to.deep.equal(before);
    }
  }).timeout(120_000);
});
