import { z } from "zod";

/** Example identifiers. No shop has them. */
export const examples = {
  shop: "shop_01k9zt1c5ne0x8v4m2q7r3s6wa",
  prod: "prod_01k9zt3a8gf2v9n5c1x7y4b6dh",
  var: "var_01k9zt3a8gf2v9n5c1x7y4b6dj",
  ord: "ord_01k9zt6m4pe7s0q8w2r5t9y3kc",
  itm: "itm_01k9zt6m4pe7s0q8w2r5t9y3kd",
  pay: "pay_01k9zt6m4pe7s0q8w2r5t9y3ke",
  ref: "ref_01k9zt6m4pe7s0q8w2r5t9y3kf",
  cus: "cus_01k9zt5w2hd6r1f3g8j0k4m7np",
  evt: "evt_01k9zt7q9xb3z6a1s5d8f2g4hv",
};

/** The reference to a named schema in the OpenAPI document. */
export const schemaPath = (name: string) => `#/components/schemas/${name}`;

export function idOf(prefix: keyof typeof examples) {
  return z.string().meta({ pattern: `^${prefix}_`, example: examples[prefix] });
}

export function money(description: string) {
  return z.number().meta({ description: `${description} A decimal in major units.` });
}

/** An instant, such as 2026-01-31T09:30:00.000Z. */
export const timestamp = z.string().meta({
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
  example: "2026-01-31T09:30:00.000Z",
});
