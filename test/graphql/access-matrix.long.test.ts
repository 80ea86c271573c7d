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
    "READ_LOGS",
    "REPLAY_DELIVERIES",
    "RECEIVE_EVENTS",
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

const OWN = "MANAGE_OWN_WEBHOOK_ENDPOINTS";

/** The permissions that a service token can have. */
const grantable = ["READ_LOGS", "REPLAY_DELIVERIES", "RECEIVE_EVENTS", OWN, ...roles.MANAGER];

/**
 * The operations that each permission is needed for: "anyone" in the shop, or any "staff", if it is none. Clerks have the
 * permission for "erasing", but not the right. After a slash is one that admits, too.
 */
const operations: Record<"Shop" | "Mutation", Record<string, string>> = {
  Shop: {
    anyone: `id name plan trialEndsAt currency currencyDecimals pricesIncludeTax cashRounding cashRoundings defaultTaxRate
      usualCashRounding allowsOverselling requiresSecondFactor createdAt import sandboxOf sandboxState sandboxContent`,
    READ_PRODUCTS: "products product variant variantByCode stockChanges lowStock",
    READ_ORDERS: "orders order dailyOrders",
    "READ_ORDERS WRITE_ORDERS": "quoteOrder",
    "READ_PRODUCTS WRITE_PRODUCTS": "imports",
    READ_CUSTOMERS: "customers customer",
    READ_LOGS: "deletedWebhookEndpoints auditLog requests hourlyRequests",
    [`READ_LOGS/${OWN}`]: "webhookEndpoints webhookEndpoint webhookDeliveries webhookDelivery",
    SETTINGS: `apiKeyLimit webhookEndpointLimit availableScopes apiKey apiKeys serviceTokens members invitations`,
  },
  Mutation: {
    WRITE_PRODUCTS: `createProduct createProducts updateProduct updateProducts deleteProduct deleteProducts
      createVariant updateVariant deleteVariant setStock adjustStock`,
    WRITE_ORDERS: `createOrder updateOrder recordPayment settlePayment fulfillOrder cancelOrder refundOrder`,
    WRITE_CUSTOMERS: "createCustomer updateCustomer grantStoreCredit spendStoreCredit",
    erasing: "eraseCustomer",
    SETTINGS: `exportCustomer updateShop createApiKey updateApiKey setAllowedAddresses rotateApiKey revokeApiKey createServiceToken updateServiceToken
      revokeServiceToken takeOverWebhookEndpoint inviteMember revokeInvitation
      changeMemberRole removeMember endMemberSessions updateNotificationSettings createSandbox resetSandbox
      simulateOrder simulateEvent simulateFailures`,
    [`SETTINGS/${OWN}`]: `createWebhookEndpoint createPullEndpoint updateWebhookEndpoint deleteWebhookEndpoint
      rotateWebhookSecret activateWebhookSecret sendTestEvent checkReceiver`,
    "READ_PRODUCTS WRITE_PRODUCTS": "createImport",
    // An unknown import has no permissions.
    anyone: "checkImport startImport cancelImport",
    [`REPLAY_DELIVERIES/${OWN}`]: "replayDelivery replayFailedDeliveries",
    [`RECEIVE_EVENTS/${OWN}`]: "receiveEvents acknowledgeEvents extendLease releaseEvents",
    staff: "leaveShop",
  },
};

/** The permission of each operation. */
const neededFor = (type: "Shop" | "Mutation") =>
  new Map(
    Object.entries(operations[type]).flatMap(([permission, names]) =>
      names.split(/\s+/).map((name) => [name, permission] as const),
    ),
  );

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
  permission === "anyone" ||
  permission.split(" ").every((each) => each.split("/").some((either) => granted.includes(either)))
    ? ("admitted" as const)
    : ("FORBIDDEN" as const);

const erasing = new Set(["OWNER", "MANAGER", "WRITE_CUSTOMERS"]);
const grantsOf = (name: string) => (erasing.has(name) ? ["erasing"] : []);

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
    expected: admittedWith(["staff", ...grantsOf(role), ...granted]),
  })),
  ...grantable.map((permission) => ({
    name: `a service with ${permission}`,
    headers: (server: TestServer, shop: Shop) => serviceToken(server, shop, [permission]),
    expected: admittedWith([permission, ...grantsOf(permission)]),
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
    const fields = fieldsOf(schema, type).filter(
      ({ args }) => type === "Shop" || args.some(({ name }) => name === "shopId"),
    );
    const needed = neededFor(type);

    it(`has the permission of each operation in its table: ${type}`, () => {
      expect([...needed.keys()]).to.have.members(fields.map(({ name }) => name));
    });

    for (const field of fields) {
      for (const caller of callers) {
        const expected = caller.expected(needed.get(field.name)!);
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

  describe("outside a shop", () => {
    const wrongPassword = ["UNAUTHENTICATED", "INVALID_CREDENTIALS", "FORBIDDEN"] as const;
    const same = (code: string) => [code, code, code] as const;
    const own: [document: string, ...answers: readonly [nobody: string, staff: string, service: string]][] = [
      ["{ viewer { id } }", "null", "object", "object"],
      ["{ webhookTopics { name } }", ...same("object")],
      ['{ shop(id: "x") { id } }', "UNAUTHENTICATED", "null", "null"],
      ['mutation { endSession(id: "x") }', "UNAUTHENTICATED", "false", "FORBIDDEN"],
      ['mutation { changePassword(currentPassword: "x", newPassword: "long enough for it") }', ...wrongPassword],
      ['mutation { beginSecondFactor(password: "x") { uri } }', ...wrongPassword],
      ['mutation { confirmSecondFactor(code: "x") }', "UNAUTHENTICATED", "INVALID_STATE", "FORBIDDEN"],
      ['mutation { disableSecondFactor(password: "x", code: "x") }', ...wrongPassword],
      ['mutation { regenerateRecoveryCodes(password: "x", code: "x") }', ...wrongPassword],
      ["mutation { endOtherSessions }", "UNAUTHENTICATED", "0", "FORBIDDEN"],
      ['{ invitation(token: "x") { email } }', ...same("NOT_FOUND")],
      ['mutation { acceptInvitation(token: "x", password: "long enough for it") { id } }', ...same("NOT_FOUND")],
      ['mutation { logIn(email: "x@example.com", password: "x") { id } }', ...same("INVALID_CREDENTIALS")],
      ['mutation { requestPasswordReset(email: "x@example.com") }', ...same("FORBIDDEN")],
      ['mutation { resetPassword(token: "x", password: "long enough for it") }', ...same("NOT_FOUND")],
      ["mutation { logOut }", "false", "true", "false"],
    ];

    for (const [document, ...answers] of own) {
      it(`${document} for nobody, staff and a service: ${answers.join(", ")}`, async () => {
        const credentials = [
          {},
          await session(server, shop, Role.VIEWER),
          await serviceToken(server, shop, ["READ_ORDERS"]),
        ];
        for (const [index, expected] of answers.entries()) {
          const { data, errors } = await askGraphql(server, document, {}, credentials[index]);
          const answer = data === null ? undefined : Object.values(data)[0];
          const shown = answer !== null && typeof answer === "object" ? "object" : String(answer);
          expect(errors[0]?.extensions.code ?? shown).to.equal(expected);
        }
      });
    }

    it("covers every query and mutation without a shop", () => {
      const names = [...fieldsOf(schema, "Query"), ...fieldsOf(schema, "Mutation")]
        .filter(({ args }) => !args.some(({ name }) => name === "shopId"))
        .map(({ name }) => name);
      expect(own.map(([document]) => /\{ (\w+)/.exec(document)![1])).to.have.members(names);
    });
  });
});
