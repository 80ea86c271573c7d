// Writes the fixture of this release: a shop with records of every kind, as the program leaves it in TEST_DATABASE_URL.
import "reflect-metadata";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createApp } from "../src/app.ts";
import { operator } from "../src/core/access/actor.ts";
import { openShop } from "../src/core/moves/close-shop.ts";
import { createLogger } from "../src/platform/telemetry/logger.ts";
import { version } from "../src/platform/version.ts";
import { testConfig } from "../test/support/config.ts";
import { query } from "../test/support/database.ts";
import { readAnswers, readData } from "../test/support/releases/reads.ts";
import type { Fixture } from "../test/support/releases/fixtures.ts";
import type { TestServer } from "../test/support/server.ts";
import { logIn } from "../test/support/graphql.ts";
import { Importing } from "../test/support/shops/imports.ts";
import { buildFullShop } from "../test/support/shops/full-shop.ts";
import { closeLongAgo, exportText } from "../test/support/shops/moves.ts";

const databaseUrl = process.env.TEST_DATABASE_URL!;
const encryptionKey = randomBytes(32);
const encryptionKeys = [{ name: "release", key: encryptionKey }];
const app = createApp({ ...testConfig(databaseUrl), encryptionKeys }, createLogger("error"));
await app.migrate();

/** Serves while the work runs. The requests are logged when the server stops. */
async function serve<Result>(work: (server: TestServer) => Promise<Result>): Promise<Result> {
  const { port, stop } = await app.startApi();
  return work({ app, em: app.core.orm.em, databaseUrl, url: `http://127.0.0.1:${port}` }).finally(stop);
}

const access = await serve(async (server) => {
  const { shop, key, owner } = await buildFullShop(server, "https://receiver.example/hooks");
  await query(databaseUrl, "update invitations set expires_at = '2100-01-01'");
  await query(databaseUrl, "update idempotency_keys set created_at = '2100-01-01'");
  await new Importing(server, shop.id, await logIn(server, owner)).upload("PRODUCTS", "Title,Price\nSoap,1.00\n");
  await readAnswers(server, { shopId: shop.id, key });
  return { shopId: shop.id, key, owner };
});
const written = await serve(async (server) => {
  const shop = { id: access.shopId };
  await closeLongAgo(server, shop);
  const shopFile = await exportText(server, shop);
  await openShop({ em: server.em, shop, actor: operator });
  return { shopFile, data: await readData(server, access), answers: await readAnswers(server, access) };
});
await app.close();

const flags = ["--no-owner", "--no-privileges", "--rows-per-insert=100"];
const { stdout } = await promisify(execFile)("pg_dump", [...flags, databaseUrl], { maxBuffer: 2 ** 28 });
// Commands of psql, which only guard its own input.
const database = stdout.replaceAll(/^\\.*\n/gm, "");
const tables = [...database.matchAll(/^CREATE TABLE (public\.\w+)/gm)].map(([, table]) => table!);
// Resets of passwords are valid for half an hour, and a worker reads the items of an import.
const passing = ["password_resets", "import_items"];
const empty = tables.filter(
  (table) => !database.includes(`INSERT INTO ${table} `) && !passing.some((name) => table.endsWith(name)),
);
if (empty.length > 0) throw new Error(`The fixture has no rows of ${empty.join(", ")}`);
const fixture: Fixture = { version, encryptionKey: encryptionKey.toString("base64"), ...access, ...written, database };
const file = `test/releases/${version}.json.gz`;
await writeFile(file, await promisify(gzip)(JSON.stringify(fixture), { level: 9 }));
console.log(file);
