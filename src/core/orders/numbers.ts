import { sql } from "kysely";
import type { Operation } from "../access/operation.ts";
import type { NumberSequence } from "../model/orders/number-sequence.entity.ts";
import { kysely } from "../queries/database.ts";

/** The number before a shop's first order. */
export const FIRST_ORDER_NUMBER = 1_000;

export function formatOrderNumber(count: number): string {
  return String(count);
}

export function formatReceiptNumber(count: number): string {
  return `R-${String(count).padStart(6, "0")}`;
}

const before = { ORDER: FIRST_ORDER_NUMBER, RECEIPT: 0 };

/**
 * Assigns the shop's next number, without gaps. It is locked until the transaction ends, and reused if the transaction
 * fails. So a transaction takes it last.
 */
export async function nextNumber({ em, shop }: Operation, name: NumberSequence["name"]): Promise<string> {
  const row = await kysely(em)
    .insertInto("number_sequences")
    .values({ shop_id: shop.id, name, last_number: String(before[name] + 1) })
    .onConflict((conflict) =>
      conflict.columns(["shop_id", "name"]).doUpdateSet({ last_number: sql`number_sequences.last_number + 1` }),
    )
    .returning("last_number")
    .executeTakeFirstOrThrow();
  const count = Number(row.last_number);
  return name === "ORDER" ? formatOrderNumber(count) : formatReceiptNumber(count);
}
