import { Extensions, registerEnumType } from "type-graphql";
import type { NotificationKind } from "./notifications/notification-kind.ts";
import type { CurrentShop } from "./shops/current-shop.ts";
import type { Role } from "./staff/staff.entity.ts";

/** A permission in a shop. An API key's scopes and a member's role both come down to these. */
export enum Permission {
  SETTINGS = "SETTINGS",
  READ_PRODUCTS = "READ_PRODUCTS",
  WRITE_PRODUCTS = "WRITE_PRODUCTS",
  READ_ORDERS = "READ_ORDERS",
  WRITE_ORDERS = "WRITE_ORDERS",
  READ_CUSTOMERS = "READ_CUSTOMERS",
  WRITE_CUSTOMERS = "WRITE_CUSTOMERS",
}

registerEnumType(Permission, {
  name: "Permission",
  description: "A permission in a shop.",
  valuesConfig: {
    SETTINGS: { description: "Manage staff, API keys, service tokens and webhook endpoints." },
    READ_PRODUCTS: { description: "View products, variants and stock." },
    WRITE_PRODUCTS: { description: "Change products, variants and stock." },
    READ_ORDERS: { description: "View orders, payments and refunds." },
    WRITE_ORDERS: { description: "Place, pay, fulfil, cancel and refund orders." },
    READ_CUSTOMERS: { description: "View customers and their store credit." },
    WRITE_CUSTOMERS: { description: "Change customers and grant or spend their store credit." },
  },
});

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
