import type { AuditAction } from "./audit-queries.ts";

/** Actions of the log in groups, by the kind of record that they change. */
export const areas = {
  keys: {
    title: "API keys",
    actions: ["API_KEY_CREATED", "API_KEY_REVOKED", "API_KEY_ROTATED", "API_KEY_UPDATED"],
  },
  tokens: {
    title: "Service tokens",
    actions: ["SERVICE_TOKEN_CREATED", "SERVICE_TOKEN_REVOKED", "SERVICE_TOKEN_UPDATED"],
  },
  webhooks: {
    title: "Webhooks",
    actions: [
      "WEBHOOK_DELIVERIES_REPLAYED",
      "WEBHOOK_DELIVERY_REPLAYED",
      "WEBHOOK_ENDPOINT_CREATED",
      "WEBHOOK_ENDPOINT_DELETED",
      "WEBHOOK_ENDPOINT_DISABLED",
      "WEBHOOK_ENDPOINT_ENABLED",
      "WEBHOOK_ENDPOINT_FAILING",
      "WEBHOOK_ENDPOINT_UPDATED",
      "WEBHOOK_SECRET_ACTIVATED",
      "WEBHOOK_SECRETS_RESEALED",
      "WEBHOOK_SECRET_ROTATED",
      "WEBHOOK_TEST_SENT",
    ],
  },
  staff: {
    title: "Staff and invitations",
    actions: [
      "INVITATION_ACCEPTED",
      "INVITATION_REVOKED",
      "MEMBER_ADDED",
      "MEMBER_DISABLED",
      "MEMBER_ENABLED",
      "MEMBER_INVITED",
      "MEMBER_PASSWORD_CHANGED",
      "MEMBER_PASSWORD_RESET",
      "MEMBER_PASSWORD_SET",
      "MEMBER_RECOVERY_CODES_REPLACED",
      "MEMBER_RECOVERY_CODE_USED",
      "MEMBER_REMOVED",
      "MEMBER_ROLE_CHANGED",
      "MEMBER_SECOND_FACTOR_DISABLED",
      "MEMBER_SECOND_FACTOR_ENABLED",
    ],
  },
  logins: {
    title: "Logins and sessions",
    actions: [
      "MEMBER_CODE_REFUSED",
      "MEMBER_LOCKED_OUT",
      "MEMBER_LOGGED_IN",
      "MEMBER_LOGIN_REFUSED",
      "MEMBER_SESSIONS_ENDED",
    ],
  },
  shop: {
    title: "Shop and settings",
    actions: [
      "NOTIFICATION_SETTINGS_UPDATED",
      "PLAN_CHANGED",
      "SHOP_CLOSED",
      "SHOP_CREATED",
      "SHOP_EXPORTED",
      "SHOP_IMPORTED",
      "SHOP_OPENED",
      "SHOP_UPDATED",
    ],
  },
  orders: {
    title: "Orders and payments",
    actions: [
      "ORDER_CANCELLED",
      "ORDER_FULFILLED",
      "ORDER_REFUNDED",
      "ORDER_UPDATED",
      "PAYMENT_RECORDED",
      "PAYMENT_SETTLED",
    ],
  },
  products: {
    title: "Products",
    actions: ["PRODUCT_DELETED", "PRODUCT_UPDATED"],
  },
  customers: {
    title: "Customers and store credit",
    actions: ["CUSTOMER_UPDATED", "STORE_CREDIT_GRANTED", "STORE_CREDIT_SPENT"],
  },
} as const satisfies Record<string, { title: string; actions: readonly AuditAction[] }>;

export type Area = keyof typeof areas;
type Missing = Exclude<AuditAction, (typeof areas)[Area]["actions"][number]>;
/** No action is without an area: a new one does not compile until it has one. */
export const options: Missing extends never ? (readonly [Area, string])[] : never = Object.entries(areas).map(
  ([area, { title }]) => [area as Area, title] as const,
);
