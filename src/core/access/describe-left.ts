import { Big, inCurrency, type Currency } from "../../platform/money.ts";
import { mayRead, type Actor } from "./actor.ts";
import type { Permission } from "../model/permissions.ts";

/** The end of an error message with what is left. Empty for an actor without the permission to read it. */
export function describeLeft(actor: Actor, permission: Permission, left: number | string): string {
  return mayRead(actor, permission) ? `: ${left}` : "";
}

/** `describeLeft` for money. An amount below 0 counts as 0. */
export function describeMoneyLeft(actor: Actor, permission: Permission, left: Big, shop: Currency): string {
  const amount = left.lt(0) ? new Big(0) : left;
  return describeLeft(actor, permission, `${inCurrency(amount, shop)} ${shop.currency}`);
}
