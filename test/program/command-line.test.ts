import { expect } from "chai";
import { SCOPES } from "../../src/core/model/permissions.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { buildShop } from "../support/factories.ts";
import { runCommand } from "../support/programs/command.ts";
import { useServer } from "../support/server.ts";

describe("The command line", () => {
  const server = useServer();
  let shop: Shop;

  before(async () => {
    shop = await buildShop(server.em);
  });

  const run = (...command: string[]) => runCommand(command, { DATABASE_URL: server.databaseUrl });

  async function refusalOf(...command: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...command);
    expect([code, stdout], stderr).to.deep.equal([1, ""]);
    return stderr;
  }

  it("marks required options in its help, and describes every option", async () => {
    const commands = [
      "shops create",
      "keys create",
      "staff add",
      "shops set-plan",
      "export",
      "listen",
      "staff password",
    ];
    for (const command of commands) {
      const { stdout } = await run(...command.split(" "), "--help");
      // A long description continues on the next line.
      const lines = stdout.replace(/\n {10,}/g, " ").split("\n");
      const options = lines.filter((line) => /^ {2}--/.test(line));
      for (const line of options) expect(line).to.match(/^ {2}--\S+( <[^>]+>)? {2,}\S/);
      const isRequired = (name: string) =>
        options.some((line) => line.includes(`--${name}`) && /required\)/.test(line));
      if (command === "shops create") {
        expect(["name", "plan", "currency", "trial-ends"].map(isRequired)).to.deep.equal([true, true, true, false]);
      }
    }
  });

  it("shows the default port of the listener", async () => {
    expect((await run("listen", "--help")).stdout).to.match(/--port <port> .*\(default: 4400\)/);
  });

  it("names all missing options at once", async () => {
    const refused = await refusalOf("shops", "create", "--plan", "GROWTH");
    expect(refused).to.equal(
      "error: missing options: --name <name>, --currency <code>\n(run with --help for a list of commands and options)\n",
    );
    expect(await refusalOf("staff", "add")).to.include("--shop <id>, --email <address>, --role <role>");
  });

  it("names options instead of API fields", async () => {
    const create = ["shops", "create", "--name", "", "--plan", "TRIAL", "--currency", "EURO"];
    const faults = (await refusalOf(...create)).split("\n").map((line) => line.trim().split(":")[0]);
    expect(faults).to.deep.equal(["Validation error", "--name", "--currency", "--trial-ends", ""]);
    const trial = ["shops", "create", "--name", "Shop", "--plan", "TRIAL", "--currency", "EUR"];
    expect(await refusalOf(...trial)).to.equal("--trial-ends: Is required for a trial\n");
    await query(server.databaseUrl, "update shops set plan = 'TRIAL', trial_ends_at = '2999-01-01' where id = $1", [
      shop.id,
    ]);
    const extend = await refusalOf("shops", "extend-trial", "--shop", shop.id, "--until", "2998-01-01");
    expect(extend).to.match(/^--until: Must be later than/);
  });

  it("accepts comma-separated lists, and names unknown values", async () => {
    const create = ["keys", "create", "--shop", shop.id, "--name", "ERP", "--scope"];
    expect(await refusalOf(...create, "read_orders,read_all,read_none")).to.equal(
      `--scope: "read_all", "read_none" are not among ${SCOPES.join(", ")}\n`,
    );
    const { stdout: key } = await run(...create, "read_orders, read_products", "--scope", "read_customers");
    for (const path of ["orders", "products", "customers"]) {
      expect((await call(server, "GET", `/${shop.id}/${path}`, { key: key.trim() })).status).to.equal(200);
    }
  });
});
