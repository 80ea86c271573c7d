import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouteComponent,
} from "@tanstack/react-router";
import { rememberLeft } from "./records/back-link.tsx";
import { firstPage, viewerQuery } from "./queries.ts";
import { Entrance } from "./session/entrance.tsx";
import { LoginPage } from "./session/login-page.tsx";
import { HomePage } from "./home/home-page.tsx";
import { RouteFailure } from "./shell/route-failure.tsx";
import { Shell } from "./shell/shell.tsx";
import { Skeleton } from "./ui/states.tsx";
import { copy } from "./shell/copy.ts";

/** Picks these text parameters from an address, and no others. */
const pick =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string } => {
    const given = names.filter((name) => typeof search[name] === "string");
    return Object.fromEntries(given.map((name) => [name, search[name]])) as { [Key in Name]?: string };
  };

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  // Loaded before every page, including the login: at an address other than BASE_URL, the server refuses it.
  beforeLoad: ({ context }) => context.client.ensureQueryData(viewerQuery),
  component: Outlet,
  notFoundComponent: () => <Entrance title={copy.pageNotFound.title}>{copy.pageNotFound.text}</Entrance>,
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: pick("next"),
  component: LoginPage,
});
const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  component: lazyRouteComponent(() => import("./session/join-page.tsx"), "JoinPage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazyRouteComponent(() => import("./session/reset-page.tsx"), "ResetPage"),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: ({ context: { viewer } }) => {
    if (!viewer) throw redirect({ to: "/login", search: {} });
    const [first] = viewer.memberships;
    if (!first) return;
    throw redirect({ to: firstPage(first), params: { shopId: first.shop.id } });
  },
  component: () => <Entrance title={copy.noShop.title}>{copy.noShop.text}</Entrance>,
});

const shop = createRoute({
  getParentRoute: () => root,
  path: "/$shopId",
  beforeLoad: ({ context: { viewer }, location }) => {
    if (!viewer) throw redirect({ to: "/login", search: { next: location.href } });
  },
  component: Shell,
});

const KeysPage: RouteComponent = lazyRouteComponent(() => import("./credentials/credentials-page.tsx"), "KeysPage");
const KeyPage: RouteComponent = lazyRouteComponent(() => import("./credentials/key-page.tsx"), "KeyPage");
const EndpointsPage: RouteComponent = lazyRouteComponent(
  () => import("./endpoints/endpoints-page.tsx"),
  "EndpointsPage",
);
const EndpointPage: RouteComponent = lazyRouteComponent(() => import("./endpoints/endpoint-page.tsx"), "EndpointPage");
const DeliveriesPage: RouteComponent = lazyRouteComponent(
  () => import("./deliveries/deliveries-page.tsx"),
  "DeliveriesPage",
);
const RequestsPage: RouteComponent = lazyRouteComponent(() => import("./requests/requests-page.tsx"), "RequestsPage");
const TokensPage: RouteComponent = lazyRouteComponent(() => import("./credentials/credentials-page.tsx"), "TokensPage");
const MembersPage: RouteComponent = lazyRouteComponent(() => import("./members/members-page.tsx"), "MembersPage");
const AuditPage: RouteComponent = lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage");
const ShopPage: RouteComponent = lazyRouteComponent(() => import("./settings/shop-page.tsx"), "ShopPage");
const AccountPage: RouteComponent = lazyRouteComponent(() => import("./account/account-page.tsx"), "AccountPage");
const ProductsPage: RouteComponent = lazyRouteComponent(() => import("./products/products-page.tsx"), "ProductsPage");
const ProductPage: RouteComponent = lazyRouteComponent(() => import("./products/product-page.tsx"), "ProductPage");
const OrdersPage: RouteComponent = lazyRouteComponent(() => import("./orders/orders-page.tsx"), "OrdersPage");
const OrderPage: RouteComponent = lazyRouteComponent(() => import("./orders/order-page.tsx"), "OrderPage");
const NewOrderPage: RouteComponent = lazyRouteComponent(
  () => import("./orders/new/new-order-page.tsx"),
  "NewOrderPage",
);
const CustomersPage: RouteComponent = lazyRouteComponent(
  () => import("./customers/customers-page.tsx"),
  "CustomersPage",
);
const CustomerPage: RouteComponent = lazyRouteComponent(() => import("./customers/customer-page.tsx"), "CustomerPage");
const StockPage: RouteComponent = lazyRouteComponent(() => import("./stock/stock-page.tsx"), "StockPage");

const ProductImportsPage: RouteComponent = lazyRouteComponent(
  () => import("./imports/imports-page.tsx"),
  "ProductImportsPage",
);
const CustomerImportsPage: RouteComponent = lazyRouteComponent(
  () => import("./imports/imports-page.tsx"),
  "CustomerImportsPage",
);
const ImportPage: RouteComponent = lazyRouteComponent(() => import("./imports/import-page.tsx"), "ImportPage");

const page = <Path extends string, Names extends string = never>(
  path: Path,
  component: RouteComponent,
  ...names: Names[]
) =>
  createRoute({
    getParentRoute: () => shop,
    path,
    validateSearch: pick(...names),
    component,
  });

const tree = root.addChildren([
  login,
  join,
  reset,
  home,
  shop.addChildren([
    page("/", HomePage),
    page("keys", KeysPage, "status"),
    page("keys/$keyId", KeyPage),
    page("endpoints", EndpointsPage),
    page("endpoints/$endpointId", EndpointPage),
    page("deliveries", DeliveriesPage, "status", "topic", "endpoint", "since", "error", "event", "delivery"),
    page("requests", RequestsPage, "key", "status", "request", "path", "address", "agent"),
    page("tokens", TokensPage, "status"),
    page("members", MembersPage),
    page("audit", AuditPage, "search", "action", "actor", "target", "since"),
    page("shop", ShopPage),
    page("account", AccountPage),
    page("products", ProductsPage, "search", "status", "sort", "order"),
    page("products/$productId", ProductPage),
    page("orders", OrdersPage, "search", "status", "payment", "fulfillment", "since", "sort", "order"),
    page("orders/new", NewOrderPage),
    page("orders/$orderId", OrderPage),
    page("customers", CustomersPage, "search", "sort", "order"),
    page("customers/$customerId", CustomerPage),
    page("products/import", ProductImportsPage),
    page("customers/import", CustomerImportsPage),
    page("imports/$importId", ImportPage),
    page("stock", StockPage, "search", "low", "variant", "changes"),
  ]),
]);

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}

/** The router of all pages below `/admin`. */
export function createAdminRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: tree,
    basepath: "/admin",
    context: { client },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingComponent: () => <Skeleton />,
    defaultErrorComponent: RouteFailure,
    scrollRestoration: true,
    // Plain texts. By default, the router writes a text such as 1900 in quotes.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch,
  });
  router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) rememberLeft(fromLocation);
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAdminRouter>;
  }
}
