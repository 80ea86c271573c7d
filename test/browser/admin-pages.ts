import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { launchChromium } from "../support/browser/chromium.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import type { Role } from "../../src/core/model/staff/staff.entity.ts";
import { buildStaff, type TestStaff } from "../support/factories.ts";
import { useServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { copy as session } from "../../admin/session/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";
import { copy as ui } from "../../admin/ui/copy.ts";

const WIDTHS = [1280, 390];
/** Milliseconds. */
const PATIENCE = 30_000;
const PRESSABLE = ["button", "link", "menuitem", "checkbox", "switch", "radio"];
const WRITABLE = ["textbox", "searchbox", "spinbutton", "combobox"];
/** The maximum cost of a document. */
const MAX_COST = 1_000;
const SCHEMES = ["light", "dark"];
const axeSource = () => readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Admin's built pages in a real browser, with checks for violations. */
export interface AdminPages {
  server: TestServer;
  page: Page;
  context: BrowserContext;
  /** Logs in on the page and opens a path below `/admin`. */
  openAs: (staff: TestStaff, path: string) => Promise<void>;
  /** Does the same as a new member of the shop's staff. */
  openAsRole: (shop: Shop, role: Role, path?: string) => Promise<TestStaff>;
  open: (path: string) => Promise<void>;
  /** Presses the button, link or item of this name. */
  press: (name: string) => Promise<void>;
  fill: (label: string, text: string) => Promise<void>;
  choose: (label: string, option: string) => Promise<void>;
  /** Submits the form of the open dialog. */
  submit: () => Promise<void>;
  openAccountMenu: () => Promise<void>;
  /** Logs out by the account menu. */
  logOut: () => Promise<void>;
  /** The secret that the open dialog shows. */
  readSecret: () => Promise<string>;
  /** Confirms that the secret is saved, which closes its dialog. */
  confirmSecret: () => Promise<void>;
  /** Waits until the text is there to be seen. */
  see: (text: string) => Promise<void>;
  /** Waits until a cell of a table holds this text and no other. */
  seeCell: (text: string) => Promise<void>;
  /** Waits until the page's heading has the focus, after what had it is gone. */
  seeFocusedHeading: () => Promise<void>;
  /** Waits until the text is gone. */
  miss: (text: string) => Promise<void>;
  /** Checks the page with axe, and its width, narrow and wide, light and dark. */
  expectAccessible: () => Promise<void>;
}

/**
 * Registers hooks that run a server and open a browser, a new context for each test. After each test:
 * no violation of the policy, no error on the console, no request elsewhere. Without Chromium the tests are skipped.
 */
export function useAdminPages(options: TestServerOptions = {}): AdminPages {
  const pages = {} as AdminPages;
  let browser: Browser | undefined;
  const problems: string[] = [];
  before("open a browser", async function () {
    browser = await launchChromium();
    if (!browser) return this.skip();
  });
  pages.server = useServer({ atBaseUrl: true, ...options });
  beforeEach(async function () {
    this.currentTest!.timeout(180_000);
    pages.context = await browser!.createBrowserContext();
    const { origin } = new URL(pages.server.url);
    await pages.context.overridePermissions(origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
    pages.page = await pages.context.newPage();
    await pages.page.setViewport({ width: WIDTHS[0]!, height: 900 });
    watch(pages.page, pages.server, problems);
    Object.assign(pages, createHands(pages));
  });
  afterEach(async () => {
    await pages.context?.close();
    expect(problems.splice(0)).to.deep.equal([]);
  });
  after(() => browser?.close());
  return pages;
}

/** Records policy violations, errors, requests to other hosts, and documents over the maximum cost. */
function watch(page: Page, server: TestServer, problems: string[]): void {
  page.on("console", (message) => {
    // A test that stops the server, or is refused, provokes these.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  page.on("response", (response) => {
    if (!response.url().endsWith("/graphql")) return;
    // A page that leaves does not wait for its answers.
    const answer = response.json().catch(() => ({})) as Promise<{ extensions?: { cost?: { requested: number } } }>;
    void answer.then(({ extensions }) => {
      const cost = extensions?.cost?.requested ?? 0;
      if (cost >= MAX_COST) problems.push(`a document costs ${cost}: ${response.request().postData()}`);
    });
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) problems.push(`asked ${request.url()}`);
  });
}

function createHands(pages: AdminPages): Omit<AdminPages, "server" | "page" | "context"> {
  const { page, server } = pages;
  const open = async (path: string) => void (await page.goto(`${server.url}/admin${path}`));
  /** Reports the page's text when something does not appear. */
  const patiently = async (wait: Promise<unknown>) => {
    try {
      await wait;
    } catch (error) {
      const shown = await page.evaluate(() => document.body.innerText);
      throw new Error(`${String(error)}\nThe page ${page.url()} shows:\n${shown}`, { cause: error });
    }
  };
  const see = (text: string) =>
    patiently(page.waitForSelector(`::-p-text(${JSON.stringify(text)})`, { visible: true, timeout: PATIENCE }));
  const press = async (name: string) => {
    await patiently(
      page
        .locator(PRESSABLE.map((role) => `::-p-aria([name="${name}"][role="${role}"])`).join(", "))
        .setTimeout(PATIENCE)
        .click(),
    );
  };
  const openAccountMenu = () =>
    patiently(page.locator('aside button[aria-haspopup="menu"]').setTimeout(PATIENCE).click());
  const fill = async (label: string, text: string) => {
    const field = WRITABLE.map((role) => `::-p-aria([name="${label}"][role="${role}"])`).join(", ");
    await patiently(page.locator(field).setTimeout(PATIENCE).fill(text));
  };
  const seeCell = (text: string) =>
    patiently(page.waitForSelector(`::-p-xpath(//td[normalize-space()="${text}"])`, { timeout: PATIENCE }));
  const openAs = async (staff: TestStaff, path: string) => {
    await open(`/login?next=${encodeURIComponent(path)}`);
    await fill(session.email, staff.email);
    await page.locator('input[type="password"]').fill(staff.password);
    await press(session.login.submit);
    const hasArrived = (next: string) => location.pathname + location.search === `/admin${next}`;
    await patiently(page.waitForFunction(hasArrived, { timeout: PATIENCE }, path));
  };
  return {
    open,
    see,
    seeCell,
    press,
    fill,
    openAs,
    openAsRole: async (shop, role, path = "") => {
      const staff = await buildStaff(server.em, shop, role);
      await openAs(staff, `/${shop.id}${path}`);
      return staff;
    },
    openAccountMenu,
    logOut: async () => {
      await openAccountMenu();
      await press(shell.logOut);
      await see(session.login.forgot);
    },
    submit: () => patiently(page.locator('[role="dialog"] button[type="submit"]').setTimeout(PATIENCE).click()),
    readSecret: () =>
      page.$eval("[role=dialog] :is(input, textarea)[readonly]", (field) => (field as HTMLInputElement).value),
    confirmSecret: async () => {
      await press(ui.secret.confirm);
      await press(ui.secret.done);
    },
    choose: async (label, option) => {
      await page.locator(`::-p-aria([name="${label}"][role="combobox"])`).click();
      await page.locator(`::-p-aria([name="${option}"][role="option"])`).click();
    },
    miss: async (text) => {
      const isGone = (gone: string) => !document.body.innerText.includes(gone);
      await patiently(page.waitForFunction(isGone, { timeout: PATIENCE }, text));
    },
    seeFocusedHeading: () =>
      patiently(page.waitForFunction(() => document.activeElement?.tagName === "H1", { timeout: PATIENCE })),
    expectAccessible: () => expectAccessible(page),
  };
}

async function expectAccessible(page: Page): Promise<void> {
  // As a script of the page it would be against the policy.
  await page.evaluate(await axeSource());
  const focused = await page.evaluate(() => document.activeElement!.getAttribute("aria-label"));
  expect(focused, "a dialog opens with the focus on Close").not.to.equal(ui.close);
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 900 });
    for (const value of SCHEMES) {
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value },
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
      const where = `${page.url()} at ${width}, ${value}`;
      expect(await findViolations(page), where).to.deep.equal([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `scrolls sideways: ${where}`).to.be.at.most(0);
    }
  }
  await page.setViewport({ width: WIDTHS[0]!, height: 900 });
  await page.emulateMediaFeatures([]);
}

/** Each rule that is broken, and where. */
async function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}
