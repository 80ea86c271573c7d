import { expect } from "chai";
import { migrations } from "../../migrations/index.ts";
import { digestOf } from "../../src/platform/postgres/schema-version.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { keysOf, migrateFurther, readFixtures, upgradeFixture } from "../support/releases/fixtures.ts";
import { readAnswers, readData } from "../support/releases/reads.ts";
import { writeEachKind } from "../support/releases/writes.ts";
import { useServer } from "../support/server.ts";
import { importText } from "../support/shops/moves.ts";

const released = [
  "2dc89afaabf9217ddd6bbee3a831ca0667b36421280218577ddabe999d044c60",
  "de06d7bd3a2556d136d41abb0e85bf0e614779c39c3167f82e0ef1b0dd42dba5",
  "1d76d10b66c826441123c70a9db8964466596eeba90d98304f9175524b031ed5",
  "b78bb1901e04431cda887e5a51f08bc002771499e28d2ec11d9e8aca20feb90a",
  "afdfb0f6a2c6854d27ba254ba35448100102478486cd5c90fe37bd60b6785562",
  "1b609d33005ad4e1d0050545cbd4cf19fc44d669a5543a27abe2890af7186980",
  "948393a0c91a7c52590661d05914dfac18c7fd56e461e24ef3a0f4df34ac0a3e",
  "eabb5c0f5ccc90ce1414fcf02908d3004af18774d64a03216d5fce0d52e5ddfd",
  "551b2692d374783a6e6d3e6773a2a9b7ef9c80b3fbe12bc43ee29e5ba3b4553c",
  "71b39a59d6d08fce7100c2926fbebda67222b7744aaa483d175ddf08e06b3134",
];

describe("A released migration", () => {
  it("never changes", () => {
    expect(migrations.slice(0, released.length).map(digestOf)).to.deep.equal(released);
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
      // Until 1.2.0, a line that was never refunded had no decimals.
      const data = JSON.parse(
        JSON.stringify(fixture.data).replaceAll('"refundedAmount":"0"', '"refundedAmount":"0.00"'),
      );
      expect(await readData(server, fixture, Object.keys(fixture.data))).to.deep.equal(data);
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
      expect(await importText(server, fixture.shopFile, true)).to.equal(fixture.shopId);
      expect(await readAnswers(server, fixture)).to.deep.equal(fixture.answers);
    });
  });
}
