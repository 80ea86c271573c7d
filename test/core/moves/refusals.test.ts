import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { expect } from "chai";
import fc from "fast-check";
import { operator } from "../../../src/core/access/actor.ts";
import { importShop } from "../../../src/core/moves/file/import-shop.ts";
import { listMovedTables } from "../../../src/core/moves/moved-tables.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { createAccount } from "../../../src/core/staff/accounts/account.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { query } from "../../support/database.ts";
import {
  buildEndpoint,
  buildKey,
  buildProduct,
  buildShop,
  buildStaff,
  type TestStaff,
} from "../../support/factories.ts";
import { holds } from "../../support/properties/holds.ts";
import { closeLongAgo, exportText, importText, rewrite } from "../../support/shops/moves.ts";
import { useServer, type TestServer } from "../../support/server.ts";

const keyOf = (name: string) => ({ name, key: randomBytes(32) });

describe("An import refuses", () => {
  const key = keyOf("test");
  const source = useServer({ config: { encryptionKeys: [key] } });
  const target = useServer({ config: { encryptionKeys: [key] } });
  let shop: Shop;
  let owner: TestStaff;
  let file: string;

  /** Counts rows by table, except logs. */
  const countRows = async ({ em, databaseUrl }: TestServer) => {
    const tables = await listMovedTables(kysely(em));
    const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
    const jobs = "select 'jobs', count(*)::int from graphile_worker.jobs";
    return query(databaseUrl, [...counts, jobs].join(" union all "));
  };
  /** The error message. Nothing may have been stored. */
  const refusalOf = async (text: string, server = target) => {
    const before = await countRows(server);
    const error = await importText(server, text).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error, "it was taken").not.to.equal(undefined);
    expect(error!.name, error!.stack).to.equal("OperatorError");
    expect(error!.message).not.to.include("\n");
    expect(await countRows(server)).to.deep.equal(before);
    return error!.message;
  };

  before("export a shop", async () => {
    shop = await buildShop(source.em);
    owner = await buildStaff(source.em, shop);
    await buildKey(source.em, shop);
    await buildEndpoint(source, shop, "https://receiver.example/hooks");
    for (let count = 0; count < 3; count += 1) await buildProduct(source.em, shop, { inventoryQuantity: 1 });
    await closeLongAgo(source, shop);
    file = await exportText(source, shop);
  });

  afterEach("nothing was imported", async () => {
    expect(await query(target.databaseUrl, "select id from shops")).to.deep.equal([]);
  });

  it("a file that is cut off after any line", async () => {
    const lines = file.split("\n").slice(0, -1);
    for (let count = 0; count < lines.length; count += 1) {
      const text = lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join("");
      expect(await refusalOf(text), String(count)).to.match(/incomplete|not written by/);
    }
  });

  holds("a file that was cut short or altered anywhere", 30, () =>
    fc.asyncProperty(fc.nat(file.length - 3), fc.constantFrom("cut", "changed", "gone", "twice"), async (at, how) => {
      const [start, character, end] = [file.slice(0, at), file[at]!, file.slice(at + 1)];
      const altered = {
        cut: start,
        changed: `${start}${character === "7" ? "8" : "7"}${end}`,
        gone: `${start}${end}`,
        twice: `${start}${character}${character}${end}`,
      };
      await refusalOf(altered[how]);
    }),
  );

  it("a file with extra, missing or repeated rows", async () => {
    expect(await refusalOf(`${file}{}\n`)).to.match(/altered/);
    expect(await refusalOf(`${file}${file}`)).to.match(/altered/);
    const lines = file.split("\n");
    expect(await refusalOf(lines.toSpliced(4, 1).join("\n"))).to.match(/altered|violates/);
    expect(await refusalOf(lines.toSpliced(4, 0, lines[4]!).join("\n"))).to.match(/^Line 6: \w+: duplicate key/);
  });

  it("a file that cannot be read to its end", async () => {
    const before = await countRows(target);
    const reading = new PassThrough();
    reading.write(file.slice(0, -100));
    const importing = importShop({ em: target.em, encryption: target.app.core.encryption }, operator, {
      source: reading,
      onProgress: () => reading.destroy(new Error("Broken off")),
    });
    expect(await importing.catch((error: Error) => error.message)).to.equal("Broken off");
    expect(await countRows(target)).to.deep.equal(before);
  });

  it("another kind of file", async () => {
    for (const text of ["", "\n", "{}\n", "null\n", "hello", '{"format":"merchant-api shop"}\n', "\0\xff"]) {
      expect(await refusalOf(text)).to.equal(
        "The file was not written by merchant-api shops export, or it is incomplete or altered",
      );
    }
  });

  it("a file of a later release", async () => {
    const newer = rewrite(file, (line) => line.replace('"version":1', '"version":2'));
    expect(await refusalOf(newer)).to.equal(
      "A later release wrote the file (format 2; this release reads format 1). Upgrade this installation first",
    );
    const later = rewrite(file, (line) => line.replace(/"migrations":\[/, '$&"9999-later",'));
    expect(await refusalOf(later)).to.equal(
      "A later release wrote the file (its schema has 9999-later). Upgrade this installation first",
    );
  });

  it("a row of a table that does not move", async () => {
    const session = rewrite(file, (line) => line.replace('{"products":', '{"sessions":'));
    expect(await refusalOf(session)).to.equal("The file has rows of sessions, which are not part of an export");
  });

  it("an existing shop", async () => {
    expect(await refusalOf(file, source)).to.equal(`The shop ${shop.id} already exists here`);
  });

  describe("a secret", () => {
    const other = useServer({ config: { encryptionKeys: [keyOf("test")] } });
    const without = useServer({ config: { encryptionKeys: [keyOf("else")] } });

    it("that no key decrypts, although one has the same name", async () => {
      expect(await refusalOf(file, without)).to.match(
        /^ENCRYPTION_KEYS lacks the key test, which encrypts the secret of webhook-endpoint/,
      );
      expect(await refusalOf(file, other)).to.match(/^The key test in ENCRYPTION_KEYS is not the key that encrypted/);
    });
  });

  it("an account with the address of another account", async () => {
    const { id } = await target.em.transactional((transaction) =>
      createAccount(transaction, { email: owner.email.toUpperCase(), passwordHash: "its own" }),
    );
    expect(await refusalOf(file)).to.equal(
      `${owner.email.toUpperCase()} has the account ${id} here, but ${owner.id} in the shop that moves. ` +
        `Remove the staff member before the move, and add ${id} after it`,
    );
  });
});
