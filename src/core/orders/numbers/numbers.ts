import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, runStatement } from "../../queries/database.ts";

/** The number before a shop's first order. */
export const FIRST_ORDER_NUMBER = 1_000;

export function orderNumber(count: number): string {
  return String(count);
}

export function receiptNumber(count: number): string {
  return `R-${String(count).padStart(6, "0")}`;
}

const before = { ORDER: FIRST_ORDER_NUMBER, RECEIPT: 0 };

/**
 * The shop's next number, without gaps: it is taken under a lock that is held until the transaction ends, and
 * comes back when it fails. So this is the last thing that a transaction locks.
 */
export async function nextNumber(em: EntityManager, shopId: string, name: "ORDER" | "RECEIPT"): Promise<string> {
  const [row] = await runStatement<{ last: string }>(
    kysely(em),
    `insert into number_sequences as sequence (shop_id, name, last_number) values ($1, $2, $3)
    on conflict (shop_id, name) do update set last_number = sequence.last_number + 1
    returning last_number as last`,
    [shopId, name, before[name] + 1],
  );
  const count = Number(row!.last);
  return name === "ORDER" ? orderNumber(count) : receiptNumber(count);
}
