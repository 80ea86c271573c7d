import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { buildShop } from "../support/factories.ts";
import { runCommand } from "../support/programs/command.ts";
import { useServer } from "../support/server.ts";

describe("merchant-api products import", function () {
  this.timeout(120_000);
  const server = useServer();
  let shop: Shop;
  let directory: string;

  beforeEach(async () => {
    shop = await buildShop(server.em, { defaultTaxRate: "19" });
    directory = await makeDirectory();
  });

  async function run(list: string, text: string, ...options: string[]) {
    const file = join(directory, "file.csv");
    await writeFile(file, text);
    const command = [list, "import", file, "--shop", shop.id, "--json", ...options];
    const { code, stdout, stderr } = await runCommand(command, { DATABASE_URL: server.databaseUrl });
    return { code, stderr, report: stdout === "" ? null : JSON.parse(stdout) };
  }

  const count = async (table: string) =>
    Number((await query(server.databaseUrl, `select count(*) from ${table} where shop_id = $1`, [shop.id]))[0]!.count);

  it("imports a file without a worker, and prints the report", async () => {
    const text = "handle,title,sku,price\nmug,Mug,MUG,7.50\nbowl,Bowl,BOWL,9.00\n";
    const first = await run("products", text, "--no-webhooks");
    expect(first).to.deep.include({ code: 0 });
    expect(first.report).to.deep.include({ state: "FINISHED", created: "2", refused: "0" });
    expect(await count("events")).to.equal(0);
    const second = await run("products", text, "--existing", "UPDATE");
    expect(second.report).to.deep.include({ state: "FINISHED", created: "0", unchanged: "2" });
    expect((await run("customers", "email\nada@example.com\n")).report).to.deep.include({ created: "1" });
  });

  it("prints problems, and imports nothing without --yes", async () => {
    const text = "handle,title,sku,price\nmug,Mug,MUG,7.50\nbad,Bad,BAD,free\n";
    const refused = await run("products", text);
    expect(refused).to.deep.include({ code: 1, report: null });
    expect(refused.stderr)
      .to.match(/Row 3, price "free": /)
      .and.to.include("import the other records with --yes");
    expect(await count("products")).to.equal(0);
    const imported = await run("products", text, "--yes");
    expect(imported).to.deep.include({ code: 0 });
    expect(imported.report).to.deep.include({ created: "1", refused: "0", leftOut: "1" });
    const strict = await run("products", text, "--yes", "--strict");
    expect(strict).to.deep.include({ code: 1 });
    expect(strict.report).to.deep.include({ unchanged: "1", leftOut: "1" });
  });

  it("asks whether prices include tax, by an option that sets the shop", async () => {
    await query(server.databaseUrl, "update shops set default_tax_rate = null where id = $1", [shop.id]);
    const text = "handle,title,sku,price\nmug,Mug,MUG,7.50\n";
    const asked = await run("products", text);
    expect([asked.code, await count("products")]).to.deep.equal([1, 0]);
    expect(asked.stderr).to.include("Set --tax to INCLUDED or EXCLUDED");
    expect((await run("products", text, "--tax", "INCLUDED")).report).to.deep.include({ created: "1" });
    const read = "select prices_include_tax as included from shops where id = $1";
    expect(await query(server.databaseUrl, read, [shop.id])).to.deep.equal([{ included: true }]);
  });

  it("refuses unknown choices and files that are no CSV with a sentence", async () => {
    expect((await run("products", "a", "--existing", "MERGE")).stderr).to.include("--existing");
    const { code, stderr } = await run("products", "PK\x03\x04\x14\0\x06\0");
    expect([code, stderr]).to.deep.equal([
      1,
      "The file is an Excel workbook or a ZIP archive, not CSV. Open it in a spreadsheet and save it as CSV UTF-8.\n",
    ]);
  });
});
