import { expect } from "chai";
import { migrations } from "../../migrations/index.ts";
import { digestOf } from "../../src/platform/postgres/schema-version.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { keysOf, migrateFurther, readFixtures, upgradeFixture } from "../support/releases/fixtures.ts";
import { readAnswers, readData } from "../support/releases/reads.ts";
import { writeEachKind } from "../support/releases/writes.ts";
import { useServer } from "../support/server.ts";
import { importText } from "../support/shops/moves.ts";

describe("A released migration", () => {
  it("never changes", () => {
    expect(digestOf(migrations[0]!)).to.equal("2dc89afaabf9217ddd6bbee3a831ca0667b36421280218577ddabe999d044c60");
  });
});

for (const fixture of await readFixtures()) {
  const config = { encryptionKeys: keysOf(fixture) };

  describe(`A database of release ${fixture.version} with a later schema`, function () {
    this.timeout(120_000);
    const server = useServer({ config, openDatabase: () => upgradeFixture(fixture) });

    it("has the same records in REST, for the same key", async () => {
      expect(await readAnswers(server, fixture)).to.deep.equal(fixture.answers);
    });

    it("has the same records in GraphQL, for the same login", async () => {
      expect(await readData(server, fixture, Object.keys(fixture.data))).to.deep.equal(fixture.data);
    });

    it("accepts writes of each kind of record", async () => {
      await writeEachKind(server, fixture);
    });
  });

  describe(`A shop that release ${fixture.version} exported`, function () {
    this.timeout(120_000);
    const openDatabase = async () => {
      const database = await createEmptyDatabase();
      await migrateFurther(database.url);
      return database;
    };
    const server = useServer({ config, openDatabase });

    it("is imported into a later schema", async () => {
      expect(await importText(server, fixture.shopFile)).to.equal(fixture.shopId);
      expect(await readAnswers(server, fixture)).to.deep.equal(fixture.answers);
    });
  });
}
