import { UniqueConstraintViolationException } from "@mikro-orm/postgresql";
import slugify from "@sindresorhus/slugify";
import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { CUSTOM_PLAN } from "../../platform/postgres/naming-client.ts";
import { runStatement, type Database } from "../queries/database.ts";

const MAX_LENGTH = 200;
const NUMBERED = 10;

/** A URL-style slug of the title; "product" when nothing of the title can be spelled that way. */
export function slugOf(title: string): string {
  const slug = slugify(title, { decamelize: false }).slice(0, MAX_LENGTH).replace(/-+$/, "");
  return slug || "product";
}

/**
 * The slug, or the slug with the lowest free number up to 10, or with random characters, so that the ten
 * thousandth "Gift box" costs no more than the second. A race is settled by the unique index; who lost one
 * should ask for random characters, for the others that lost it would pick the same number again.
 */
export async function findFreeHandle(
  database: Kysely<Database>,
  shopId: string,
  title: string,
  { lostRace }: { lostRace: boolean },
): Promise<string> {
  const slug = slugOf(title);
  if (lostRace) return `${slug}-${randomBytes(5).toString("hex")}`;
  const candidates = [slug, ...Array.from({ length: NUMBERED - 1 }, (_, index) => `${slug}-${index + 2}`)];
  const taken = await runStatement<{ handle: string }>(
    database,
    // As pairs, so that the unique index answers alone, and planned for the table as large as it is: until
    // autovacuum has looked at a new table, a kept plan would read all of the shop's products.
    `${CUSTOM_PLAN}select handle from products where (shop_id, handle) in (select $1, unnest($2::text[]))`,
    [shopId, candidates],
  );
  const used = new Set(taken.map((row) => row.handle));
  return candidates.find((candidate) => !used.has(candidate)) ?? `${slug}-${randomBytes(5).toString("hex")}`;
}

/** Tells whether the error is that another product of the shop has the handle. */
export function isHandleConflict(error: unknown): boolean {
  return error instanceof UniqueConstraintViolationException && error.message.includes("products_shop_id_handle_key");
}
