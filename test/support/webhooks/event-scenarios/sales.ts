import type { Scene } from "./scene.ts";

/** The payment of a sale that is not told otherwise. */
export const paid = [{ method: "CASH", amount: "20" }];

export const credited = (amount: string) => [{ method: "STORE_CREDIT", amount }];

export const buyer = ({ customer }: Scene) => ({ customerId: customer.id });

/** Three lines of mugs, two of them of one variant, and one of plates: 35.00 together. */
export const linesOf = ({ mug, plate }: Scene) => [
  { variantId: mug.variants[0]!.id, quantity: 1 },
  { variantId: mug.variants[1]!.id, quantity: 1 },
  { variantId: mug.variants[0]!.id, quantity: 1 },
  { variantId: plate.variants[0]!.id, quantity: 1 },
];
