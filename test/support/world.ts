import { beforeEach } from "mocha";
import type { CurrentShop } from "../../src/core/model/shops/current-shop.ts";
import type { Role } from "../../src/core/model/staff/staff.entity.ts";
import { openBrowserAs, type TestBrowser } from "./browser/browser.ts";
import { call, type Answer, type CallOptions } from "./client.ts";
import { query } from "./database.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "./factories.ts";
import { askGraphql, documentOf, resultOf, type GraphqlAnswer } from "./graphql.ts";
import { TestServer, useServer, type TestServerOptions } from "./server.ts";

/** How a shop and its member of staff differ from the defaults: the enterprise plan, EUR, and the owner. */
export type WorldOptions = NonNullable<Parameters<typeof buildShop>[1]> & { role?: Role };
export type Variables = Record<string, unknown>;

/** A shop, a member of its staff, and a key with every scope, which exists from its first use. */
export class World {
  readonly shop = {} as CurrentShop;
  readonly staff = {} as TestStaff;
  #browser: Promise<TestBrowser> | undefined;
  #key: Promise<string> | undefined;

  constructor(readonly server: TestServer) {}

  /** Builds a new shop and a member of its staff. */
  open = async ({ role, ...overrides }: WorldOptions = {}): Promise<this> => {
    Object.assign(this.shop, await buildShop(this.server.em, overrides));
    Object.assign(this.staff, await buildStaff(this.server.em, this.shop, role));
    this.#browser = undefined;
    this.#key = undefined;
    await this.furnish();
    return this;
  };

  /** Builds what every shop of this kind has. */
  protected async furnish(): Promise<void> {}

  /** The same shop as another member of its staff sees it. */
  as = async (role: Role): Promise<World> => {
    const other = new World(this.server);
    Object.assign(other.shop, this.shop);
    Object.assign(other.staff, await buildStaff(this.server.em, this.shop, role));
    return other;
  };

  /** The same shop as a new service token sees it, which is the member. */
  asService = async (...permissions: string[]): Promise<World> => {
    const input = { name: "ERP", permissions };
    const { secret, serviceToken } = await this.run("createServiceToken", { input });
    const service = new World(this.server);
    Object.assign(service.shop, this.shop);
    Object.assign(service.staff, { id: serviceToken.id });
    const headers = { authorization: `Bearer ${secret}` };
    service.ask = (document, variables = {}) =>
      askGraphql(this.server, document, { shopId: this.shop.id, ...variables }, headers);
    return service;
  };

  /** Makes another person the member. */
  become = (staff: TestStaff): void => {
    Object.assign(this.staff, staff);
    this.#browser = undefined;
  };

  key = (): Promise<string> => (this.#key ??= buildKey(this.server.em, this.shop));
  /** The browser in which the member is logged in. */
  browser = (): Promise<TestBrowser> => (this.#browser ??= openBrowserAs(this.server, this.staff));
  /** The headers of the member's session. */
  session = async (): Promise<{ cookie: string }> => {
    const { cookies } = await this.browser();
    return { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") };
  };

  /** Sends a document as the member, with the shop in `$shopId`. */
  ask = async (document: string, variables: Variables = {}): Promise<GraphqlAnswer> =>
    (await this.browser()).ask(document, { shopId: this.shop.id, ...variables });

  /** Sends a mutation, or asks for a field of the shop, by its name. The answer has every field of its type. */
  send = (field: string, variables: Variables = {}): Promise<GraphqlAnswer> => this.ask(documentOf(field), variables);

  /** Does the same, and returns the field. @throws Error when it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  run = async (field: string, variables: Variables = {}): Promise<any> => {
    const { data, errors } = await this.send(field, variables);
    if (errors.length > 0) throw new Error(`${field} was refused: ${JSON.stringify(errors)}`);
    return resultOf(field, data);
  };

  /** Does the same, and returns the code of its only error, and each issue as `path: code`. @throws Error when it succeeds */
  refusal = async (field: string, variables: Variables = {}): Promise<string[]> => {
    const { data, errors } = await this.send(field, variables);
    if (errors.length !== 1) throw new Error(`${field} was not refused: ${JSON.stringify({ data, errors })}`);
    const { code, issues = [] } = errors[0]!.extensions as { code: string; issues?: { path: string; code: string }[] };
    return [code, ...issues.map((issue) => `${issue.path}: ${issue.code}`)];
  };

  /** Calls a route of the shop with the key, such as `GET` of `/products`. */
  call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    call(
      this.server,
      method,
      `/${this.shop.id}${path}`,
      "key" in options ? options : { key: await this.key(), ...options },
    );

  /** Runs SQL with the shop's id as `$1`. */
  sql = <Row = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]> =>
    query<Row>(this.server.databaseUrl, text, [this.shop.id, ...values]);

  /** The actions in the audit log except logins, oldest first, with their details. */
  audited = async (): Promise<[action: string, details: Record<string, string>][]> => {
    const rows = await this.sql<{ action: string; details: Record<string, string> }>(
      "select action, details from audit_entries where shop_id = $1 and action <> 'MEMBER_LOGGED_IN' order by id",
    );
    return rows.map(({ action, details }) => [action, details]);
  };
}

export const openWorld = (server: TestServer): Promise<World> => new World(server).open();

/** Registers hooks that open a world for each test, on a server for this block or on one that runs. */
export function useWorld(on: TestServer | TestServerOptions = {}, options: WorldOptions = {}): World {
  const world = new World(on instanceof TestServer ? on : useServer(on));
  beforeEach("open a world", () => world.open(options));
  return world;
}
