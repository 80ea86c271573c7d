import { expect } from "chai";
import { explain } from "../../src/cli/explain.ts";
import { operator } from "../../src/core/access/actor.ts";
import { createApiKey } from "../../src/core/credentials/api-keys/api-keys.ts";
import { extendTrial, setPlan } from "../../src/core/shops/plans/set-plan.ts";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { summarizeShop } from "../../src/core/shops/summarize-shop.ts";
import { call } from "../support/client.ts";
import { runCommand } from "../support/programs/command.ts";
import { query } from "../support/database.ts";
import { buildEndpoint, buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);

describe("merchant-api shops", function () {
  this.timeout(120_000);
  const server = useServer({ own: "lists all shops" });
  let shop: Shop;

  beforeEach(async () => {
    shop = await buildShop(server.em, { name: "Harbour Goods" });
  });

  const run = (...command: string[]) => runCommand(["shops", ...command], { DATABASE_URL: server.databaseUrl });
  async function read(...command: string[]) {
    const { code, stdout, stderr } = await run(...command, "--json");
    expect(code, stderr).to.equal(0);
    return { document: JSON.parse(stdout), told: stderr };
  }

  const auditOf = (action: string) =>
    query(
      server.databaseUrl,
      `select actor_kind, target_id, target_name, details from audit_entries
      where shop_id = $1 and action = $2 order by created_at, id`,
      [shop.id, action],
    );
  const byOperator = (details: object) => {
    return { actor_kind: "OPERATOR", target_id: shop.id, target_name: "Harbour Goods", details };
  };

  it("create prints the new shop's ID, with an audit entry", async () => {
    const trialEndsAt = inDays(7).toISOString();
    const options = ["--name", " New Leaf ", "--currency", "JPY", "--plan", "TRIAL", "--trial-ends", trialEndsAt];
    const { code, stdout, stderr } = await run("create", ...options);
    expect([code, stderr]).to.deep.equal([0, ""]);
    const id = stdout.trim();
    const log = "select action, actor_kind, target_id, target_name, details from audit_entries where shop_id = $1";
    const entry = { action: "SHOP_CREATED", actor_kind: "OPERATOR", target_id: id, target_name: "New Leaf" };
    expect(await query(server.databaseUrl, log, [id])).to.deep.equal([
      { ...entry, details: { plan: "TRIAL", trialEndsAt, currency: "JPY" } },
    ]);
    expect((await read("show", "--shop", id)).document).to.include({ name: "New Leaf", plan: "TRIAL", trialEndsAt });
  });

  it("create sets tax and cash rounding", async () => {
    const create = ["create", "--name", "Leaf", "--currency", "CHF", "--plan", "NONE"];
    const settings = ["--prices-include-tax", "--cash-rounding", "0.05", "--default-tax-rate", "8.1"];
    const { stdout } = await run(...create, ...settings);
    const { document } = await read("show", "--shop", stdout.trim());
    expect(document).to.include({ pricesIncludeTax: true, cashRounding: "0.05", defaultTaxRate: "8.1" });
    for (const rate of ["100.1", "1.00001", "-1", "8,1", "1e2"]) {
      const { code, stderr } = await run(...create, "--default-tax-rate", rate);
      expect([code, stderr.startsWith("--default-tax-rate: Must ")]).to.deep.equal([1, true]);
    }
    const steps = "0.00, 0.05, 0.10, 0.25, 0.50, 1.00, 5.00, 10.00, 50.00, 100.00, 500.00 or 1000.00";
    for (const step of ["0.02", "five"]) {
      const { code, stderr } = await run(...create, "--cash-rounding", step);
      expect([code, stderr]).to.deep.equal([1, `--cash-rounding: Must be ${steps} in CHF, usually 0.05\n`]);
    }
  });

  it("list prints every shop, oldest first", async () => {
    const trialEndsAt = inDays(7);
    const name = "茶\u001b[31m店\u009b";
    const later = await buildShop(server.em, { plan: Plan.TRIAL, trialEndsAt, currency: "JPY" });
    // Release 1.1 took control characters.
    await query(server.databaseUrl, "update shops set name = $2 where id = $1", [later.id, name]);
    const { document } = await read("list");
    expect(document.map(({ id }: Shop) => id)).to.deep.equal(document.map(({ id }: Shop) => id).toSorted());
    expect(document.at(-2)).to.include({ id: shop.id, name: "Harbour Goods", plan: "ENTERPRISE", trialEndsAt: null });
    expect(document.at(-1)).to.include({ id: later.id, name, plan: "TRIAL", currency: "JPY" });
    const { stdout } = await run("list");
    const [heading, ...lines] = stdout.trimEnd().split("\n");
    const columns = ["ID", "NAME", "PLAN", "TRIAL ENDS AT", "CURRENCY", "CLOSED AT", "MOVED TO", "CREATED AT"];
    expect(heading!.split(/ {2,}/)).to.deep.equal(columns);
    // Control characters are escaped, and wide characters are aligned.
    expect(lines.at(-1)).to.match(
      new RegExp(`^${later.id}  茶\\\\u001b\\[31m店\\\\u009b {2}TRIAL +${trialEndsAt.toISOString()}  JPY`),
    );
    expect(lines.at(-2)!.indexOf("ENTERPRISE")).to.equal(lines.at(-1)!.indexOf("TRIAL") + 2);
  });

  it("show prints limits of the plan and their use", async () => {
    await buildStaff(server.em, shop);
    await buildKey(server.em, shop);
    await buildEndpoint(server, shop, "https://receiver.example/hooks");
    expect((await read("show", "--shop", shop.id)).document).to.deep.equal({
      id: shop.id,
      name: "Harbour Goods",
      plan: "ENTERPRISE",
      trialEndsAt: null,
      trialHasEnded: false,
      currency: "EUR",
      currencyDecimals: 2,
      pricesIncludeTax: false,
      cashRounding: "0.00",
      defaultTaxRate: null,
      allowsOverselling: false,
      requiresSecondFactor: false,
      closedAt: null,
      movedTo: null,
      deletionStartedAt: null,
      sandboxOf: null,
      sandboxState: null,
      sandboxContent: null,
      createdAt: shop.createdAt.toISOString(),
      members: 1,
      apiKeys: 1,
      apiKeysAllowed: 10,
      webhookEndpoints: 1,
      webhookEndpointsAllowed: 25,
      withheldScopes: [],
    });
    const { stdout } = await run("show", "--shop", shop.id);
    expect(stdout)
      .to.match(/^NAME +Harbour Goods$/m)
      .and.match(/^TRIAL ENDS AT +–$/m)
      .and.match(/^TRIAL HAS ENDED +no$/m);
  });

  it("set-plan applies immediately, and prints the effect on keys and endpoints over the limit", async () => {
    const [key] = [await buildKey(server.em, shop), await buildKey(server.em, shop), await buildKey(server.em, shop)];
    for (let count = 0; count < 4; count += 1) await buildEndpoint(server, shop, "https://receiver.example/hooks");
    const { document, told } = await read("set-plan", "--shop", shop.id, "--plan", "GROWTH");
    expect(document).to.include({ plan: "GROWTH", apiKeys: 3, apiKeysAllowed: 2, webhookEndpoints: 4 });
    expect(told.trimEnd().split("\n")).to.deep.equal([
      "› All API keys (3) stay active. No new ones can be created while the shop has 2 or more",
      "› All webhook endpoints (4) stay active. No new ones can be created while the shop has 3 or more",
      "› The plan withholds these scopes from keys: write_customers, write_inventory, write_orders, write_products",
    ]);
    const body = { title: "Mug", price: 1 };
    const write = () => call(server, "POST", `/${shop.id}/products`, { key, body });
    expect((await write()).json).to.deep.equal({
      error: "Plan does not allow this scope",
      hint: "This request requires the scope write_products. Ask the operator of this service for the ENTERPRISE plan.",
    });
    expect((await call(server, "GET", `/${shop.id}/products`, { key })).status).to.equal(200);
    await expectRefused(
      createApiKey({ em: server.em, shop, actor: operator }, { name: "Fourth", scopes: ["read_orders"] }),
    );
    expect((await read("set-plan", "--shop", shop.id, "--plan", "NONE")).told).to.equal(
      "› The API keys (3) are kept, but all their requests are refused\n" +
        "› The webhook endpoints (4) are kept. Missed deliveries can be replayed after an upgrade\n",
    );
    for (const _ of [1, 2]) {
      await setPlan({ em: server.em, shop, actor: operator }, { plan: Plan.ENTERPRISE, trialEndsAt: null });
    }
    expect(await auditOf("PLAN_CHANGED")).to.deep.equal(
      [
        { from: "ENTERPRISE", to: "GROWTH" },
        { from: "GROWTH", to: "NONE" },
        { from: "NONE", to: "ENTERPRISE" },
      ].map(byOperator),
    );
  });

  it("set-plan and extend-trial set the end of a trial, which other plans lack", async () => {
    const [first, second] = [inDays(7).toISOString(), inDays(30).toISOString().slice(0, 10)];
    const begin = ["set-plan", "--shop", shop.id, "--plan", "TRIAL", "--trial-ends"];
    expect((await read(...begin, first)).document).to.include({ plan: "TRIAL", trialEndsAt: first });
    const midnight = `${second}T00:00:00.000Z`;
    const extended = await read("extend-trial", "--shop", shop.id, "--until", second);
    expect(extended.document).to.include({ trialEndsAt: midnight, trialHasEnded: false });
    const ended = inDays(-1).toISOString();
    await query(server.databaseUrl, "update shops set trial_ends_at = $2 where id = $1", [shop.id, ended]);
    expect(await summarizeShop(server.em.fork(), shop.id)).to.include({ trialHasEnded: true, apiKeysAllowed: 0 });
    const again = await read("extend-trial", "--shop", shop.id, "--until", second);
    expect(again.document).to.include({ trialHasEnded: false, apiKeysAllowed: 10 });
    await setPlan({ em: server.em, shop, actor: operator }, { plan: Plan.GROWTH, trialEndsAt: null });
    expect(await summarizeShop(server.em.fork(), shop.id)).to.include({ plan: "GROWTH", trialEndsAt: null });
    expect(await auditOf("PLAN_CHANGED")).to.deep.equal(
      [
        { from: "ENTERPRISE", to: "TRIAL", oldTrialEndsAt: "", trialEndsAt: first },
        { oldTrialEndsAt: first, trialEndsAt: midnight },
        { oldTrialEndsAt: ended, trialEndsAt: midnight },
        { from: "TRIAL", to: "GROWTH" },
      ].map(byOperator),
    );
  });

  it("rename changes the name", async () => {
    const { document } = await read("rename", "--shop", shop.id, "--name", " Harbour & Sons ");
    expect(document.name).to.equal("Harbour & Sons");
    expect(await auditOf("SHOP_UPDATED")).to.deep.equal([
      byOperator({ oldName: "Harbour Goods", name: "Harbour & Sons" }),
    ]);
  });

  it("sandbox prints the ID of a new sandbox, which a worker fills, and close and open refuse meanwhile", async () => {
    const { code, stdout, stderr } = await run("sandbox", "--shop", shop.id, "--content", "SAMPLE");
    expect([code, stderr]).to.deep.equal([0, ""]);
    const { document } = await read("show", "--shop", stdout.trim());
    expect(document).to.include({ name: "Harbour Goods (Sandbox)", sandboxOf: shop.id, sandboxState: "FILLING" });
    for (const command of ["close", "open"]) {
      const refusal = "The sandbox is being filled, and opens at the end\n";
      expect((await run(command, "--shop", stdout.trim())).stderr, command).to.equal(refusal);
    }
  });

  it("reports mistakes in one line, and changes nothing", async () => {
    const before = await query(server.databaseUrl, "select * from shops order by id");
    const instant = "Must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T09:30Z";
    for (const [command, message] of [
      [["show", "--shop", "shop_x"], "Shop not found"],
      [["set-plan", "--shop", shop.id, "--plan", "growth"], "--plan: Must be one of GROWTH, ENTERPRISE, TRIAL, NONE"],
      [["set-plan", "--shop", shop.id, "--plan", "TRIAL", "--trial-ends", "soon"], `--trial-ends: ${instant}`],
      [["extend-trial", "--shop", shop.id, "--until", "2999-02-30"], `--until: ${instant}`],
      [["rename", "--shop", shop.id, "--name", " "], "--name: Must have at least 1 character"],
      [["sandbox", "--shop", shop.id, "--content", "ALL"], "--content: Must be one of PRODUCTS, SAMPLE, EMPTY"],
      [["sandbox", "--shop", shop.id, "--reset"], "Only a sandbox can be reset"],
      // Croatia has the euro.
      [
        ["create", "--name", "Zagreb", "--plan", "GROWTH", "--currency", "HRK"],
        "--currency: Must be a current ISO 4217 currency code, such as EUR",
      ],
    ] as const) {
      expect(await run(...command)).to.deep.equal({ code: 1, stdout: "", stderr: `${message}\n` });
    }
    expect(await query(server.databaseUrl, "select * from shops order by id")).to.deep.equal(before);
  });

  it("requires an end in the future for trials only, and extends only to later times", async () => {
    const end = inDays(7);
    const trial = await buildShop(server.em, { plan: Plan.TRIAL, trialEndsAt: end });
    const set = (to: Plan, trialEndsAt: Date | null, { id } = trial) =>
      setPlan({ em: server.em, shop: { id }, actor: operator }, { plan: to, trialEndsAt });
    const extend = (until: Date, { id }: Pick<Shop, "id"> = trial) =>
      extendTrial({ em: server.em, shop: { id }, actor: operator }, until);
    for (const [refused, message] of [
      [() => set(Plan.TRIAL, null), "trialEndsAt: Is required for a trial"],
      [() => set(Plan.TRIAL, inDays(-1)), "trialEndsAt: Must be in the future"],
      [() => set(Plan.GROWTH, inDays(9)), "trialEndsAt: Is allowed only for a trial"],
      [() => set(Plan.NONE, null, { ...trial, id: trial.id.toUpperCase() }), "Shop not found"],
      [() => extend(end), `trialEndsAt: Must be later than the current end of the trial, ${end.toISOString()}`],
      [() => extend(inDays(9), shop), "The shop has the plan ENTERPRISE, not a trial. Start a trial with set-plan."],
      [() => extend(inDays(9), { id: "shop_x" }), "Shop not found"],
    ] as const) {
      expect(explain(await refused().catch((error: unknown) => error))).to.equal(message);
    }
    const [row] = await query(server.databaseUrl, "select plan, trial_ends_at from shops where id = $1", [trial.id]);
    expect(row).to.deep.equal({ plan: "TRIAL", trial_ends_at: end });
  });
});

async function expectRefused(work: Promise<unknown>): Promise<void> {
  expect(await work.catch(({ code }) => code)).to.equal("LIMIT_REACHED");
}
