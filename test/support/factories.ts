import type { EntityManager } from "@mikro-orm/postgresql";
import { createApiKey } from "../../src/core/credentials/create-api-key.ts";
import { ApiKey } from "../../src/core/credentials/api-key.entity.ts";
import { SCOPES, type Scope } from "../../src/core/permissions.ts";
import {
  createProduct,
  type CreatedProduct,
  type CreateProductRequest,
} from "../../src/core/products/create-product.ts";
import { createShop } from "../../src/core/shops/create-shop.ts";
import { Plan, Shop } from "../../src/core/shops/shop.entity.ts";

const DAY = 86_400_000;

export async function buildShop(
  em: EntityManager,
  overrides: Partial<Parameters<typeof createShop>[1]> = {},
): Promise<Shop> {
  return createShop(em, { name: "Test Shop", plan: Plan.ENTERPRISE, currency: "EUR", ...overrides });
}

/** The secret of a new key; every scope of the plan unless told. */
export async function buildKey(em: EntityManager, shop: Shop, scopes: readonly Scope[] = SCOPES): Promise<string> {
  const { secret } = await createApiKey(em, shop.id, { name: "Test key", scopes: [...scopes] });
  return secret;
}

/** A key of a shop whose plan was full when the key was made, and is no longer. */
export async function buildKeyOfEndedTrial(em: EntityManager): Promise<{ shop: Shop; key: string }> {
  const shop = await buildShop(em, { plan: Plan.TRIAL, trialEndsAt: new Date(Date.now() + DAY) });
  const key = await buildKey(em, shop);
  await em.fork().nativeUpdate(Shop, { id: shop.id }, { trialEndsAt: new Date(Date.now() - DAY) });
  return { shop, key };
}

export async function revokeKeys(em: EntityManager, shop: Shop): Promise<void> {
  await em.fork().nativeUpdate(ApiKey, { shopId: shop.id }, { revokedAt: new Date() });
}

export async function buildProduct(
  em: EntityManager,
  shop: Shop,
  overrides: Partial<CreateProductRequest> = {},
): Promise<CreatedProduct> {
  return createProduct(em, shop, { title: "Test product", price: "10.00", ...overrides });
}
