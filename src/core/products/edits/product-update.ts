import type { EntityManager } from "@mikro-orm/postgresql";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";

/** A product that a transaction changed, as `product.updated` tells of it. */
export interface ProductUpdate {
  productId: string;
  handle: string;
  /** The product's, after the change. */
  version: number;
  at: Date;
}

export async function recordProductUpdated(em: EntityManager, shopId: string, update: ProductUpdate): Promise<void> {
  const { at, ...data } = update;
  await recordEvent(em, { shopId, topic: "product.updated", data, createdAt: at });
}
