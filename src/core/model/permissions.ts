import { Extensions } from "type-graphql";
import type { NotificationKind } from "./notifications/notification-kind.ts";
import type { CurrentShop } from "./shops/current-shop.ts";
import type { Role } from "./staff/staff.entity.ts";
import { enumType } from "./enum-type.ts";

/** A permission in a shop. An API key's scopes and a member's role both come down to these. */
export const Permission = enumType("Permission", "A permission in a shop.", {
  SETTINGS: "Manage staff, API keys, service tokens and webhook endpoints.",
  READ_PRODUCTS: "View products, variants and stock.",
  WRITE_PRODUCTS: "Change products, variants and stock.",
  READ_ORDERS: "View orders, payments and refunds.",
  WRITE_ORDERS: "Place, pay, fulfil, cancel and refund orders.",
  READ_CUSTOMERS: "View customers and their store credit.",
  WRITE_CUSTOMERS: "Change customers and grant or spend their store credit.",
});
export type Permission = keyof typeof Permission;

/** Declares the permission that it takes to see records of this type in the answer of a mutation. */
export function ReadableWith(permission: Permission): ClassDecorator {
  return Extensions({ readableWith: permission });
}

/** The scopes of API keys (spec section 5). The inventory scopes gate plans only: they grant nothing here. */
export const SCOPES = [
  "read_products",
  "write_products",
  "read_orders",
  "write_orders",
  "read_customers",
  "write_customers",
  "read_inventory",
  "write_inventory",
] as const;

export type Scope = (typeof SCOPES)[number];

/** An actor's permissions in one shop. */
export interface ShopMembership {
  shop: CurrentShop;
  /** Staff alone have one. */
  role?: Role;
  /** True while the shop requires a second factor of somebody who has none: they have no permissions till then. */
  needsSecondFactor?: boolean;
  /** The mails about the shop that a member of staff does not want. */
  mutedNotifications?: readonly NotificationKind[];
  permissions: ReadonlySet<Permission>;
}

/** A caller: an API key or a service in its one shop, or a member of staff in each of theirs. */
export interface Actor {
  kind: "apiKey" | "staff" | "service";
  id: string;
  /** The name for people: an e-mail address, or that of a credential. */
  name: string;
  /** Told of staff alone. */
  hasSecondFactor?: boolean;
  memberships: ReadonlyMap<string, ShopMembership>;
}
