import type { EntityManager } from "@mikro-orm/postgresql";
import { recordEvent } from "../webhooks/record-event.ts";

/** A product that a transaction changed, as `product.updated` tells of it. */
export interface ProductUpdate {
  productId: string;
  handle: string;
  at: Date;
}

export async function recordProductUpdated(em: EntityManager, shopId: string, update: ProductUpdate): Promise<void> {
  const { productId, handle, at } = update;
  await recordEvent(em, { shopId, topic: "product.updated", data: { productId, handle }, createdAt: at });
}
