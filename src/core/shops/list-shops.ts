import type { EntityManager } from "@mikro-orm/postgresql";
import { Shop } from "../model/shops/shop.entity.ts";

/** Every shop of this service, the oldest first: for whoever runs it. */
export function listShops(em: EntityManager): Promise<Shop[]> {
  return em.find(Shop, {}, { orderBy: { id: "asc" }, disableIdentityMap: true });
}
