import { queryOptions } from "@tanstack/react-query";
import { every } from "../queries.ts";
import { graphql, request } from "../request.ts";
import { beginOf } from "../ui/forms/periods.ts";

const INTERVAL = 30_000;

const OrderFigures = graphql(`
  query OrderFigures($shopId: ID!, $timeZone: String!, $since: Timestamp!) {
    shop(id: $shopId) {
      dailyOrders(days: 7, timeZone: $timeZone) {
        day
        orders
        totalAmount
      }
      unfulfilled: orders(limit: 1, status: CONFIRMED, fulfillmentStatus: UNFULFILLED, createdSince: $since) {
        total
      }
      unpaid: orders(limit: 1, status: CONFIRMED, paymentStatus: UNPAID, createdSince: $since) {
        total
      }
    }
  }
`);

const Credentials = graphql(`
  query Credentials($shopId: ID!) {
    shop(id: $shopId) {
      apiKeyLimit {
        used
        maximum
      }
      apiKeys(status: ACTIVE, limit: 50) {
        items {
          id
          name
          createdAt
          expiresAt
          lastUsedAt
        }
      }
    }
  }
`);

/** The orders of the last week by day in the browser's time zone, and the unfulfilled and unpaid ones of a month. */
export const orderFiguresQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "order-figures"],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return request(OrderFigures, { shopId, timeZone, since: beginOf("30")! }, { signal, isPoll: true });
    },
    select: ({ shop }) => shop!,
    refetchInterval: every(INTERVAL),
  });

/** The active API keys and the plan's limit of them. */
export const credentialsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "credentials"],
    queryFn: ({ signal }) => request(Credentials, { shopId }, { signal, isPoll: true }),
    select: ({ shop }) => shop!,
    refetchInterval: every(INTERVAL),
  });
