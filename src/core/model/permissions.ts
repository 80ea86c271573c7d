import { Extensions } from "type-graphql";
import type { NotificationKind } from "./notifications/notification-kind.ts";
import type { CurrentShop } from "./shops/current-shop.ts";
import type { Role } from "./staff/staff.entity.ts";
import { enumType } from "./enum-type.ts";

/** A permission in a shop. Scopes of API keys and roles of members map to these. */
export const Permission = enumType("Permission", "A permission in a shop.", {
  SETTINGS: "Manage staff, API keys, service tokens and webhook endpoints.",
  READ_LOGS:
    "View webhook endpoints, deliveries, API requests and the audit log. They hold personal data: email and IP addresses of staff, IP addresses of API clients, and the orders and customers of events.",
  REPLAY_DELIVERIES: "Replay webhook deliveries.",
  RECEIVE_EVENTS: "Receive and acknowledge the events of pull endpoints.",
  MANAGE_OWN_WEBHOOK_ENDPOINTS:
    "Create webhook endpoints. Change, test and delete the endpoints that the service token created, receive their events, and view and replay their deliveries. Their topics require the permission to view the records. Only for service tokens.",
  READ_PRODUCTS: "View products, variants and stock.",
  WRITE_PRODUCTS: "Change products, variants and stock.",
  READ_ORDERS:
    "View orders, payments and refunds. Orders hold personal data: the name and email address of the customer.",
  WRITE_ORDERS: "Place, pay, fulfill, cancel and refund orders.",
  READ_CUSTOMERS: "View customers and their store credit.",
  WRITE_CUSTOMERS: "Change customers and grant or spend their store credit.",
});
export type Permission = keyof typeof Permission;

/** A permission for all webhook endpoints of a shop. A service token may do the same with its own. */
interface ForEndpoints {
  forAll: Permission;
}

/** What an operation requires. */
export type Needed = Permission | ForEndpoints;

/** Requires this permission, or a service token with `MANAGE_OWN_WEBHOOK_ENDPOINTS`, which `limitedTo` limits to its own. */
export const orOwn = (forAll: Permission): ForEndpoints => ({ forAll });

/** Declares what selecting fields of this type in a mutation's answer requires. */
export function ReadableWith(needed: Needed): ClassDecorator {
  return Extensions({ readableWith: needed });
}

/** The scopes of API keys. */
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

/** The scopes that no route of the REST API requires. */
export const SCOPES_WITHOUT_ROUTE: readonly Scope[] = [
  "write_orders",
  "write_customers",
  "read_inventory",
  "write_inventory",
];

/** A caller's permissions in one shop. */
export interface ShopMembership {
  shop: CurrentShop;
  /** Set for staff only. */
  role?: Role;
  /** True if the shop requires a second factor that the member does not have. They then have no permissions. */
  needsSecondFactor?: boolean;
  /** The kinds of mails about the shop that the member turned off. */
  mutedNotifications?: readonly NotificationKind[];
  permissions: ReadonlySet<Permission>;
}

/** Makes a request: an API key or a service in its shop, or a staff member in each of their shops. */
export interface Caller {
  kind: "apiKey" | "staff" | "service";
  id: string;
  /** An email address, or the name of a credential. */
  name: string;
  /** Set for staff only. */
  hasSecondFactor?: boolean;
  memberships: Map<string, ShopMembership>;
  /** Set for API keys that only some addresses may use. */
  allowsAddress?: (address: string) => boolean;
  /** Set for API keys that may have simulated failures left. */
  hasFailures?: boolean;
}
