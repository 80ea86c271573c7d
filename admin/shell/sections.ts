import { useShop, type Permission } from "../queries.ts";
import * as icons from "../ui/icons.tsx";
import { copy } from "./copy.ts";

const titles = copy.navigation;

/**
 * A page of the menu, and the permission to open it; undefined for every member. After g, the letter opens the page.
 */
const page = <To extends string>(
  to: To,
  title: string,
  letter: string,
  needs: Permission | undefined,
  icon: typeof icons.KeyIcon,
) => ({ to, title, letter, needs, icon });

/** The pages of a shop, in the order of the menu. */
export const sections = [
  {
    title: undefined,
    pages: [
      page("/$shopId", titles.home, "h", undefined, icons.HomeIcon),
      page("/$shopId/orders", titles.orders, "o", "READ_ORDERS", icons.OrderIcon),
      page("/$shopId/products", titles.products, "p", "READ_PRODUCTS", icons.ProductIcon),
      page("/$shopId/customers", titles.customers, "c", "READ_CUSTOMERS", icons.CustomerIcon),
      page("/$shopId/stock", titles.stock, "s", "READ_PRODUCTS", icons.StockIcon),
    ],
  },
  {
    title: titles.developers,
    pages: [
      page("/$shopId/keys", titles.keys, "k", "SETTINGS", icons.KeyIcon),
      page("/$shopId/endpoints", titles.endpoints, "e", "SETTINGS", icons.EndpointIcon),
      page("/$shopId/deliveries", titles.deliveries, "d", "SETTINGS", icons.DeliveryIcon),
      page("/$shopId/requests", titles.requests, "r", "SETTINGS", icons.RequestIcon),
      page("/$shopId/tokens", titles.tokens, "t", "SETTINGS", icons.TokenIcon),
    ],
  },
  {
    title: titles.settings,
    pages: [
      page("/$shopId/shop", titles.shopSettings, "g", "SETTINGS", icons.SettingsIcon),
      page("/$shopId/members", titles.members, "m", "SETTINGS", icons.CustomerIcon),
      page("/$shopId/audit", titles.audit, "a", "SETTINGS", icons.LogIcon),
    ],
  },
];

export type SectionPage = (typeof sections)[number]["pages"][number];

/** The pages that the viewer's role can open, by section. */
export function useOpenSections() {
  const { can, needsSecondFactor, sandboxOf } = useShop();
  // A sandbox has the members of its shop.
  const isOpen = ({ needs, to }: SectionPage) =>
    (needs ? can(needs) : !needsSecondFactor) && (sandboxOf === null || to !== "/$shopId/members");
  return sections
    .map(({ title, pages }) => ({ title, pages: pages.filter(isOpen) }))
    .filter(({ pages }) => pages.length > 0);
}
