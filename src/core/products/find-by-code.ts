import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type SqlBool } from "kysely";
import { ArgsType, Field, ObjectType } from "type-graphql";
import { invalidInput } from "../model/errors.ts";
import { argumentsOf, field } from "../model/fields.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { checkText } from "../model/text.ts";
import { kysely } from "../queries/database.ts";
import { filterOfShop, matchOf, MAX_SEARCH_LENGTH, searchOfAny } from "../queries/search.ts";
import type { Selection } from "../queries/selection.ts";
import { findProducts, selectVariant, type ShownProduct, type ShownVariant } from "./read-products.ts";
import { keyOfCode, keysOfScan, wordsOfKey } from "./search-words.ts";

/** The most variants to choose from. A barcode seldom has more than two. */
const MAX_MATCHES = 10;
/** The most rows to compare. Only codes with letters or digits outside ASCII may need more than the matches. */
const MAX_COMPARED = 250;

@ArgsType()
export class VariantByCodeArgs extends argumentsOf({
  code: field(
    String,
    "The code as scanned or typed, at most 200 characters. May contain spaces, hyphens, leading zeros, a symbology identifier, or a GTIN in a GS1 element string or Digital Link.",
  ),
}) {}

@ObjectType({ description: "A variant with the given code.", simpleResolvers: true })
export class VariantMatch {
  @Field(() => Variant, { description: "The variant." })
  variant!: ShownVariant;

  @Field(() => Product, { description: "Its product. May have any status." })
  product!: ShownProduct;
}

/**
 * Finds the variants whose SKU or barcode is this code, however it is spelled. The words of the search find their
 * products, so a code costs more if it is also a word of many products.
 *
 * @throws AppError VALIDATION_FAILED
 */
export async function findVariantsByCode(
  em: EntityManager,
  shopId: string,
  { code }: VariantByCodeArgs,
  selection: Selection,
): Promise<VariantMatch[]> {
  const issues = checkText("code", code, { max: MAX_SEARCH_LENGTH });
  if (issues.length > 0) throw invalidInput(issues);
  const keys = keysOfScan(code);
  if (keys.length === 0) return [];
  const wanted = new Set([...selection.at("variant").fields, "productId", "sku", "barcode"]);
  const typed = code.trim();
  const rows = await kysely(em)
    .with("found", (database) =>
      database
        .selectFrom("products")
        .select("id")
        .where(filterOfShop(sql.val(shopId)))
        .where(matchOf(searchOfAny(shopId, keys.flatMap(wordsOfKey)))),
    )
    .selectFrom("variants")
    .select(selectVariant(em, { fields: wanted }))
    .where("shop_id", "=", shopId)
    .where("product_id", "=", sql<string>`any(array(select id from found))`)
    .where(mayHave(keys))
    .orderBy(sql`${typed} in (sku, barcode)`, "desc")
    .orderBy("id", "desc")
    .limit(MAX_COMPARED)
    .execute();
  const variants = rows
    .filter(({ sku, barcode }) => [sku!, barcode!].some((each) => keys.includes(keyOfCode(each))))
    .slice(0, MAX_MATCHES);
  const ids = [...new Set(variants.map(({ productId }) => productId!))];
  const products = await findProducts(em, shopId, ids, selection.at("product"));
  return variants.flatMap((variant) => {
    const product = products.get(variant.productId!);
    return product ? [{ variant, product }] : [];
  });
}

/** SQL: a variant may have one of these codes. PostgreSQL folds ASCII as `keyOfCode` does, and keeps all others. */
function mayHave(keys: readonly string[]): Expression<SqlBool> {
  const bare = keys.map((key) => key.replace(/^0+(?=.)/, ""));
  const isOne = ["sku", "barcode"].map((column) => {
    const joined = sql`lower(regexp_replace(${sql.ref(column)}, '[^0-9A-Za-z]', '', 'g') collate "C")`;
    return sql<SqlBool>`regexp_replace(${joined}, '^0+(?=.)', '') = any(${bare})`;
  });
  return sql<SqlBool>`(${sql.join(isOne, sql` or `)} or sku || barcode ~ '[^\\x01-\\x7f]')`;
}
