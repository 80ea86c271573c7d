import type { EntityManager } from "@mikro-orm/postgresql";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { buildCustomer, buildOrder, buildShop, importProduct } from "../factories.ts";

/** A shop with one record of each resource. */
export interface Tenant {
  shop: Shop;
  ids: { Product: string; Order: string; Customer: string };
}

export async function buildTenant(em: EntityManager): Promise<Tenant> {
  const shop = await buildShop(em);
  const product = await importProduct(em, shop);
  const customer = await buildCustomer(em, shop);
  const order = await buildOrder(em, shop, { customer });
  return { shop, ids: { Product: product.id, Order: order.id, Customer: customer.id } };
}
