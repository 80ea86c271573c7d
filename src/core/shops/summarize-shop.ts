import type { EntityManager } from "@mikro-orm/postgresql";
import { planLimits } from "../access/permissions.ts";
import { countPlaces, listLivingKeys } from "./plans/key-places.ts";
import { Membership } from "../model/staff/staff.entity.ts";
import { WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { requireShop } from "./shops.ts";

/** A shop, its plan's limits and their use. */
export interface ShopSummary extends CurrentShop {
  members: number;
  /** Taken places of the plan. A key with a valid successor takes none. */
  apiKeys: number;
  apiKeysAllowed: number;
  webhookEndpoints: number;
  webhookEndpointsAllowed: number;
  /** Scopes of valid keys that the plan does not include. */
  withheldScopes: string[];
}

/** @throws AppError SHOP_NOT_FOUND */
export async function summarizeShop(em: EntityManager, shopId: string): Promise<ShopSummary> {
  const shop = await requireShop(em, shopId);
  const limits = planLimits(shop);
  const keys = await listLivingKeys(em, shopId);
  const scopes = new Set(keys.flatMap((key) => key.scopes));
  return {
    ...shop,
    members: await em.count(Membership, { shopId }),
    apiKeys: countPlaces(keys),
    apiKeysAllowed: limits.apiKeys,
    webhookEndpoints: await em.count(WebhookEndpoint, { shopId }),
    webhookEndpointsAllowed: limits.webhookEndpoints,
    withheldScopes: [...scopes].filter((scope) => !limits.scopes.includes(scope)).toSorted(),
  };
}
