import { QueryCache, QueryClient, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ResultOf } from "gql.tada";
import { graphql, isUnavailable, request, RequestError } from "./request.ts";
import { copy } from "./copy.ts";

/** Milliseconds without input after which open pages stop polling. */
const IDLE = 15 * 60_000;

/** Milliseconds between looks at a sandbox that is being filled. */
const FILLING = 2_000;

let lastInput = Date.now();
for (const event of ["pointerdown", "pointermove", "keydown", "scroll"]) {
  addEventListener(event, () => (lastInput = Date.now()), { passive: true, capture: true });
}

/** A `refetchInterval` that pauses while the user is idle. */
export const every = (milliseconds: number) => () => (Date.now() - lastInput < IDLE ? milliseconds : false);

/** The client of all queries. It calls `onError` for each error. */
export function createQueryClient(onError: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        // A restarting server is back within seconds. Other errors would happen again.
        retry: (count, error) => isUnavailable(error) && count < 2,
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
          sandboxOf
          sandboxState
          sandboxContent
        }
      }
    }
  }
`);

type Membership = NonNullable<ResultOf<typeof Viewer>["viewer"]>["memberships"][number];
export type Shop = Membership["shop"];
export type Permission = Membership["permissions"][number];

/** The staff member who is logged in, or null. */
export const viewerQuery = queryOptions({
  queryKey: ["viewer"],
  queryFn: ({ signal }) => request(Viewer, {}, { signal }),
  staleTime: 60_000,
  refetchInterval: ({ state: { data } }) =>
    data?.viewer?.memberships.some(({ shop }) => shop.sandboxState === "FILLING") ? FILLING : false,
});

/** The staff member who is logged in. @throws RequestError when nobody is */
export function useViewer() {
  const { viewer } = useSuspenseQuery(viewerQuery).data;
  if (!viewer) throw new RequestError(copy.loggedOut, { code: "UNAUTHENTICATED" });
  return viewer;
}

/** The shop of the current page and the viewer's permissions there. */
export function useShop() {
  const { shopId } = useParams({ strict: false });
  const membership = useViewer().memberships.find(({ shop }) => shop.id === shopId);
  if (!membership) throw new RequestError(copy.shopNotFound, { code: "SHOP_NOT_FOUND" });
  const { shop, permissions, role, needsSecondFactor } = membership;
  return {
    ...shop,
    role,
    needsSecondFactor,
    can: (permission: Permission) => permissions.includes(permission),
  };
}

/** The first page of a shop that a member can open. */
export const firstPage = ({ needsSecondFactor }: Pick<Membership, "needsSecondFactor">) =>
  needsSecondFactor ? "/$shopId/account" : "/$shopId";
