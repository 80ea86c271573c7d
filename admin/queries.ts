import { QueryCache, QueryClient, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { graphql, isAway, request, RequestError } from "./request.ts";

/** Milliseconds without input after which open pages stop polling: nobody is there. */
const AWAY = 15 * 60_000;

let lastInput = Date.now();
for (const event of ["pointerdown", "pointermove", "keydown", "scroll"]) {
  addEventListener(event, () => (lastInput = Date.now()), { passive: true, capture: true });
}

/** An interval for `refetchInterval` that pauses while nobody is there. */
export const every = (milliseconds: number) => () => (Date.now() - lastInput < AWAY ? milliseconds : false);

/** The client of all queries; `onError` is told of each error. */
export function createQueryClient(onError: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        // A server that starts anew is back within seconds; what it refuses it would refuse again.
        retry: (count, error) => isAway(error) && count < 2,
        retryDelay: 700,
        staleTime: 2_000,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

const Viewer = graphql(`
  query Viewer {
    viewer {
      id
      name
      hasSecondFactor
      memberships {
        role
        permissions
        needsSecondFactor
        shop {
          id
          name
          plan
          trialEndsAt
          currency
          currencyDecimals
        }
      }
    }
  }
`);

/** The staff member who is logged in; null when nobody is. */
export const viewerQuery = queryOptions({
  queryKey: ["viewer"],
  queryFn: ({ signal }) => request(Viewer, {}, { signal }),
  staleTime: 60_000,
});

/** The staff member who is logged in, for pages that need one. */
export function useViewer() {
  const { viewer } = useSuspenseQuery(viewerQuery).data;
  if (!viewer) throw new RequestError("Nobody is logged in", { code: "UNAUTHENTICATED" });
  return viewer;
}

/** The shop of the page's address, and the viewer's permissions there. */
export function useShop() {
  const { shopId } = useParams({ strict: false });
  const membership = useViewer().memberships.find(({ shop }) => shop.id === shopId);
  if (!membership) throw new RequestError("There is no such shop, or you do not work for it", { code: "NOT_FOUND" });
  const { shop, permissions, role, needsSecondFactor } = membership;
  return {
    ...shop,
    role,
    needsSecondFactor,
    may: (permission: (typeof permissions)[number]) => permissions.includes(permission),
  };
}

/** The page on which somebody begins in a shop: one that they may see. */
export function firstPage(permissions: readonly string[], needsSecondFactor: boolean) {
  if (needsSecondFactor) return "/$shopId/account";
  return permissions.includes("SETTINGS") ? "/$shopId/keys" : "/$shopId/orders";
}
