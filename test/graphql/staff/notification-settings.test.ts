import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf, issuesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

const READ = "{ viewer { memberships { shop { id } notificationSettings { kind enabled } } } }";

const kinds = [
  "API_KEY_NEW_ADDRESS",
  "CREDENTIAL_EXPIRING",
  "ORDER_OVERPAID",
  "SANDBOX_ENDING",
  "TRIAL_ENDING",
  "WEBHOOK_DELIVERIES_USED_UP",
  "WEBHOOK_ENDPOINT_DISABLED",
  "WEBHOOK_ENDPOINT_FAILING",
  "WEBHOOK_ENDPOINT_SUSPENDED",
  "WEBHOOK_ENDPOINT_WITHOUT_TOKEN",
  "WEBHOOK_EVENTS_WAITING",
];
const allBut = (...muted: string[]) => kinds.map((kind) => ({ kind, enabled: !muted.includes(kind) }));

describe("Notification settings", () => {
  const world = useWorld();
  const { server, shop, staff: owner, run, send } = world;
  let browser: TestBrowser;

  beforeEach("log in", async () => {
    browser = await world.browser();
  });

  const read = async (from = browser) => (await from.ask(READ)).data.viewer.memberships;
  const set = (kind: string, enabled: boolean, of = shop) =>
    browser.send("updateNotificationSettings", { shopId: of.id, settings: [{ kind, enabled }] });
  const audited = () =>
    world.sql(`select actor_id, target_id, target_name, details from audit_entries
      where shop_id = $1 and action = 'NOTIFICATION_SETTINGS_UPDATED' order by id`);

  it("are all on with SETTINGS, and empty without", async () => {
    expect(await read()).to.deep.equal([{ shop: { id: shop.id }, notificationSettings: allBut() }]);
    for (const role of [Role.MANAGER, Role.CLERK, Role.VIEWER]) {
      const other = openBrowser(server);
      await other.logIn(await buildStaff(server.em, shop, role));
      expect((await read(other))[0].notificationSettings).to.deep.equal([]);
    }
    const { data } = await (await world.asService("READ_ORDERS")).ask(READ);
    expect(data.viewer.memberships[0].notificationSettings).to.deep.equal([]);
  });

  it("are turned off and on individually, with audit entries", async () => {
    const first = await set("TRIAL_ENDING", false);
    expect(first.data.updateNotificationSettings).to.deep.equal(allBut("TRIAL_ENDING"));
    await set("WEBHOOK_ENDPOINT_FAILING", false);
    expect((await read())[0].notificationSettings).to.deep.equal(allBut("TRIAL_ENDING", "WEBHOOK_ENDPOINT_FAILING"));
    await set("TRIAL_ENDING", true);
    expect((await read())[0].notificationSettings).to.deep.equal(allBut("WEBHOOK_ENDPOINT_FAILING"));
    const actor = { actor_id: owner.id, target_id: owner.id, target_name: owner.email };
    expect(await audited()).to.deep.equal([
      { ...actor, details: { TRIAL_ENDING: "off" } },
      { ...actor, details: { WEBHOOK_ENDPOINT_FAILING: "off" } },
      { ...actor, details: { TRIAL_ENDING: "on" } },
    ]);
  });

  it("cause no audit entry without a change", async () => {
    await set("TRIAL_ENDING", true);
    expect(await run("updateNotificationSettings", { settings: [] })).to.deep.equal(allBut());
    expect(await audited()).to.deep.equal([]);
  });

  it("belong to one member in one shop", async () => {
    const other = await buildShop(server.em);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'OWNER', now())", [other.id, owner.id]);
    const colleague = openBrowser(server);
    await colleague.logIn(await buildStaff(server.em, shop));
    await set("TRIAL_ENDING", false, other);
    expect((await read()).map((one: { notificationSettings: unknown }) => one.notificationSettings)).to.deep.equal([
      allBut(),
      allBut("TRIAL_ENDING"),
    ]);
    expect((await read(colleague))[0].notificationSettings).to.deep.equal(allBut());
  });

  it("are all stored with concurrent changes", async () => {
    await Promise.all(kinds.map((kind) => set(kind, false)));
    expect((await read())[0].notificationSettings).to.deep.equal(allBut(...kinds));
  });

  it("refuse repeated and unknown kinds", async () => {
    const twice = [true, false].map((enabled) => ({ kind: "TRIAL_ENDING", enabled }));
    expect(issuesOf(await send("updateNotificationSettings", { settings: twice }))).to.deep.equal(["settings"]);
    expect(codesOf(await set("PASSWORD_CHANGED", false))).to.deep.equal(["BAD_USER_INPUT"]);
    expect((await read())[0].notificationSettings).to.deep.equal(allBut());
  });
});
