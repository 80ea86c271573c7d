import { randomUUID } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { App } from "../../src/app.ts";
import { operator } from "../../src/core/access/actor.ts";
import { unknownOrigin } from "../../src/core/context.ts";
import { createShop } from "../../src/core/shops/create-shop.ts";
import { Plan, Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { createAccount, joinShop } from "../../src/core/staff/accounts/account.ts";
import { hashPassword } from "../../src/core/staff/accounts/password.ts";
import { openSession } from "../../src/core/staff/sessions/sessions.ts";
import type { Load } from "./load.ts";

/** Kinds of requests that fail late and cause as much work as possible. */
export const floodKinds = ["fields", "title", "parameters", "messages", "document", "owners"] as const;
export type FloodKind = (typeof floodKinds)[number];
export type Flood = Pick<Load, "requests" | "connections">;

const FIELDS = 15_000;
const TITLE = 255 * 1024;
const PARAMETERS = 900;
const ARGUMENTS = 230;
const SELECTIONS = 480;
const OWNERS = 20;
const DAY = 24 * 3_600_000;

export async function makeFloods(
  { core }: App,
  { id, key }: { id: string; key: string },
): Promise<Record<FloodKind, Flood>> {
  const em = core.orm.em.fork();
  const path = `/api/v1/${id}/products`;
  const authorization = `Bearer ${key}`;
  const post = (body: object): Flood["requests"] => [
    {
      method: "POST",
      path,
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  ];
  const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
  const viewer = await openSessionIn(em, await em.findOneOrFail(Shop, { id }), Role.VIEWER);
  const document = JSON.stringify({ query: `{ viewer { ${names(SELECTIONS).join(" ")} } }` });
  const ask = (session: string): Flood["requests"][number] => ({
    method: "POST",
    path: "/graphql",
    headers: { cookie: `session=${session}`, "content-type": "application/json" },
    body: document,
  });
  return {
    fields: { connections: 60, requests: post(Object.fromEntries(names(FIELDS).map((name) => [name, 1]))) },
    title: { connections: 60, requests: post({ title: "x".repeat(TITLE), price: 1 }) },
    parameters: {
      connections: 60,
      requests: [{ method: "GET", path: `${path}?${names(PARAMETERS).join("=1&")}=1`, headers: { authorization } }],
    },
    messages: {
      connections: 60,
      requests: [callTool(key, "createProduct", Object.fromEntries(names(ARGUMENTS).map((name) => [name, 1])))],
    },
    document: { connections: 60, requests: [ask(viewer)] },
    owners: { connections: 200, requests: (await openTrials(em)).map(ask) },
  };
}

/** The call of a tool by MCP. */
export function callTool(key: string, name: string, args: object): Flood["requests"][number] {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return {
    method: "POST",
    path: "/mcp",
    headers: { ...headers, authorization: `Bearer ${key}` },
    body: JSON.stringify(message),
  };
}

/** Opens trial shops, and returns a session of each owner. */
async function openTrials(em: EntityManager): Promise<string[]> {
  const trialEndsAt = new Date(Date.now() + DAY);
  const sessions = [];
  while (sessions.length < OWNERS) {
    const name = `Trial ${sessions.length + 1}`;
    const shop = await createShop(em, operator, { name, plan: Plan.TRIAL, trialEndsAt, currency: "EUR" });
    sessions.push(await openSessionIn(em, shop, Role.OWNER));
  }
  return sessions;
}

/** Bodies that never end: without a credential, with a known and an unknown one, with a length and chunked. */
export function slowHeads({ id, key }: { id: string; key: string }): string[] {
  const credentials = ["", `Authorization: Bearer ${key}\r\n`, "Authorization: Bearer unknown\r\n"];
  const length = "Content-Length: 262000\r\n\r\n";
  const framings = [length + " ".repeat(20_000), `${length}{`, "Transfer-Encoding: chunked\r\n\r\n"];
  const head = `POST /api/v1/${id}/products HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  return credentials.flatMap((credential) => framings.map((framing) => head + credential + framing));
}

/** Log-ins, sessions that are new to the process, large and chunked bodies, and a page, in turns. */
export async function makeStrangers({ core }: App, count: number): Promise<Flood["requests"]> {
  const em = core.orm.em.fork();
  const password = randomUUID();
  const email = `${password}@harbour.example`;
  const staff = await createAccount(em, { email, passwordHash: await hashPassword(password) });
  const ask = (headers: Record<string, string>, operation: object, size = 0): Flood["requests"][number] => ({
    method: "POST",
    path: "/graphql",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(operation).padEnd(size),
  });
  const query = "mutation ($email: String!, $password: String!) { logIn(email: $email, password: $password) { id } }";
  const any = { query: "{ __typename }" };
  const requests: Flood["requests"] = [];
  while (requests.length < count) {
    const session = await em.transactional((transaction) => openSession(transaction, staff, unknownOrigin));
    requests.push(
      ask({}, { query, variables: { email, password } }),
      ask({ cookie: `session=${session!.token}` }, any),
      ask({}, any, TITLE),
      ask({ "transfer-encoding": "chunked" }, any),
      { method: "GET", path: "/admin/", headers: {} },
    );
  }
  return requests;
}

/** Creates a member of a shop, and returns the token of its session. */
async function openSessionIn(em: EntityManager, shop: { id: string }, role: Role): Promise<string> {
  return em.transactional(async (transaction) => {
    const email = `${role.toLowerCase()}@${shop.id.replace("_", "-")}.example`;
    const staff = await createAccount(transaction, { email, passwordHash: "none" });
    await joinShop(transaction, shop.id, staff, role);
    return (await openSession(transaction, staff, unknownOrigin))!.token;
  });
}
