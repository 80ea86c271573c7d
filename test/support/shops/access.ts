import type { EntityManager } from "@mikro-orm/postgresql";
import { generateApiKeySecret } from "../../../src/core/credentials/secret.ts";
import { ApiKey } from "../../../src/core/model/credentials/api-key.entity.ts";
import { SCOPES, type Scope } from "../../../src/core/model/permissions.ts";
import { Plan, Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { buildCustomer, buildKey, buildOrder, buildShop, importProduct } from "../factories.ts";

const DAY = 86_400_000;
const readScopes = SCOPES.filter((scope) => scope.startsWith("read_"));

/** A shop with one record of each resource. */
export interface Tenant {
  shop: Shop;
  ids: { Product: string; Order: string; Customer: string };
}

export async function buildTenant(em: EntityManager, overrides: Parameters<typeof buildShop>[1] = {}): Promise<Tenant> {
  const shop = await buildShop(em, overrides);
  const product = await importProduct(em, shop);
  const customer = await buildCustomer(em, shop);
  const order = await buildOrder(em, shop, { customer });
  return { shop, ids: { Product: product.id, Order: order.id, Customer: customer.id } };
}

/** Answers that depend on the key alone, before the input is checked. */
export type Verdict = "unauthorized" | "mistyped" | "plan" | "scope" | "admitted";

export interface Credential {
  name: string;
  verdict: (scope: Scope) => Verdict;
  /** A new shop, and what its client would send. */
  build: (em: EntityManager) => Promise<{ tenant: Tenant; key: string | undefined }>;
}

/** Every state of a key, with its access to a route that needs `scope`. */
export const credentials: readonly Credential[] = [
  refused("no key", "unauthorized", () => undefined),
  refused("a word that is no key", "unauthorized", () => "open-sesame"),
  refused("a key with a wrong checksum", "mistyped", (key) => key.slice(0, -1) + (key.endsWith("a") ? "b" : "a")),
  refused("a key cut short", "mistyped", (key) => key.slice(0, -1)),
  refused("a well-formed key that was never issued", "unauthorized", () => generateApiKeySecret()),
  changed("a revoked key", () => "unauthorized", expireOrRevoke({ revokedAt: new Date(Date.now() - DAY) })),
  changed("an expired key", () => "unauthorized", expireOrRevoke({ expiresAt: new Date(Date.now() - DAY) })),
  changed("a key that expires tomorrow", () => "admitted", expireOrRevoke({ expiresAt: new Date(Date.now() + DAY) })),
  ...SCOPES.map((only) =>
    issued(`a key with ${only} alone`, [only], (scope) => (scope === only ? "admitted" : "scope")),
  ),
  ...SCOPES.map((missing) =>
    issued(
      `a key with every scope but ${missing}`,
      SCOPES.filter((scope) => scope !== missing),
      (scope) => (scope === missing ? "scope" : "admitted"),
    ),
  ),
  issued("a key with every scope", SCOPES, () => "admitted"),
  issued("a key of a trial", SCOPES, () => "admitted", { plan: Plan.TRIAL, trialEndsAt: new Date(Date.now() + DAY) }),
  issued("a Growth key", readScopes, (scope) => (readScopes.includes(scope) ? "admitted" : "plan"), {
    plan: Plan.GROWTH,
  }),
  issued("a Growth key with read_inventory alone", ["read_inventory"], growthWithout, { plan: Plan.GROWTH }),
  changed("a full key after a downgrade to Growth", growthWith, moveTo({ plan: Plan.GROWTH })),
  changed("a full key without a plan", () => "plan", moveTo({ plan: Plan.NONE })),
  changed("a full key after the trial", () => "plan", moveTo({ plan: Plan.TRIAL, trialEndsAt: new Date(1) })),
  changed("a key without the scope and without a plan", () => "plan", moveTo({ plan: Plan.NONE }), ["read_inventory"]),
];

function growthWith(scope: Scope): Verdict {
  return readScopes.includes(scope) ? "admitted" : "plan";
}

function growthWithout(scope: Scope): Verdict {
  return readScopes.includes(scope) ? "scope" : "plan";
}

function issued(
  name: string,
  scopes: readonly Scope[],
  verdict: Credential["verdict"],
  overrides: Parameters<typeof buildShop>[1] = {},
): Credential {
  return {
    name,
    verdict,
    build: async (em) => {
      const tenant = await buildTenant(em, overrides);
      return { tenant, key: await buildKey(em, tenant.shop, scopes) };
    },
  };
}

function refused(name: string, verdict: Verdict, send: (key: string) => string | undefined): Credential {
  const whole = issued(name, SCOPES, () => verdict);
  return {
    ...whole,
    build: async (em) => {
      const { tenant, key } = await whole.build(em);
      return { tenant, key: send(key!) };
    },
  };
}

/** A key that was issued before its own or its shop's state changed. */
function changed(
  name: string,
  verdict: Credential["verdict"],
  change: (em: EntityManager, shop: Shop) => Promise<unknown>,
  scopes: readonly Scope[] = SCOPES,
): Credential {
  const before = issued(name, scopes, verdict);
  return {
    ...before,
    build: async (em) => {
      const built = await before.build(em);
      await change(em, built.tenant.shop);
      return built;
    },
  };
}

function expireOrRevoke(change: Partial<Pick<ApiKey, "expiresAt" | "revokedAt">>) {
  return (em: EntityManager, shop: Shop) => em.fork().nativeUpdate(ApiKey, { shopId: shop.id }, change);
}

function moveTo(change: Partial<Pick<Shop, "plan" | "trialEndsAt">>) {
  return (em: EntityManager, shop: Shop) => em.fork().nativeUpdate(Shop, { id: shop.id }, change);
}
