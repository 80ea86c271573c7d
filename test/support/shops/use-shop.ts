import { beforeEach } from "mocha";
import type { CurrentShop } from "../../../src/core/model/shops/current-shop.ts";
import type { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs, type TestBrowser } from "../browser/browser.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../factories.ts";
import { askGraphql, logIn } from "../graphql.ts";
import type { TestServer } from "../server.ts";

/** What the shop and its member of staff have other than the defaults. */
type Overrides = NonNullable<Parameters<typeof buildShop>[1]> & { role?: Role };

/**
 * Registers hooks that build a shop and a member of its staff for each test, into the same two objects. `open` builds
 * others into them.
 */
export function useShop(server: TestServer, initial?: Overrides) {
  const shop = {} as CurrentShop;
  const staff = {} as TestStaff;
  const open = async ({ role, ...overrides }: Overrides = {}) => {
    Object.assign(shop, await buildShop(server.em, overrides));
    Object.assign(staff, await buildStaff(server.em, shop, role));
  };
  beforeEach("build a shop", () => open(initial));
  return { shop, staff, open };
}

/** Registers hooks that build a shop and log in a member of its staff for each test. */
export function useSession(server: TestServer, initial?: Overrides) {
  const { shop, staff, open: openShop } = useShop(server, initial);
  const session = {} as { cookie: string };
  const enter = async () => Object.assign(session, await logIn(server, staff));
  const open = async (overrides?: Overrides) => {
    await openShop(overrides);
    await enter();
  };
  beforeEach("log in", enter);
  const ask = (document: string, variables: Record<string, unknown> = {}) =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, session);
  return { shop, staff, session, ask, open };
}

/** Registers hooks that build a shop and log in a member of its staff, in a new browser for each test. */
export function useBrowser(server: TestServer, initial?: Overrides) {
  const { shop, staff } = useShop(server, initial);
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
  const open = async (overrides?: Parameters<typeof buildShop>[1]) => {
    Object.assign(shop, await buildShop(server.em, overrides));
    auth.key = await buildKey(server.em, shop);
  };
  beforeEach("build a shop with a key", () => open());
  return { shop, auth, open };
}
