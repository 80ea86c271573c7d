/** The pages of a shop in the order of the menu. */
export const sections = [
  {
    title: "Shop",
    pages: [
      { to: "/$shopId/orders", title: "Orders" },
      { to: "/$shopId/products", title: "Products" },
      { to: "/$shopId/customers", title: "Customers" },
      { to: "/$shopId/stock", title: "Stock" },
    ],
  },
  {
    title: "API credentials",
    pages: [
      { to: "/$shopId/keys", title: "API keys" },
      { to: "/$shopId/endpoints", title: "Webhook endpoints" },
      { to: "/$shopId/deliveries", title: "Deliveries" },
      { to: "/$shopId/requests", title: "Requests" },
      { to: "/$shopId/tokens", title: "Service tokens" },
    ],
  },
  {
    title: "Settings",
    pages: [
      { to: "/$shopId/shop", title: "Shop" },
      { to: "/$shopId/members", title: "Members" },
      { to: "/$shopId/audit", title: "Audit log" },
      { to: "/$shopId/account", title: "Account" },
    ],
  },
] as const;
