import { expect } from "chai";
import fc from "fast-check";
import { createSchema } from "../../src/core/schema.ts";
import { query } from "../support/database.ts";
import { DocumentWriter, type AnyRequest } from "../support/requests/documents.ts";
import {
  buildCustomer,
  buildOrder,
  buildProduct,
  buildShop,
  buildStaff,
  type TestStaff,
} from "../support/factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../support/graphql.ts";
import { holds } from "../support/properties/holds.ts";
import { useServer } from "../support/server.ts";

/** Text that no response may contain: statements, stacks, paths. */
const INSIDE = /node_modules|\.ts:\d|stacktrace|\bselect .+ from\b|violates|PostgreSQL|SQLSTATE/i;

describe("Any document sent to /graphql", () => {
  const server = useServer({ own: "compares all rows of all shops" });
  const schema = createSchema();
  const ids: string[] = [];
  let owner: TestStaff;
  let session: { cookie: string };
  let answered = 0;
  let changed = 0;

  before(async () => {
    const shop = await buildShop(server.em);
    const foreign = await buildShop(server.em);
    owner = await buildStaff(server.em, shop);
    session = await logIn(server, owner);
    const { id: productId } = await buildProduct(server.em, shop);
    const customer = await buildCustomer(server.em, shop);
    const order = await buildOrder(server.em, shop, { customer });
    const { id: foreignProductId } = await buildProduct(server.em, foreign);
    // Mostly the correct shop, so that changes get further.
    ids.push(...Array.from({ length: 8 }, () => shop.id), foreign.id, owner.id, productId, foreignProductId);
    ids.push(customer.id, order.id, order.items[0]!.id, order.payments[0]!.id);
  });

  async function send(request: AnyRequest, headers: Record<string, string>): Promise<void> {
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(request),
    });
    const body = await response.text();
    const text = `${JSON.stringify(request)}\n${body}`;
    const { data, errors } = JSON.parse(body) as Partial<Pick<GraphqlAnswer, "data" | "errors">>;
    expect(response.status, text).to.be.oneOf([200, 400]);
    expect(data === undefined, text).to.equal(response.status === 400);
    if (response.status === 400) expect(errors, text).to.be.an("array").that.is.not.empty;
    for (const { message, extensions } of errors ?? []) {
      expect(message, text).to.be.a("string").that.does.not.match(INSIDE);
      expect(extensions.code, text).to.match(/^[A-Z_]+$/);
      expect(extensions, text).not.to.have.property("code", "INTERNAL_SERVER_ERROR");
    }
    if (data && Object.values(data).some((value) => value !== null)) {
      answered += 1;
      if (request.query.startsWith("mutation")) changed += 1;
    }
  }

  /** Some changes end the session that makes them. */
  async function keepSession(): Promise<void> {
    const { data } = await askGraphql(server, "{ viewer { id } }", {}, session);
    if (!data.viewer) session = await logIn(server, owner);
  }

  const anyDocument = (headers: () => Record<string, string>) =>
    fc.asyncProperty(fc.gen(), async (g) => {
      const request = new DocumentWriter(schema, ids, g).write();
      await send(request, headers());
      if (headers() === session && request.query.startsWith("mutation")) await keepSession();
    });

  async function everything(): Promise<Record<string, string>> {
    const tables = await query<{ name: string }>(
      server.databaseUrl,
      // Login counters change for everybody.
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'login_attempts'`,
    );
    const digests = tables.map(
      ({ name }) => `'${name}', (select md5(string_agg(t::text, ',' order by t::text)) from ${name} t)`,
    );
    const [row] = await query<{ all: Record<string, string> }>(
      server.databaseUrl,
      `select json_build_object(${digests.join(", ")}) as all`,
    );
    return row!.all;
  }

  describe("without a session", () => {
    let rows: Record<string, string>;

    beforeEach(async () => {
      rows = await everything();
    });

    holds("is answered or refused, and changes nothing", 250, () => anyDocument(() => ({})));

    afterEach(async () => {
      expect(Object.keys(rows)).to.include("products");
      expect(await everything()).to.deep.equal(rows);
    });
  });

  describe("from an owner", () => {
    before(() => {
      answered = 0;
      changed = 0;
    });

    holds("is answered or refused", 250, () => anyDocument(() => session));

    after("enough got through to have tried something", () => {
      expect(answered).to.be.above(10);
      expect(changed).to.be.above(0);
    });
  });
});
