import { UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { kysely } from "../queries/database.ts";
import { MAX_HANDLE_LENGTH } from "../model/products/product.entity.ts";
import { cutSlug, slugOf } from "./slug.ts";

const NUMBERED = 10;

/**
 * The handles to try for a new product: the slug of its title, the slug with the lowest free number up to 10, and the
 * slug with random characters. So the ten thousandth "Gift box" costs no more than the third.
 */
export async function* handlesFor(em: EntityManager, shopId: string, title: string): AsyncGenerator<string, void> {
  const slug = slugOf(title);
  yield slug;
  const numbered = Array.from({ length: NUMBERED - 1 }, (_, index) => withSuffix(slug, String(index + 2)));
  // One by one, so that the unique index is sufficient. Unnamed, so that it is planned for the current size of the
  // table: a cached plan for a new table would read all of the shop's products until autovacuum has run.
  const taken = await kysely(em)
    .selectFrom(sql<{ handle: string }>`unnest(${numbered}::text[])`.as<"asked">(sql`asked (handle)`))
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom("products")
          .select("handle")
          .where("shop_id", "=", shopId)
          .whereRef("handle", "=", "asked.handle")
          .limit(sql.lit(1))
          .as("taken"),
      (join) => join.onTrue(),
    )
    .select("taken.handle")
    .execute();
  const used = new Set(taken.map((row) => row.handle));
  const free = numbered.find((handle) => !used.has(handle));
  if (free !== undefined) yield free;
  yield withSuffix(slug, randomBytes(5).toString("hex"));
}

/** Shortens the slug to make room for the suffix. */
function withSuffix(slug: string, suffix: string): string {
  return `${cutSlug(slug, MAX_HANDLE_LENGTH - suffix.length - 1)}-${suffix}`;
}

/** Returns true when another product of the shop has the handle. */
export function isHandleConflict(error: unknown): boolean {
  return error instanceof UniqueConstraintViolationException && error.message.includes("products_shop_id_handle_key");
}
