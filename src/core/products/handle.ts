import { UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { invalidInput, type AppError } from "../model/errors.ts";
import { kysely } from "../queries/database.ts";
import { MAX_HANDLE_LENGTH } from "../model/products/product.entity.ts";
import slugify from "@sindresorhus/slugify";
import transliterate from "@sindresorhus/transliterate";

const NUMBERED = 10;
const RANDOM_BYTES = 5;

/**
 * The handles to try for a new product: the slug of its title, the slug with the lowest free number up to 10, and the
 * slug with random characters. So the ten thousandth "Gift box" costs no more than the third.
 */
export async function* handlesFor(em: EntityManager, shopId: string, title: string): AsyncGenerator<string, void> {
  const slug = slugOf(title);
  yield slug;
  const numbered = numberedHandles(slug);
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
  yield withSuffix(slug, randomBytes(RANDOM_BYTES).toString("hex"));
}

/** The handles that a new product with this title gets, but for random ones: its slug, and those with a number. */
export function handlesOfTitle(title: string): string[] {
  const slug = slugOf(title);
  return [slug, ...numberedHandles(slug)];
}

function numberedHandles(slug: string): string[] {
  return Array.from({ length: NUMBERED - 1 }, (_, index) => withSuffix(slug, String(index + 2)));
}

/** SQL: a pattern for the handles with random characters that a new product with this title may have. */
export function randomHandles(title: string): string {
  return withSuffix(slugOf(title), "_".repeat(RANDOM_BYTES * 2));
}

/** Shortens the slug to make room for the suffix. */
function withSuffix(slug: string, suffix: string): string {
  return `${cutSlug(slug, MAX_HANDLE_LENGTH - suffix.length - 1)}-${suffix}`;
}

/** Returns true when another product of the shop has the handle. */
export function isHandleConflict(error: unknown): boolean {
  return error instanceof UniqueConstraintViolationException && error.message.includes("products_shop_id_handle_key");
}

/** The error for a handle that another product has. */
export function takenHandle(): AppError {
  return invalidInput([{ path: "handle", code: "taken", message: "Is already used by another product" }]);
}

/**
 * The slug of a title. Words are transliterated to ASCII if possible, and otherwise keep their letters. "product" for a
 * title without letters and digits.
 */
export function slugOf(title: string): string {
  const slug = isSpelled(title) ? spell(title) : title.split(/\s+/).map(slugOfWord).filter(Boolean).join("-");
  return cutSlug(slug, MAX_HANDLE_LENGTH) || "product";
}

/** The start of a slug, up to this length. */
export function cutSlug(slug: string, length: number): string {
  return [...slug].slice(0, length).join("").replace(/-+$/, "");
}

function slugOfWord(word: string): string {
  const compatible = compatibleForm(word);
  const spelled = [word, compatible].find(isSpelled);
  return spelled === undefined ? onlyLetters(compatible) : spell(spelled);
}

/** Returns true when every letter and digit has a transliteration. */
function isSpelled(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text) || !/[[\p{L}\p{Nd}]--\p{ASCII}]/v.test(transliterate(text));
}

function spell(text: string): string {
  return slugify(text, { decamelize: false });
}

function onlyLetters(word: string): string {
  const small = word
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .normalize("NFC");
  const preserveCharacters = small.match(/\p{M}/gu) ?? [];
  return slugify(small, { decamelize: false, transliterate: false, preserveCharacters }).replace(/^[\p{M}-]+/u, "");
}

/** Replaces letters such as full-width ones by the usual ones. Excludes Thai and Lao vowels, which NFKC splits. */
function compatibleForm(word: string): string {
  return word.replace(/[^\u0e33\u0eb3]+/gu, (part) => part.normalize("NFKC"));
}
