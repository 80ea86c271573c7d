import type { z } from "zod";
import { createProduct, getProduct, listProducts } from "../src/rest/products.ts";

// The fields of the v1 routes, so that the baseline answers a new field, too.

const productOf = ({ product }: z.ZodRawShape) => product as z.ZodObject;
const elementOf = (list: z.ZodType | undefined) => (list as z.ZodArray<z.ZodObject>).element;
const partsOf = (product: z.ZodObject) => ({ product, variant: elementOf(product.shape.variants) });

export const listed = partsOf(elementOf(listProducts.response.shape.products));
export const single = partsOf(productOf(getProduct.response.shape));
export const created = productOf(createProduct.response.shape);

/** SQL: the columns of a record's fields, under the names of the fields. */
export function columnsOf(record: z.ZodObject): string {
  const fields = Object.keys(record.shape).filter((field) => field !== "variants");
  return fields.map((field) => `${field.replace(/[A-Z]/g, "_$&").toLowerCase()} as "${field}"`).join(", ");
}
