import type { EntityManager } from "@mikro-orm/postgresql";
import { Shop } from "../model/shops/shop.entity.ts";

/** Lists all shops of this service for its operator, oldest first. */
export function listShops(em: EntityManager): Promise<Shop[]> {
  return em.find(Shop, {}, { orderBy: { id: "asc" }, disableIdentityMap: true });
}
