import { Big, inCurrency, type Currency } from "../../platform/money.ts";
import { mayRead, type Author } from "./author.ts";
import type { Permission } from "./permissions.ts";

/** The end of a refusal that says what is left; empty for an author without the permission that shows it. */
export function tellLeft(author: Author, permission: Permission, left: number | string): string {
  return mayRead(author, permission) ? `: ${left}` : "";
}

/** `tellLeft` for money. Below 0, nothing is left. */
export function tellMoneyLeft(author: Author, permission: Permission, left: Big, shop: Currency): string {
  const amount = left.lt(0) ? new Big(0) : left;
  return tellLeft(author, permission, `${inCurrency(amount, shop)} ${shop.currency}`);
}
