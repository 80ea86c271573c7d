import { beforeEach } from "mocha";
import type { CurrentShop } from "../../../src/core/model/shops/current-shop.ts";
import type { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs, type TestBrowser } from "../browser/browser.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../factories.ts";
import { askGraphql, logIn } from "../graphql.ts";
import type { TestServer } from "../server.ts";

/** What the shop and its member of staff have other than the defaults. */
type Overrides = NonNullable<Parameters<typeof buildShop>[1]> & { role?: Role };

/** Registers hooks that build a shop and a member of its staff for each test, into the same two objects. */
export function useShop(server: TestServer, { role, ...overrides }: Overrides = {}) {
  const shop = {} as CurrentShop;
  const staff = {} as TestStaff;
  beforeEach("build a shop", async () => {
    Object.assign(shop, await buildShop(server.em, overrides));
    Object.assign(staff, await buildStaff(server.em, shop, role));
  });
  return { shop, staff };
}

/** Registers hooks that build a shop and log in a member of its staff for each test. */
export function useSession(server: TestServer, overrides?: Overrides) {
  const { shop, staff } = useShop(server, overrides);
  const session = {} as { cookie: string };
  beforeEach("log in", async () => {
    Object.assign(session, await logIn(server, staff));
  });
  const ask = (document: string, variables: Record<string, unknown> = {}) =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, session);
  return { shop, staff, session, ask };
}

/** Registers hooks that build a shop and log in a member of its staff, in a new browser for each test. */
export function useBrowser(server: TestServer, overrides?: Overrides) {
  const { shop, staff } = useShop(server, overrides);
  const browser = {} as TestBrowser;
  beforeEach("log in", async () => {
    Object.assign(browser, await openBrowserAs(server, staff));
  });
  const ask: TestBrowser["ask"] = (document, variables = {}) =>
    browser.ask(document, { shopId: shop.id, ...variables });
  return { shop, staff, browser, ask };
}

/** Registers hooks that build a shop for each test, and a key with every scope. */
export function useKey(server: TestServer) {
  const shop = {} as CurrentShop;
  const auth = {} as { key: string };
  beforeEach("build a shop with a key", async () => {
    Object.assign(shop, await buildShop(server.em));
    auth.key = await buildKey(server.em, shop);
  });
  return { shop, auth };
}
