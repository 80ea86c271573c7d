import { copy } from "./copy.ts";

const titles = copy.navigation;

/** The pages of a shop, in the order of the menu. */
export const sections = [
  {
    title: titles.shop,
    pages: [
      { to: "/$shopId/orders", title: titles.orders },
      { to: "/$shopId/products", title: titles.products },
      { to: "/$shopId/customers", title: titles.customers },
      { to: "/$shopId/stock", title: titles.stock },
    ],
  },
  {
    title: titles.credentials,
    pages: [
      { to: "/$shopId/keys", title: titles.keys },
      { to: "/$shopId/endpoints", title: titles.endpoints },
      { to: "/$shopId/deliveries", title: titles.deliveries },
      { to: "/$shopId/requests", title: titles.requests },
      { to: "/$shopId/tokens", title: titles.tokens },
    ],
  },
  {
    title: titles.settings,
    pages: [
      { to: "/$shopId/shop", title: titles.shopSettings },
      { to: "/$shopId/members", title: titles.members },
      { to: "/$shopId/audit", title: titles.audit },
      { to: "/$shopId/account", title: titles.account },
    ],
  },
] as const;
