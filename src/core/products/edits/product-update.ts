import type { Operation } from "../../access/operation.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";

/** A changed product, as `product.updated` shows it. */
export interface ProductUpdate {
  productId: string;
  handle: string;
  /** The product's version after the change. */
  version: number;
  at: Date;
}

export async function recordProductUpdated({ em, shop }: Operation, update: ProductUpdate): Promise<void> {
  const { at, ...data } = update;
  await recordEvent(em, { shopId: shop.id, topic: "product.updated", data, createdAt: at });
}
