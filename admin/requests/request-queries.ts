import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { graphql, request } from "../request.ts";

const Requests = graphql(`
  query Requests($shopId: ID!, $after: String, $apiKeyId: ID, $status: Int, $path: String) {
    shop(id: $shopId) {
      requests(after: $after, apiKeyId: $apiKeyId, status: $status, path: $path, limit: 50) {
        total
        nextCursor
        items {
          id
          requestId
          createdAt
          method
          path
          status
          durationMs
          apiKeyId
        }
      }
    }
  }
`);

const OneRequest = graphql(`
  query OneRequest($shopId: ID!, $requestId: String!) {
    shop(id: $shopId) {
      requests(requestId: $requestId, limit: 1) {
        items {
          id
          requestId
          createdAt
          method
          path
          route
          status
          durationMs
          apiKeyId
          errorBody
        }
      }
    }
  }
`);

const KeyNames = graphql(`
  query KeyNames($shopId: ID!) {
    shop(id: $shopId) {
      apiKeys(limit: 100) {
        items {
          id
          name
          lastCharacters
        }
      }
    }
  }
`);

type Shop<Data extends { shop: unknown }> = NonNullable<Data["shop"]>;
export type RequestRow = Shop<ResultOf<typeof Requests>>["requests"]["items"][number];
export type OneRequest = Shop<ResultOf<typeof OneRequest>>["requests"]["items"][number];
type RequestFilters = Omit<VariablesOf<typeof Requests>, "shopId" | "after">;

export async function listRequests(
  shopId: string,
  filters: RequestFilters,
  after: string | null,
  options: { signal: AbortSignal },
) {
  const { shop } = await request(Requests, { shopId, after, ...filters }, options);
  return shop!.requests;
}

/** The request with an `X-Request-Id`; null when it is not logged. */
export const oneRequestQuery = (shopId: string, requestId: string) =>
  queryOptions({
    queryKey: ["request", shopId, requestId],
    queryFn: async ({ signal }) => {
      const { shop } = await request(OneRequest, { shopId, requestId }, { signal });
      return shop!.requests.items[0] ?? null;
    },
  });

/** Each key by its id, with its name and how its secret ends. */
export const keyNamesQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["key-names", shopId],
    queryFn: ({ signal }) => request(KeyNames, { shopId }, { signal }),
    select: ({ shop }) =>
      shop!.apiKeys.items.map(({ id, name, lastCharacters }) => [id, `${name} (…${lastCharacters})`] as const),
    staleTime: 60_000,
  });
