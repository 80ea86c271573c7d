import { expect } from "chai";
import { visit, type DocumentNode } from "graphql";
import { routes } from "../../src/rest/router.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { askGraphql } from "../support/graphql.ts";
import { readAdminDocuments } from "../support/requests/admin-documents.ts";
import { useServer } from "../support/server.ts";
import { buildFullShop, type FullShop } from "../support/shops/full-shop.ts";
import { useStatementLog } from "../support/postgres/statements.ts";

/** The look-up of the caller and their membership, and the logs that are written meanwhile. */
const BESIDE = /"sessions"|"digest" = |"last_seen_at"|update api_keys|insert into (api|hourly)_requests/;

/** The fields that are read in separate statements. */
const apart: Record<string, RegExp> = {
  // On the coordinator of a cluster, where a statement about the records of one shop cannot reach it.
  "names of actors":
    /(createdBy|invitedBy|lastFetchedBy|fetchedBy)Name$|ignoredActorNames$|(?<!auditLog\.items\.|order\.changes\.)actorName$/,
  "states of service tokens": /serviceTokenStatus$/,
  "keys of logged requests": /requests\.items\.apiKey$/,
  "logged requests of a key": /usage$/,
  // With an argument, so a document can select several.
  "logged requests by address": /rehearseAllowedAddresses$/,
  "store credit entries": /storeCreditEntries$/,
  "failed deliveries": /failedDeliveryCount$/,
  "hourly attempts": /hourlyAttempts$|isSlow$/,
  // They search the events of the shop, and then read the deliveries of the events found.
  "events of a record": /explain$/,
  "deliveries of these events": /explain\.delivery$/,
  "records of a file": /import\.items$/,
  // After their variants, whose codes are compared first.
  "products of a code": /variantByCode\.product$/,
};

/** Fields that are known without a statement. */
const KNOWN =
  /\.(id|name|createdAt|pricesIncludeTax|defaultTaxRate|cashRoundings?|usualCashRounding|allowsOverselling|requiresSecondFactor|availableScopes)$/;

/** The paths of a document's fields, such as `shop.orders.items`, with those of its fragments where they are. */
function pathsOf(document: DocumentNode): string[] {
  const paths: string[] = [];
  const above: string[] = [];
  visit(document, {
    Field: {
      enter: ({ name }) => {
        above.push(name.value);
        paths.push(above.join("."));
      },
      leave: () => void above.pop(),
    },
  });
  return paths;
}

describe("A read is one statement", () => {
  const server = useServer();
  const log = useStatementLog();
  let full: FullShop;

  before(async () => {
    full = await buildFullShop(server, "http://127.0.0.1:9/");
    const grant = `mutation ($shopId: ID!, $id: ID!) {
      grantStoreCredit(shopId: $shopId, customerId: $id, input: { amount: "1.00", reason: "Thanks" }) { id } }`;
    await askGraphql(server, grant, { shopId: full.shop.id, id: await newest("customers") }, full.session);
    // By staff, so that its document reads a name.
    const key = `mutation ($shopId: ID!) {
      createApiKey(shopId: $shopId, input: { name: "ERP", scopes: [READ_PRODUCTS] }) { secret } }`;
    await askGraphql(server, key, { shopId: full.shop.id }, full.session);
  });

  const newest = async (table: string) => {
    const text = `select id from ${table} where shop_id = $1 order by created_at desc, id desc limit 1`;
    return (await query<{ id: string }>(server.databaseUrl, text, [full.shop.id]))[0]?.id ?? "";
  };

  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const { statements } = await log.during(work);
    return statements.filter((statement) => !BESIDE.test(statement));
  }

  for (const route of routes.filter(({ method }) => method === "GET")) {
    for (const page of route.path.includes("{") ? [""] : ["", "?limit=2&page=2", "?search=a"]) {
      if (page.includes("search") && !("search" in route.query.shape)) continue;
      it(`for GET ${route.path}${page}`, async () => {
        const id = await newest(route.path.split("/")[1]!);
        const path = `/${full.shop.id}${route.path.replace(/\{\w+\}/, id)}${page}`;
        const sent = await statementsOf(async () => {
          const { status, text } = await call(server, "GET", path, { key: full.key });
          expect(status, text).to.equal(200);
        });
        expect(sent).to.have.length(1);
      });
    }
  }

  it("for each field of the shop in Admin's documents, except those read apart", async () => {
    const variables = {
      shopId: full.shop.id,
      since: "2020-01-01T00:00:00.000Z",
      timeZone: "Europe/Berlin",
      order: "DESC",
      atMost: 500,
      limit: 50,
      allowed: [],
      kind: "PRODUCTS",
      search: "a",
      code: "1",
      requestId: "1",
      recordId: await newest("products"),
      readsOrders: true,
      readsProducts: true,
      hasSettings: true,
      variantId: full.variantId,
      method: "CASH",
      input: { channel: "POS", lines: [{ variantId: full.variantId, quantity: 1 }] },
    };
    const tables: Record<string, string> = {
      Order: "orders",
      AmountToRefund: "orders",
      Customer: "customers",
      Product: "products",
      ProductTitle: "products",
      Key: "api_keys",
      Delivery: "deliveries",
    };
    const tooMany: string[] = [];
    const unused = new Set(Object.keys(apart));
    for (const { operation, document, text } of await readAdminDocuments()) {
      const name = operation.name!.value;
      const paths = pathsOf(document);
      if (operation.operation !== "query" || paths.includes("invitation")) continue;
      const own = {
        id:
          name === "StockOfVariant" ? full.variantId : tables[name] ? await newest(tables[name]) : full.pullEndpointId,
        sort: name === "Customers" ? "LAST_NAME" : name === "Products" ? "TITLE" : "CREATED_AT",
        after: name === "Problems" ? 0 : null,
        ...(name === "AmountToRefund" && { input: { amount: "1.00" } }),
      };
      const sent = await statementsOf(async () => {
        const { errors } = await askGraphql(server, text, { ...variables, ...own }, full.session);
        expect(
          errors.map(({ message }) => message),
          name,
        ).to.deep.equal([]);
      });
      const read = paths.filter((path) => /^shop\.\w+$|^viewer\.sessions$/.test(path) && !KNOWN.test(path));
      const groups = Object.keys(apart).filter((group) => paths.some((path) => apart[group]!.test(path)));
      const most = read.length + groups.length;
      if (sent.length > most) tooMany.push(`${name}: ${sent.length} instead of ${most}`, ...sent);
      if (sent.length === most) for (const group of groups) unused.delete(group);
    }
    expect(tooMany).to.deep.equal([]);
    // The shop has no import.
    expect([...unused]).to.deep.equal(["records of a file"]);
  });
});
