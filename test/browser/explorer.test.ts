import { expect } from "chai";
import type { Browser, Page } from "puppeteer-core";
import { launchChromium, withoutChromium } from "../support/browser/chromium.ts";
import { buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

describe(`The explorer in a browser${withoutChromium}`, function () {
  this.timeout(120_000);
  const server = useServer({ atBaseUrl: true });
  const elsewhere: string[] = [];
  const problems: string[] = [];
  let browser: Browser | undefined;
  let page: Page;
  let owner: TestStaff;

  before(async function () {
    browser = await launchChromium();
    if (!browser) return this.skip();
    owner = await buildStaff(server.em, await buildShop(server.em, { name: "Harbour" }));
    page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin === server.url || ["blob:", "data:"].includes(url.protocol)) return void request.continue();
      elsewhere.push(request.url());
      void request.abort();
    });
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`${server.url}/graphql`);
    await page.waitForSelector(".graphiql-query-editor .view-lines");
  });

  after(() => browser?.close());

  /** Enters an operation, and waits until the page has parsed it. */
  async function write(name: string, text: string): Promise<void> {
    await page.click(".graphiql-query-editor .view-lines");
    await page.keyboard.down("Control");
    await page.keyboard.press("KeyA");
    await page.keyboard.up("Control");
    await page.keyboard.press("Backspace");
    // Pasted, because the editor would close typed brackets.
    await page.keyboard.sendCharacter(text);
    await page.waitForSelector(`.graphiql-tab-button::-p-text(${name})`, { timeout: 10_000 });
  }

  async function execute(): Promise<unknown> {
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().method() === "POST"),
      page.click(".graphiql-execute-button"),
    ]);
    return response.json();
  }

  async function expectShown(text: string): Promise<void> {
    await page.waitForSelector(`.result-window ::-p-text(${text})`, { timeout: 10_000 });
  }

  it("logs in, runs a query and shows the result", async () => {
    const { id, email, password } = owner;
    await write("Enter", `mutation Enter { logIn(email: "${email}", password: "${password}") { id } }`);
    expect(await execute()).to.have.nested.property("data.logIn.id", id);
    await expectShown(id);
    await write("Mine", "query Mine { viewer { memberships { shop { name } } } }");
    expect(await execute()).to.have.nested.property("data.viewer.memberships[0].shop.name", "Harbour");
    await expectShown("Harbour");
  });

  it("shows the schema", async () => {
    await page.click('button[aria-label="Show Documentation Explorer"]');
    await page.waitForSelector(".graphiql-doc-explorer");
    await page.waitForSelector(".graphiql-doc-explorer ::-p-text(Mutation)");
  });

  it("contacts no other host, and does not violate its own policy", () => {
    expect(elsewhere).to.deep.equal([]);
    expect(problems).to.deep.equal([]);
  });
});
