/** Texts of the audit log. */
export const copy = {
  title: "Audit log",
  description: "Logins, and changes to settings, credentials, staff, orders, customers and products.",
  filters: {
    area: "Area",
    anyArea: "All areas",
    time: "Time",
    anyTime: "Any time",
    clearActor: "Show all actors",
    clearTarget: "Show all records",
  },
  noMatch: { title: "No matching entries", text: "Change or clear the filters." },
  empty: { title: "No entries yet", text: "Changes and logins appear here." },
  columns: { action: "Action", target: "Record", actor: "Actor", time: "Time" },
  onlyThisTarget: "Show only entries for this record",
  onlyThisActor: "Show only entries by this actor",
  actors: { OPERATOR: "Operator", SERVICE: "Service", STAFF: "Staff member", SYSTEM: "System" },

  /** The actions by the kind of record that they change. */
  areas: {
    keys: {
      title: "API keys",
      actions: {
        API_KEY_CREATED: "API key created",
        API_KEY_REVOKED: "API key revoked",
        API_KEY_ROTATED: "API key rotated",
        API_KEY_UPDATED: "API key renamed",
      },
    },
    tokens: {
      title: "Service tokens",
      actions: {
        SERVICE_TOKEN_CREATED: "Service token created",
        SERVICE_TOKEN_REVOKED: "Service token revoked",
        SERVICE_TOKEN_UPDATED: "Service token renamed",
      },
    },
    webhooks: {
      title: "Webhooks",
      actions: {
        WEBHOOK_DELIVERIES_REPLAYED: "Failed deliveries replayed",
        WEBHOOK_DELIVERY_REPLAYED: "Delivery replayed",
        WEBHOOK_ENDPOINT_CREATED: "Webhook endpoint added",
        WEBHOOK_ENDPOINT_DELETED: "Webhook endpoint deleted",
        WEBHOOK_ENDPOINT_DISABLED: "Webhook endpoint disabled",
        WEBHOOK_ENDPOINT_ENABLED: "Webhook endpoint enabled",
        WEBHOOK_ENDPOINT_FAILING: "Webhook endpoint failing",
        WEBHOOK_ENDPOINT_UPDATED: "Webhook endpoint updated",
        WEBHOOK_SECRET_ACTIVATED: "Signing secret activated",
        WEBHOOK_SECRETS_RESEALED: "Signing secrets re-encrypted",
        WEBHOOK_SECRET_ROTATED: "Signing secret rotated",
        WEBHOOK_TEST_SENT: "Test event sent",
      },
    },
    staff: {
      title: "Staff and invitations",
      actions: {
        INVITATION_ACCEPTED: "Invitation accepted",
        INVITATION_REVOKED: "Invitation revoked",
        MEMBER_ADDED: "Member added",
        MEMBER_DISABLED: "Account disabled",
        MEMBER_ENABLED: "Account enabled",
        MEMBER_INVITED: "Member invited",
        MEMBER_PASSWORD_CHANGED: "Password changed",
        MEMBER_PASSWORD_RESET: "Password reset by email",
        MEMBER_PASSWORD_SET: "Password set by an operator",
        MEMBER_RECOVERY_CODES_REPLACED: "Recovery codes replaced",
        MEMBER_RECOVERY_CODE_USED: "Recovery code used",
        MEMBER_REMOVED: "Member removed",
        MEMBER_ROLE_CHANGED: "Role changed",
        MEMBER_SECOND_FACTOR_DISABLED: "Two-factor authentication turned off",
        MEMBER_SECOND_FACTOR_ENABLED: "Two-factor authentication turned on",
      },
    },
    logins: {
      title: "Logins and sessions",
      actions: {
        MEMBER_CODE_REFUSED: "Failed login: wrong code",
        MEMBER_LOCKED_OUT: "Login locked after failed attempts",
        MEMBER_LOGGED_IN: "Logged in",
        MEMBER_LOGIN_REFUSED: "Failed login: wrong password",
        MEMBER_SESSIONS_ENDED: "Logged out everywhere",
      },
    },
    shop: {
      title: "Shop and settings",
      actions: {
        NOTIFICATION_SETTINGS_UPDATED: "Email notifications updated",
        PLAN_CHANGED: "Plan changed",
        SHOP_CLOSED: "Shop closed",
        SHOP_CREATED: "Shop created",
        SHOP_EXPORTED: "Shop exported",
        SHOP_IMPORTED: "Shop imported",
        SHOP_OPENED: "Shop reopened",
        SHOP_UPDATED: "Shop settings updated",
      },
    },
    orders: {
      title: "Orders and payments",
      actions: {
        ORDER_CANCELLED: "Order cancelled",
        ORDER_FULFILLED: "Order fulfilled",
        ORDER_REFUNDED: "Order refunded",
        ORDER_UPDATED: "Order updated",
        PAYMENT_RECORDED: "Payment recorded",
        PAYMENT_SETTLED: "Payment settled",
      },
    },
    products: {
      title: "Products",
      actions: { PRODUCT_DELETED: "Product deleted", PRODUCT_UPDATED: "Product updated" },
    },
    customers: {
      title: "Customers and store credit",
      actions: {
        CUSTOMER_UPDATED: "Customer updated",
        STORE_CREDIT_GRANTED: "Store credit granted",
        STORE_CREDIT_SPENT: "Store credit deducted",
      },
    },
  },
};
