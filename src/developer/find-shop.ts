import { OperatorError } from "../platform/errors.ts";
import { promptPassword } from "../platform/terminal.ts";
import { readDemo } from "../demo/create-demo.ts";
import { ask, logIn, type Login, type StaffClient } from "./staff-client.ts";

/** The shop to listen to, and the member of staff who subscribes. */
export interface SubscribedShop {
  id: string;
  name: string;
  login: Login;
  staff: StaffClient;
  /** A key that may create products, if one is known. */
  apiKey?: string;
}

export interface ShopChoice {
  /** The email address of a member; the demo's owner by default. */
  email?: string;
  /** The shop's id. By default the demo's first shop, or the member's only one. */
  shop?: string;
  /** A code of the member's second factor, if they have one. */
  code?: string;
}

/** @throws OperatorError */
export async function findShop(
  config: { baseUrl: string; demoFile: string },
  { email, shop, code }: ShopChoice,
): Promise<SubscribedShop> {
  if (email === undefined) return findDemoShop(config.demoFile, shop);
  return findOwnShop({ baseUrl: config.baseUrl, email, password: await promptPassword() }, code, shop);
}

async function findDemoShop(demoFile: string, id?: string): Promise<SubscribedShop> {
  const demo = await readDemo(demoFile);
  if (!demo) {
    const hint = "To listen to a shop outside the demo, log in with --email.";
    throw new OperatorError(`${demoFile} does not exist. Start the server first: npm start\n${hint}`);
  }
  const shop = choose(demo.shops, id ?? demo.shops[0]!.id);
  const { email, password } = shop.staff[0]!;
  const login = { baseUrl: demo.baseUrl, email, password };
  const apiKey = shop.apiKeys.find(({ scopes }) => scopes.includes("write_products"))?.secret;
  return { id: shop.id, name: shop.name, login, staff: await logIn(login), apiKey };
}

async function findOwnShop(login: Login, code?: string, id?: string): Promise<SubscribedShop> {
  const staff = await logIn({ ...login, code });
  const { viewer } = await ask<{
    viewer: { memberships: { shop: { id: string; name: string }; permissions: string[] }[] };
  }>(staff, "{ viewer { memberships { permissions shop { id name } } } }");
  const memberships = viewer.memberships.filter(({ permissions }) => permissions.includes("SETTINGS"));
  const shops = memberships.map(({ shop }) => shop);
  return { ...choose(shops, id), login, staff };
}

/** The shop with this id, or the only one without an id. */
function choose<Shop extends { id: string; name: string }>(shops: readonly Shop[], id?: string): Shop {
  const found = id === undefined && shops.length === 1 ? shops[0] : shops.find((shop) => shop.id === id);
  if (found) return found;
  if (shops.length === 0) throw new OperatorError("You cannot change the settings of any shop");
  const list = shops.map((shop) => `  ${shop.id}  ${shop.name}`);
  throw new OperatorError(`Choose one of these shops with --shop:\n${list.join("\n")}`);
}
