import { expect } from "chai";
import { createSchema } from "../../src/core/schema.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { callOf, fieldsOf } from "../support/requests/schema-calls.ts";
import { useServer, type TestServer } from "../support/server.ts";

const schema = createSchema();

/** The permissions of each role, repeated here so that a change of the code cannot change them. */
const roles: Record<Role, string[]> = {
  OWNER: [
    "SETTINGS",
    "READ_PRODUCTS",
    "WRITE_PRODUCTS",
    "READ_ORDERS",
    "WRITE_ORDERS",
    "READ_CUSTOMERS",
    "WRITE_CUSTOMERS",
  ],
  MANAGER: ["READ_PRODUCTS", "WRITE_PRODUCTS", "READ_ORDERS", "WRITE_ORDERS", "READ_CUSTOMERS", "WRITE_CUSTOMERS"],
  CLERK: ["READ_PRODUCTS", "READ_ORDERS", "WRITE_ORDERS", "READ_CUSTOMERS", "WRITE_CUSTOMERS"],
  VIEWER: ["READ_PRODUCTS", "READ_ORDERS", "READ_CUSTOMERS"],
};

/** The permissions that a service token can have. */
const grantable = roles.MANAGER;

/** The permission of each operation: "anyone" in the shop, or any "staff", if it needs none. */
const needed: Record<string, Record<string, string>> = {
  Shop: {
    id: "anyone",
    name: "anyone",
    plan: "anyone",
    trialEndsAt: "anyone",
    currency: "anyone",
    currencyDecimals: "anyone",
    pricesIncludeTax: "anyone",
    cashRounding: "anyone",
    cashRoundings: "anyone",
    usualCashRounding: "anyone",
    allowsOverselling: "anyone",
    requiresSecondFactor: "anyone",
    createdAt: "anyone",
    products: "READ_PRODUCTS",
    product: "READ_PRODUCTS",
    variant: "READ_PRODUCTS",
    stockChanges: "READ_PRODUCTS",
    lowStock: "READ_PRODUCTS",
    orders: "READ_ORDERS",
    order: "READ_ORDERS",
    dailyOrders: "READ_ORDERS",
    customers: "READ_CUSTOMERS",
    customer: "READ_CUSTOMERS",
    apiKeyLimit: "SETTINGS",
    webhookEndpointLimit: "SETTINGS",
    availableScopes: "SETTINGS",
    apiKeys: "SETTINGS",
    serviceTokens: "SETTINGS",
    webhookEndpoints: "SETTINGS",
    webhookEndpoint: "SETTINGS",
    deletedWebhookEndpoints: "SETTINGS",
    webhookDeliveries: "SETTINGS",
    webhookDelivery: "SETTINGS",
    auditLog: "SETTINGS",
    requests: "SETTINGS",
    hourlyRequests: "SETTINGS",
    members: "SETTINGS",
    invitations: "SETTINGS",
  },
  Mutation: {
    createProduct: "WRITE_PRODUCTS",
    createProducts: "WRITE_PRODUCTS",
    updateProduct: "WRITE_PRODUCTS",
    updateProducts: "WRITE_PRODUCTS",
    deleteProduct: "WRITE_PRODUCTS",
    deleteProducts: "WRITE_PRODUCTS",
    createVariant: "WRITE_PRODUCTS",
    updateVariant: "WRITE_PRODUCTS",
    deleteVariant: "WRITE_PRODUCTS",
    setStock: "WRITE_PRODUCTS",
    adjustStock: "WRITE_PRODUCTS",
    createOrder: "WRITE_ORDERS",
    updateOrder: "WRITE_ORDERS",
    recordPayment: "WRITE_ORDERS",
    settlePayment: "WRITE_ORDERS",
    fulfillOrder: "WRITE_ORDERS",
    cancelOrder: "WRITE_ORDERS",
    refundOrder: "WRITE_ORDERS",
    createCustomer: "WRITE_CUSTOMERS",
    updateCustomer: "WRITE_CUSTOMERS",
    grantStoreCredit: "WRITE_CUSTOMERS",
    spendStoreCredit: "WRITE_CUSTOMERS",
    updateShop: "SETTINGS",
    createApiKey: "SETTINGS",
    updateApiKey: "SETTINGS",
    rotateApiKey: "SETTINGS",
    revokeApiKey: "SETTINGS",
    createServiceToken: "SETTINGS",
    updateServiceToken: "SETTINGS",
    revokeServiceToken: "SETTINGS",
    createWebhookEndpoint: "SETTINGS",
    updateWebhookEndpoint: "SETTINGS",
    deleteWebhookEndpoint: "SETTINGS",
    rotateWebhookSecret: "SETTINGS",
    activateWebhookSecret: "SETTINGS",
    sendTestEvent: "SETTINGS",
    replayDelivery: "SETTINGS",
    replayFailedDeliveries: "SETTINGS",
    inviteMember: "SETTINGS",
    revokeInvitation: "SETTINGS",
    changeMemberRole: "SETTINGS",
    removeMember: "SETTINGS",
    leaveShop: "staff",
    endMemberSessions: "SETTINGS",
    updateNotificationSettings: "SETTINGS",
  },
};

type Expected = "admitted" | "UNAUTHENTICATED" | "FORBIDDEN" | "SHOP_NOT_FOUND";
type Headers = Record<string, string>;

interface Caller {
  name: string;
  headers: (server: TestServer, shop: Shop) => Promise<Headers>;
  expected: (permission: string) => Expected;
}

async function session(server: TestServer, shop: Shop, role?: Role): Promise<Headers> {
  return logIn(server, await buildStaff(server.em, shop, role));
}

async function serviceToken(server: TestServer, shop: Shop, permissions: string[]): Promise<Headers> {
  const { data, errors } = await askGraphql(
    server,
    `mutation ($shopId: ID!, $permissions: [Permission!]!) {
      createServiceToken(shopId: $shopId, input: { name: "Matrix", permissions: $permissions }) { secret } }`,
    { shopId: shop.id, permissions },
    await session(server, shop),
  );
  expect(errors, JSON.stringify(errors)).to.deep.equal([]);
  return { authorization: `Bearer ${data.createServiceToken.secret}` };
}

const admittedWith = (granted: string[]) => (permission: string) =>
  permission === "anyone" || granted.includes(permission) ? ("admitted" as const) : ("FORBIDDEN" as const);

const callers: Caller[] = [
  { name: "nobody", headers: async () => ({}), expected: () => "UNAUTHENTICATED" },
  {
    name: "another shop's owner",
    headers: async (server) => session(server, await buildShop(server.em)),
    expected: () => "SHOP_NOT_FOUND",
  },
  {
    name: "another shop's service",
    headers: async (server) => serviceToken(server, await buildShop(server.em), grantable),
    expected: () => "SHOP_NOT_FOUND",
  },
  ...Object.entries(roles).map(([role, granted]) => ({
    name: role,
    headers: (server: TestServer, shop: Shop) => session(server, shop, role as Role),
    expected: admittedWith(["staff", ...granted]),
  })),
  ...grantable.map((permission) => ({
    name: `a service with ${permission}`,
    headers: (server: TestServer, shop: Shop) => serviceToken(server, shop, [permission]),
    expected: admittedWith([permission]),
  })),
];

describe("Access to GraphQL", () => {
  const server = useServer();
  let shop: Shop;
  const headers = new Map<Caller, Headers>();

  before("give everybody their credentials", async () => {
    shop = await buildShop(server.em);
    for (const caller of callers) headers.set(caller, await caller.headers(server, shop));
  });

  async function verdict(document: string, credentials: Headers): Promise<Expected> {
    const { data, errors } = await askGraphql(server, document, {}, credentials);
    const code = errors[0]?.extensions.code;
    expect(code).not.to.be.oneOf(["INTERNAL_SERVER_ERROR", "GRAPHQL_VALIDATION_FAILED", "BAD_USER_INPUT"]);
    if (code === "UNAUTHENTICATED" || code === "FORBIDDEN" || code === "SHOP_NOT_FOUND") return code;
    // A foreign shop is null, without an error.
    if (data !== null && "shop" in data && data.shop === null && errors.length === 0) return "SHOP_NOT_FOUND";
    return "admitted";
  }

  for (const type of ["Shop", "Mutation"] as const) {
    for (const field of fieldsOf(schema, type)) {
      if (type === "Mutation" && !field.args.some(({ name }) => name === "shopId")) continue;
      const permission = needed[type]![field.name];
      it(`${type}.${field.name} has a documented permission`, () => {
        expect(permission, "add it to the table").to.be.a("string");
      });
      for (const caller of callers) {
        const expected = caller.expected(permission!);
        it(`${type}.${field.name} for ${caller.name}: ${expected}`, async () => {
          const call = callOf(field, { shopId: JSON.stringify(shop.id) });
          const document = type === "Shop" ? `{ shop(id: "${shop.id}") { ${call} } }` : `mutation { ${call} }`;
          // Last, because it ends the membership.
          const isLast = field.name === "leaveShop";
          const credentials = isLast ? await caller.headers(server, shop) : headers.get(caller)!;
          expect(await verdict(document, credentials)).to.equal(expected);
        });
      }
    }
  }

  it("lists only existing fields", () => {
    for (const type of ["Shop", "Mutation"] as const) {
      const names = new Set(fieldsOf(schema, type).map(({ name }) => name));
      expect(Object.keys(needed[type]!).filter((name) => !names.has(name))).to.deep.equal([]);
    }
  });

  describe("outside a shop", () => {
    const own: Record<string, { nobody: string; staff: string; service: string }> = {
      "{ viewer { id } }": { nobody: "null", staff: "object", service: "object" },
      "{ webhookTopics { name } }": { nobody: "object", staff: "object", service: "object" },
      '{ shop(id: "x") { id } }': { nobody: "UNAUTHENTICATED", staff: "null", service: "null" },
      'mutation { endSession(id: "x") }': { nobody: "UNAUTHENTICATED", staff: "false", service: "FORBIDDEN" },
      'mutation { changePassword(currentPassword: "x", newPassword: "long enough for it") }': {
        nobody: "UNAUTHENTICATED",
        staff: "INVALID_CREDENTIALS",
        service: "FORBIDDEN",
      },
      'mutation { beginSecondFactor(password: "x") { uri } }': {
        nobody: "UNAUTHENTICATED",
        staff: "INVALID_CREDENTIALS",
        service: "FORBIDDEN",
      },
      'mutation { confirmSecondFactor(code: "x") }': {
        nobody: "UNAUTHENTICATED",
        staff: "INVALID_STATE",
        service: "FORBIDDEN",
      },
      'mutation { disableSecondFactor(password: "x", code: "x") }': {
        nobody: "UNAUTHENTICATED",
        staff: "INVALID_CREDENTIALS",
        service: "FORBIDDEN",
      },
      'mutation { regenerateRecoveryCodes(password: "x", code: "x") }': {
        nobody: "UNAUTHENTICATED",
        staff: "INVALID_CREDENTIALS",
        service: "FORBIDDEN",
      },
      "mutation { endOtherSessions }": { nobody: "UNAUTHENTICATED", staff: "0", service: "FORBIDDEN" },
      '{ invitation(token: "x") { email } }': { nobody: "NOT_FOUND", staff: "NOT_FOUND", service: "NOT_FOUND" },
      'mutation { acceptInvitation(token: "x", password: "long enough for it") { id } }': {
        nobody: "NOT_FOUND",
        staff: "NOT_FOUND",
        service: "NOT_FOUND",
      },
      'mutation { logIn(email: "x@example.com", password: "x") { id } }': {
        nobody: "INVALID_CREDENTIALS",
        staff: "INVALID_CREDENTIALS",
        service: "INVALID_CREDENTIALS",
      },
      'mutation { requestPasswordReset(email: "x@example.com") }': {
        nobody: "FORBIDDEN",
        staff: "FORBIDDEN",
        service: "FORBIDDEN",
      },
      'mutation { resetPassword(token: "x", password: "long enough for it") }': {
        nobody: "NOT_FOUND",
        staff: "NOT_FOUND",
        service: "NOT_FOUND",
      },
      "mutation { logOut }": { nobody: "false", staff: "true", service: "false" },
    };

    for (const [document, expected] of Object.entries(own)) {
      for (const kind of ["nobody", "staff", "service"] as const) {
        it(`${document} for ${kind}: ${expected[kind]}`, async () => {
          const credentials = {
            nobody: async () => ({}),
            staff: () => session(server, shop, Role.VIEWER),
            service: () => serviceToken(server, shop, ["READ_ORDERS"]),
          };
          const { data, errors } = await askGraphql(server, document, {}, await credentials[kind]());
          const answer = data === null ? undefined : Object.values(data)[0];
          const shown = answer !== null && typeof answer === "object" ? "object" : String(answer);
          expect(errors[0]?.extensions.code ?? shown).to.equal(expected[kind]);
        });
      }
    }

    it("covers every query and mutation without a shop", () => {
      const names = [...fieldsOf(schema, "Query"), ...fieldsOf(schema, "Mutation")]
        .filter(({ args }) => !args.some(({ name }) => name === "shopId"))
        .map(({ name }) => name);
      for (const name of names) {
        expect(
          Object.keys(own).some((document) => document.includes(`${name}`)),
          name,
        ).to.equal(true);
      }
    });
  });
});
