import type { Scene } from "./scene.ts";

/** The default payment of a sale. */
export const paid = [{ method: "CASH", amount: "20" }];

export const credited = (amount: string) => [{ method: "STORE_CREDIT", amount }];

export const buyer = ({ customer }: Scene) => ({ customerId: customer.id });

/** Three lines: two of the same mug variant, and one of plates, 35.00 in total. */
export const linesOf = ({ mug, plate }: Scene) => [
  { variantId: mug.variants[0]!.id, quantity: 1 },
  { variantId: mug.variants[1]!.id, quantity: 1 },
  { variantId: mug.variants[0]!.id, quantity: 1 },
  { variantId: plate.variants[0]!.id, quantity: 1 },
];
