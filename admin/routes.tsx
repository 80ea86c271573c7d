import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
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
  component: lazy(() => import("./session/join-page.tsx"), "JoinPage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazy(() => import("./session/reset-page.tsx"), "ResetPage"),
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

const KeysPage: RouteComponent = lazy(() => import("./credentials/credentials-page.tsx"), "KeysPage");
const KeyPage: RouteComponent = lazy(() => import("./credentials/key-page.tsx"), "KeyPage");
const EndpointsPage: RouteComponent = lazy(() => import("./endpoints/endpoints-page.tsx"), "EndpointsPage");
const EndpointPage: RouteComponent = lazy(() => import("./endpoints/endpoint-page.tsx"), "EndpointPage");
const DeliveriesPage: RouteComponent = lazy(() => import("./deliveries/deliveries-page.tsx"), "DeliveriesPage");
const RequestsPage: RouteComponent = lazy(() => import("./requests/requests-page.tsx"), "RequestsPage");
const TokensPage: RouteComponent = lazy(() => import("./credentials/credentials-page.tsx"), "TokensPage");
const MembersPage: RouteComponent = lazy(() => import("./members/members-page.tsx"), "MembersPage");
const AuditPage: RouteComponent = lazy(() => import("./audit/audit-page.tsx"), "AuditPage");
const ShopPage: RouteComponent = lazy(() => import("./settings/shop-page.tsx"), "ShopPage");
const AccountPage: RouteComponent = lazy(() => import("./account/account-page.tsx"), "AccountPage");
const ProductsPage: RouteComponent = lazy(() => import("./products/products-page.tsx"), "ProductsPage");
const ProductPage: RouteComponent = lazy(() => import("./products/product-page.tsx"), "ProductPage");
const OrdersPage: RouteComponent = lazy(() => import("./orders/orders-page.tsx"), "OrdersPage");
const OrderPage: RouteComponent = lazy(() => import("./orders/order-page.tsx"), "OrderPage");
const NewOrderPage: RouteComponent = lazy(() => import("./orders/new/new-order-page.tsx"), "NewOrderPage");
const CustomersPage: RouteComponent = lazy(() => import("./customers/customers-page.tsx"), "CustomersPage");
const CustomerPage: RouteComponent = lazy(() => import("./customers/customer-page.tsx"), "CustomerPage");
const StockPage: RouteComponent = lazy(() => import("./stock/stock-page.tsx"), "StockPage");

const ProductImportsPage: RouteComponent = lazy(() => import("./imports/imports-page.tsx"), "ProductImportsPage");
const CustomerImportsPage: RouteComponent = lazy(() => import("./imports/imports-page.tsx"), "CustomerImportsPage");
const ImportPage: RouteComponent = lazy(() => import("./imports/import-page.tsx"), "ImportPage");

const page = <Path extends string, Names extends string = never>(
  path: Path,
  component: RouteComponent,
  ...names: Names[]
) => createRoute({ getParentRoute: () => shop, path, validateSearch: pick(...names), component });

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
