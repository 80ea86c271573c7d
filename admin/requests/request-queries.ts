import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { every } from "../queries.ts";
import { graphql, request, type RequestOptions } from "../request.ts";
import { copy } from "./copy.ts";

const Requests = graphql(`
  query Requests(
    $shopId: ID!
    $after: String
    $apiKeyId: ID
    $status: Int
    $statusClass: Int
    $path: String
    $address: String
    $userAgent: String
  ) {
    shop(id: $shopId) {
      requests(
        after: $after
        apiKeyId: $apiKeyId
        status: $status
        statusClass: $statusClass
        path: $path
        address: $address
        userAgent: $userAgent
        limit: 50
      ) {
        nextCursor
        items {
          id
          requestId
          createdAt
          method
          path
          status
          durationMs
          address
          apiKeyId
          apiKey {
            name
            lastCharacters
          }
        }
      }
    }
  }
`);

const HourlyRequests = graphql(`
  query HourlyRequests($shopId: ID!) {
    shop(id: $shopId) {
      hourlyRequests(hours: 168) {
        hour
        requests
        clientErrors
        serverErrors
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
          apiKey {
            name
            lastCharacters
          }
          errorBody
          address
          userAgent
        }
      }
    }
  }
`);

// No pages: plans allow far fewer active keys than this limit.
const ActiveKeys = graphql(`
  query ActiveKeys($shopId: ID!) {
    shop(id: $shopId) {
      apiKeys(status: ACTIVE, limit: 250) {
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
export type HourlyRequests = Shop<ResultOf<typeof HourlyRequests>>["hourlyRequests"][number];

/** Lists requests, without a total: there can be a hundred thousand. */
export const listRequests = async (variables: VariablesOf<typeof Requests>, options: RequestOptions) =>
  (await request(Requests, variables, options)).shop!.requests;

/** The requests in each hour of the last week. */
export const hourlyRequestsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["hourly-requests", shopId],
    queryFn: ({ signal }) => request(HourlyRequests, { shopId }, { signal, isPoll: true }),
    select: ({ shop }) => shop!.hourlyRequests,
    refetchInterval: every(30_000),
  });

/** The request with this `X-Request-Id`, or null when it is not logged. */
export const oneRequestQuery = (shopId: string, requestId: string) =>
  queryOptions({
    queryKey: ["request", shopId, requestId],
    queryFn: async ({ signal }) => {
      const { shop } = await request(OneRequest, { shopId, requestId }, { signal });
      return shop!.requests.items[0] ?? null;
    },
  });

/** The active keys, as options. */
export const activeKeysQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["active-keys", shopId],
    queryFn: ({ signal }) => request(ActiveKeys, { shopId }, { signal }),
    select: ({ shop }) => shop!.apiKeys.items.map((key) => [key.id, labelKey(key)] as const),
    staleTime: 60_000,
  });

/** A key's name with its last characters, which distinguish rotated keys of the same name. */
export const labelKey = ({ name, lastCharacters }: NonNullable<RequestRow["apiKey"]>) =>
  copy.keyName(name, lastCharacters);
