import { expect } from "chai";
import pg from "pg";
import { query } from "../support/database.ts";
import { buildCustomer } from "../support/factories.ts";
import { askGraphql, type GraphqlAnswer } from "../support/graphql.ts";
import { useWorld } from "../support/world.ts";
import { untilBlocked } from "../support/postgres/lock-waits.ts";

const SHOP = "query ($id: ID!, $limit: Int) { shop(id: $id) { name products(limit: $limit) { total } } }";

describe("Errors of /graphql", () => {
  const { server, shop, session } = useWorld();

  beforeEach("log in", session);

  const ask = async (document: string, variables: Record<string, unknown> = {}, accept = "*/*") =>
    askGraphql(server, document, { id: shop.id, ...variables }, { ...(await session()), accept });

  const refusals: [what: string, document: string, variables: Record<string, unknown>, code: string][] = [
    ["does not parse", "{ viewer", {}, "GRAPHQL_PARSE_FAILED"],
    ["does not fit the schema", "{ viewer { nothing } }", {}, "GRAPHQL_VALIDATION_FAILED"],
    ["asks for a kind of operation that is not there", "subscription { x }", {}, "GRAPHQL_VALIDATION_FAILED"],
    ["gives a value of a wrong type", "{ shop(id: {}) { id } }", {}, "GRAPHQL_VALIDATION_FAILED"],
    ["gets a variable of a wrong type", SHOP, { limit: "1" }, "BAD_USER_INPUT"],
    ["gets a number that is too large", SHOP, { limit: 2 ** 31 }, "BAD_USER_INPUT"],
    [
      "has operations and names none",
      "query A { viewer { id } } query B { viewer { id } }",
      {},
      "OPERATION_RESOLUTION_FAILURE",
    ],
  ];

  for (const [what, document, variables, code] of refusals) {
    it(`are 400 ${code}, or 200 for clients of application/json, for a document that ${what}`, async () => {
      for (const [accept, expected] of [
        ["*/*", 400],
        ["application/graphql-response+json", 400],
        ["application/graphql-response+json, application/json;q=0.9", 400],
        ["application/json", 200],
      ] as const) {
        const { status, data, errors } = await ask(document, variables, accept);
        expect({ status, data }, accept).to.deep.equal({ status: expected, data: undefined });
        expect(errors).not.to.deep.equal([]);
        for (const { extensions } of errors) expect(extensions.code).to.equal(code);
      }
    });
  }

  it("name their field, beside data", async () => {
    const { status, data, errors } = await ask(
      `query ($id: ID!) { viewer { id } shop(id: $id) { name products(limit: 0) { total } } }`,
    );
    expect(status).to.equal(200);
    expect(data.shop).to.equal(null);
    expect(data.viewer.id).to.be.a("string");
    expect(errors.map(({ path }) => path)).to.deep.equal([["shop", "products"]]);
  });

  it("list all mistakes of the input", async () => {
    const { errors } = await ask(
      `query ($id: ID!) { shop(id: $id) { products(limit: 0, page: 0, search: "\\u0000") { total } } }`,
    );
    const { code, issues } = errors[0]!.extensions as unknown as { code: string; issues: Record<string, string>[] };
    expect(code).to.equal("VALIDATION_FAILED");
    expect(issues.length).to.be.at.least(2);
    for (const issue of issues) {
      expect(issue).to.include.keys("path", "code", "message");
    }
  });

  it("are client errors when a variable is null for a non-null argument", async () => {
    for (const [document, path] of [
      [SHOP, ["shop", "products"]],
      ["query ($if: Boolean) { viewer { id @include(if: $if) } }", undefined],
      ["query ($if: Boolean = true) { viewer { id @include(if: $if) } }", ["viewer"]],
    ] as const) {
      const { errors } = await ask(document, { limit: null, if: null });
      expect(errors[0]!.extensions.code, document).to.be.oneOf(["BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"]);
      if (path) expect(errors[0]!.path, document).to.deep.equal(path);
    }
  });

  it("are client errors, each of them, when more mistakes occur than are listed", async () => {
    const document = `mutation ($id: ID!, $changes: [SetStockInput!]!) {
      setStock(shopId: $id, changes: $changes) { error { code } } }`;
    const changes = Array.from({ length: 60 }, () => ({ variantId: {}, quantity: 1 }));
    const { status, errors } = await ask(document, { changes }, "application/json");
    expect(status).to.equal(200);
    expect(new Set(errors.map(({ extensions }) => extensions.code))).to.deep.equal(new Set(["BAD_USER_INPUT"]));
  });

  it("have a code and a message when the request is malformed", async () => {
    const headers = { "content-type": "application/json" };
    for (const [body, status] of [
      ["{", 400],
      ["[]", 400],
      ["null", 400],
      ['{"query":1}', 400],
      ['{"query":"{ viewer { id } }","variables":[]}', 400],
      [JSON.stringify({ query: "x".repeat(256 * 1024) }), 413],
    ] as const) {
      const response = await fetch(`${server.url}/graphql`, { method: "POST", headers, body });
      const { errors } = (await response.json()) as GraphqlAnswer;
      expect(response.status, body.slice(0, 50)).to.equal(status);
      expect(errors[0]!.message).to.be.a("string");
      expect(errors[0]!.extensions.code).to.be.a("string");
    }
    const response = await fetch(`${server.url}/graphql`, { method: "DELETE", headers });
    expect(response.status).to.equal(405);
    expect(response.headers.get("allow")).to.equal("GET, POST");
  });

  it("hide internal details", async () => {
    await query(server.databaseUrl, "alter table products rename to products_elsewhere");
    try {
      const { status, errors } = await ask(SHOP, { limit: 1 });
      expect(status).to.equal(200);
      expect(errors).to.have.length(1);
      const { locations: _, ...error } = errors[0] as unknown as Record<string, unknown>;
      expect(error).to.deep.equal({
        message: "Internal server error",
        path: ["shop", "products"],
        extensions: { code: "INTERNAL_SERVER_ERROR" },
      });
    } finally {
      await query(server.databaseUrl, "alter table products_elsewhere rename to products");
    }
  });

  it("are UNAVAILABLE only while the database is unavailable", async () => {
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    try {
      await holder.query("begin; lock table sessions, staff");
      const document = `mutation { logIn(email: "someone@example.com", password: "x") { id } }`;
      const [known, nobody] = await Promise.all([ask(SHOP, { limit: 1 }), askGraphql(server, document)]);
      expect(known.status).to.equal(503);
      expect(known.headers.get("retry-after")).to.equal("1");
      expect(known.errors).to.deep.equal([{ message: "Service unavailable", extensions: { code: "UNAVAILABLE" } }]);
      expect(nobody.status).to.equal(503);
      expect(nobody.headers.get("retry-after")).to.equal("1");
      expect(nobody.errors[0]).to.deep.include({ path: ["logIn"], extensions: { code: "UNAVAILABLE" } });
    } finally {
      await holder.end();
    }
    expect((await ask(SHOP, { limit: 1 })).errors).to.deep.equal([]);
  });

  describe("while products and customers are locked", () => {
    let holder: pg.Client;

    beforeEach(async () => {
      holder = new pg.Client({ connectionString: server.databaseUrl });
      await holder.connect();
      await holder.query("begin; lock table products, customers");
    });

    afterEach(() => holder.end());

    const unavailable = ["UNAVAILABLE"];
    const codesOf = ({ errors }: GraphqlAnswer) => [...new Set(errors.map(({ extensions }) => extensions.code))];
    const createCustomer = 'createCustomer(shopId: $id, input: { email: "held@example.com" }) { id }';

    it("are 503 with Retry-After without any data, for every client", async () => {
      const accepts = ["*/*", "application/json", "application/graphql-response+json"];
      const documents = [SHOP, `mutation ($id: ID!) { ${createCustomer} }`];
      const answers = await Promise.all(
        accepts.flatMap((accept) => documents.map((document) => ask(document, {}, accept))),
      );
      for (const answer of answers) {
        expect({ status: answer.status, codes: codesOf(answer) }).to.deep.equal({ status: 503, codes: unavailable });
        expect(answer.headers.get("retry-after")).to.equal("1");
      }
    });

    it("are 200 beside data", async () => {
      const answer = await ask("query ($id: ID!) { viewer { id } shop(id: $id) { products { total } } }");
      expect({ status: answer.status, codes: codesOf(answer) }).to.deep.equal({ status: 200, codes: unavailable });
      expect(answer.headers.get("retry-after")).to.equal(null);
      expect(answer.data.viewer.id).to.be.a("string");
    });

    it("are 200 after an executed mutation, so that clients do not repeat it", async () => {
      const rename = 'updateShop(shopId: $id, input: { name: "Renamed" }) { id }';
      const [several, answered] = await Promise.all([
        ask(`mutation ($id: ID!) { ${rename} ${createCustomer} }`),
        ask('mutation ($id: ID!) { updateShop(shopId: $id, input: { name: "Renamed" }) { products { total } } }'),
      ]);
      for (const answer of [several, answered]) {
        expect({ status: answer.status, data: answer.data, codes: codesOf(answer) }).to.deep.equal({
          status: 200,
          data: null,
          codes: unavailable,
        });
        expect(answer.headers.get("retry-after")).to.equal(null);
      }
    });
  });

  it("are UNAVAILABLE for the loser of a deadlock", async () => {
    const [first, second] = [await buildCustomer(server.em, shop), await buildCustomer(server.em, shop)];
    const rename = "update customers set email = $2 where id = $1";
    const holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
    try {
      // The other one is to find the deadlock, and to lose.
      await holder.query("set deadlock_timeout = '10s'");
      await holder.query("begin");
      await holder.query(rename, [second.id, "wanted@example.com"]);
      const document = `mutation ($id: ID!, $customerId: ID!, $input: UpdateCustomerInput!) {
        updateCustomer(shopId: $id, id: $customerId, input: $input) { id } }`;
      const loser = ask(document, { customerId: first.id, input: { email: "wanted@example.com" } });
      await untilBlocked(server.databaseUrl);
      const [{ errors }] = await Promise.all([loser, holder.query(rename, [first.id, "other@example.com"])]);
      expect(errors[0]!.extensions).to.deep.equal({ code: "UNAVAILABLE" });
    } finally {
      await holder.end();
    }
  });
});
