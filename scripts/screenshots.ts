// Takes screenshots of every page of Admin and of the API reference, wide and narrow, light and dark, with demo data.
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";
import { copy as account } from "../admin/account/copy.ts";
import { copy as customers } from "../admin/customers/copy.ts";
import { keys, tokens } from "../admin/credentials/copy.ts";
import { copy as endpoints } from "../admin/endpoints/copy.ts";
import { copy as members } from "../admin/members/copy.ts";
import { copy as products } from "../admin/products/copy.ts";

const FOLDER = "screenshots";
const PORT = 4_390;
const BASE = `http://127.0.0.1:${PORT}`;
const sizes = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } };
const pages = ["keys", "endpoints", "deliveries", "requests", "tokens", "members", "audit", "shop", "account"];
const records = ["orders", "products", "customers", "stock"];
/** The button that opens the main dialog of a page. */
const openers = {
  keys: keys.create,
  endpoints: endpoints.add,
  tokens: tokens.create,
  members: members.invite.action,
  account: account.secondFactor.setUp,
  products: products.create,
  customers: customers.create,
};

interface DemoShop {
  id: string;
  apiKeys: { secret: string }[];
  staff: { email: string; password: string }[];
}

const dataDir = await mkdtemp(join(tmpdir(), "merchant-api-screenshots-"));
const server = spawn(process.execPath, ["--enable-source-maps", "dist/src/main.js", "serve"], {
  env: { ...process.env, DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: "error" },
  stdio: ["ignore", "ignore", "inherit"],
});
const receiver = createServer((request, response) => {
  response.writeHead(request.url === "/erp" ? 204 : 500).end();
});
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  await untilReady();
  const { shops } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as { shops: [DemoShop] };
  const page = await browser.newPage();
  await logIn(page, shops[0]);
  await sendWebhooks(page, shops[0], await listen(receiver));
  await mkdir(FOLDER, { recursive: true });
  await picture(page, "home", `/admin/${shops[0].id}`);
  for (const name of [...pages, ...records]) await picture(page, name, `/admin/${shops[0].id}/${name}`);
  for (const name of ["products", "orders", "customers", "endpoints", "keys"]) await pictureFirst(page, shops[0], name);
  for (const [name, opener] of Object.entries(openers)) {
    await picture(page, `${name}-dialog`, `/admin/${shops[0].id}/${name}`, opener);
  }
  await picture(page, "orders-new", `/admin/${shops[0].id}/orders/new`);
  const invitation = await invite(page, shops[0]);
  await picture(page, "docs", `/docs?shop=${shops[0].id}`);
  await page.deleteCookie(...(await page.cookies()));
  await picture(page, "login", "/admin/login");
  await picture(page, "reset", "/admin/reset");
  await picture(page, "join", invitation);
} finally {
  await browser.close();
  receiver.close();
  server.kill("SIGINT");
  await once(server, "exit");
  await rm(dataDir, { recursive: true, force: true });
}

async function untilReady(): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${BASE}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (server.exitCode !== null) throw new Error("The demo did not start: is it built?");
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
}

async function listen(at: Server): Promise<string> {
  await once(at.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(at.address() as AddressInfo).port}`;
}

async function logIn(page: Page, { staff: [owner] }: DemoShop): Promise<void> {
  await page.goto(`${BASE}/admin/login`);
  await page.locator('input[name="email"]').fill(owner!.email);
  await page.locator('input[name="password"]').fill(owner!.password);
  await page.locator('button[type="submit"]').click();
  await page.waitForSelector("aside nav");
}

/** Sends a GraphQL document with the page's session. @throws Error when it is refused */
async function ask(page: Page, query: string, variables: object): Promise<void> {
  const body = JSON.stringify({ query, variables });
  const answer = await page.evaluate(async (json) => {
    const headers = { "Content-Type": "application/json" };
    return (await fetch("/graphql", { method: "POST", headers, body: json })).text();
  }, body);
  if (answer.includes('"errors"')) throw new Error(answer);
}

/** Invites a member and returns the path of the link in the mail, which the demo writes to a file. */
async function invite(page: Page, shop: DemoShop): Promise<string> {
  const text = `mutation ($shopId: ID!, $input: InviteMemberInput!) {
    inviteMember(shopId: $shopId, input: $input) { token }
  }`;
  await ask(page, text, { shopId: shop.id, input: { email: "new.colleague@example.com", role: "CLERK" } });
  for (;;) {
    const names = await readdir(join(dataDir, "mail")).catch(() => []);
    const mails = await Promise.all(names.map((name) => readFile(join(dataDir, "mail", name), "utf8")));
    // Removes the soft line breaks of quoted-printable.
    const texts = mails.map((mail) => mail.replaceAll(/=\r?\n/g, ""));
    const link = texts.map((each) => /\/admin\/join#[\w-]{43}/.exec(each)?.[0]).find(Boolean);
    if (link) return link;
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
}

/** Creates endpoints, one of which fails, and events for them. */
async function sendWebhooks(page: Page, shop: DemoShop, address: string): Promise<void> {
  const text = `mutation ($shopId: ID!, $input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(shopId: $shopId, input: $input) { secret }
  }`;
  for (const path of ["erp", "warehouse"]) {
    await ask(page, text, { shopId: shop.id, input: { url: `${address}/${path}`, topics: ["product.created"] } });
  }
  for (const title of ["Deck lantern", "Sail bag", "Oilskin apron", "Rope doormat"]) {
    const headers = { Authorization: `Bearer ${shop.apiKeys[0]!.secret}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ title, price: 39 });
    await fetch(`${BASE}/api/v1/${shop.id}/products`, { method: "POST", headers, body });
  }
}

async function pictureFirst(page: Page, shop: DemoShop, name: string): Promise<void> {
  await page.setViewport(sizes.wide);
  await page.goto(`${BASE}/admin/${shop.id}/${name}`);
  const anchor = await page.waitForSelector(`main a[href*="/${name}/"]:not([href$="/new"], [href$="/import"])`);
  const link = await anchor!.evaluate((node) => node.getAttribute("href")!);
  await picture(page, `${name}-one`, link);
}

async function picture(page: Page, name: string, path: string, opener?: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewport(viewport);
    for (const value of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      // A change of the fragment alone does not reload the page.
      await page.goto("about:blank");
      await page.goto(BASE + path, { waitUntil: "networkidle2" });
      // A loaded page has its heading, but may still wait for its list.
      await page.waitForSelector("h1");
      await page.waitForSelector('[aria-label="Loading"]', { hidden: true });
      if (opener) {
        await page.locator(`::-p-aria([name="${opener}"][role="button"])`).click();
        await page.waitForSelector('[role="dialog"] form');
      }
      await page.screenshot({ path: `${FOLDER}/${name}-${size}-${value}.png` });
    }
  }
}
