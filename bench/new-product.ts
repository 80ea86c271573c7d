/** The body of a create, as the baseline and the limit read it. */
export interface NewProduct {
  title: string;
  status: string;
  price: number;
  sku: string;
  inventoryQuantity: number;
}

/** The largest body, in bytes. */
export const MAX_BODY = 256 * 1024;

/** Checks a body by hand. Undefined if it is invalid. */
export function parseNewProduct(json: string): NewProduct | undefined {
  let body: Partial<NewProduct>;
  try {
    body = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { title, status = "ACTIVE", price, sku = "", inventoryQuantity = 0 } = body;
  const isValid =
    typeof title === "string" &&
    title.trim().length >= 1 &&
    title.length <= 255 &&
    ["ACTIVE", "DRAFT", "ARCHIVED"].includes(status) &&
    typeof price === "number" &&
    price >= 0 &&
    price <= 999_999_999_999.99 &&
    Number(price.toFixed(2)) === price &&
    typeof sku === "string" &&
    sku.length <= 64 &&
    Number.isInteger(inventoryQuantity) &&
    inventoryQuantity >= 0 &&
    inventoryQuantity <= 1_000_000_000;
  return isValid ? { title: title.trim(), status, price, sku, inventoryQuantity } : undefined;
}
