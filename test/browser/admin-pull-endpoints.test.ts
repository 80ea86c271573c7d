import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { withoutChromium } from "../support/browser/chromium.ts";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { buildProduct } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";
import { useAdminPages } from "./admin-pages.ts";
import { copy as credentials, tokens } from "../../admin/credentials/copy.ts";
import { copy as deliveries } from "../../admin/deliveries/copy.ts";
import { copy as endpoints } from "../../admin/endpoints/copy.ts";
import { copy as home } from "../../admin/home/copy.ts";

describe(`Admin's pull endpoints in a browser${withoutChromium}`, () => {
  const pages = useAdminPages();
  const world = useWorld(pages.server);
  const { shop, staff: owner, run, sql } = world;

  /** No page may show the URL that pull endpoints have for older releases. */
  const expectNoUrl = async () => expect(await pages.page.content()).not.to.include("pull.invalid");

  it("of a revoked service token are taken over by staff", async () => {
    const service = await world.asService("MANAGE_OWN_WEBHOOK_ENDPOINTS", "READ_PRODUCTS");
    const { id } = await service.run("createPullEndpoint", { input: { topics: ["product.created"] } });
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.see(endpoints.token.statuses.ACTIVE("ERP"));
    await run("revokeServiceToken", { id: service.staff.id });
    await pages.open(`/${shop.id}/endpoints/${id}`);
    await pages.see(endpoints.token.statuses.REVOKED("ERP"));
    await pages.expectAccessible();
    await pages.press(endpoints.token.takeOver);
    await pages.see(endpoints.token.takenOver);
    await pages.miss(endpoints.token.statuses.REVOKED("ERP"));
  });

  it("are added without a URL, and show a program that fetches their events", async () => {
    const { page } = pages;
    await pages.openAs(owner, `/${shop.id}/endpoints`);
    await pages.press(endpoints.add);
    await pages.see(endpoints.fields.url);
    await pages.choose(endpoints.fields.way, endpoints.fields.ways.pull);
    await pages.miss(endpoints.fields.addHeader);
    await pages.fill(endpoints.fields.description, "Stock of the ERP");
    await page.locator("label::-p-text(product.created)").click();
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(endpoints.createDone);
    await pages.see(endpoints.pull.never);
    await pages.miss(endpoints.secret.title);
    await pages.press(endpoints.testEvent.send);
    await pages.see(endpoints.pull.testWaits);
    await pages.expectAccessible();
    await expectNoUrl();
    const program = await page.$eval(`[aria-label="${endpoints.pull.sample}"]`, (element) => element.textContent);
    const command = await page.$$eval("code", (codes) =>
      codes.map(({ textContent }) => textContent).find((each) => each.includes("TOKEN="))!,
    );

    await pages.open(`/${shop.id}/tokens`);
    await pages.press(tokens.create);
    await pages.fill(credentials.name, "ERP sync");
    await pages.press(credentials.onlyRights.EVENTS.label);
    await pages.submit();
    await pages.see(credentials.created("ERP sync"));
    const token = await pages.readSecret();
    await pages.confirmSecret();
    await pages.see(credentials.onlyRights.EVENTS.tag[1]);

    await pages.open(`/${shop.id}/endpoints`);
    await pages.press("Stock of the ERP");
    await pages.press(endpoints.testEvent.send);
    await runUntilAcknowledged(program, command.replace("svt_…", token));
    await pages.see(endpoints.pull.testDone);
    await pages.see(endpoints.pull.by("ERP sync"));
    await pages.press(endpoints.viewDeliveries);
    await pages.press("product.created");
    await pages.see("by ERP sync.");
    await pages.see(deliveries.fetched.acknowledged.split(" ")[0]!);
    await pages.expectAccessible();
  });

  it("warn on Home and on their page when nobody fetches for a day, and never show a URL", async () => {
    const { id } = await run("createPullEndpoint", { input: { topics: ["product.created"], description: "ERP" } });
    await buildProduct(pages.server.em, shop);
    await buildProduct(pages.server.em, shop);
    const aged =
      "update outstanding_deliveries set created_at = now() - interval '26 hours 1 minute' where shop_id = $1";
    await sql(aged);
    await pages.openAs(owner, `/${shop.id}`);
    await pages.see(home.attention.title);
    await pages.see(endpoints.pull.backlog(2, "2", "26"));
    await expectNoUrl();
    await pages.press("ERP");
    await pages.see(endpoints.pull.backlog(2, "2", "26"));
    await pages.press(endpoints.edit);
    await pages.fill(endpoints.fields.description, "Warehouse");
    await pages.press(endpoints.save);
    await pages.see(endpoints.editDone);
    await pages.press(endpoints.pull.activeSwitch);
    await pages.see(endpoints.pull.paused);
    await pages.press(endpoints.pull.activeSwitch);
    await pages.miss(endpoints.pull.paused);
    await pages.press(endpoints.viewDeliveries);
    await pages.press("product.created");
    await pages.see(deliveries.waiting.receiver);
    await expectNoUrl();
    await pages.open(`/${shop.id}/endpoints/${id}`);
    await pages.press(endpoints.moreActions);
    await pages.press(endpoints.delete);
    await pages.see(endpoints.deletePullText("Warehouse").slice(0, 40));
    await pages.press(endpoints.deleteSubmit);
    await pages.see(endpoints.empty.title);
    for (const path of ["deliveries", "audit"]) {
      await pages.open(`/${shop.id}/${path}`);
      await pages.see("Warehouse");
      await expectNoUrl();
    }
  });

  async function runUntilAcknowledged(program: string, command: string): Promise<void> {
    const cwd = await makeDirectory();
    await writeFile(join(cwd, "consumer.ts"), program);
    const child = spawn("sh", ["-c", `exec env ${command}`], { cwd, env: { ...process.env, NODE_OPTIONS: "" } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    const left = () => sql("select from outstanding_deliveries where shop_id = $1");
    await eventually(left, ({ length }) => length === 0).finally(() => child.kill());
    await once(child, "exit");
    expect(output.match(/Ignore product.created/g), output).to.have.lengthOf(2);
  }
});
