import { queryOptions } from "@tanstack/react-query";
import { every, type useShop } from "../queries.ts";
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
        refundedAmount
      }
      unfulfilled: orders(limit: 1, status: CONFIRMED, fulfillmentStatus: UNFULFILLED, createdSince: $since) {
        total
      }
      paymentDue: orders(limit: 1, isPaymentDue: true, createdSince: $since) {
        total
      }
      toGiveBack: orders(limit: 1, isOverpaid: true) {
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

const Beginnings = graphql(`
  query Beginnings($shopId: ID!, $readsOrders: Boolean!, $readsProducts: Boolean!, $hasSettings: Boolean!) {
    shop(id: $shopId) {
      defaultTaxRate
      orders(limit: 1) @include(if: $readsOrders) {
        total
      }
      products(limit: 1) @include(if: $readsProducts) {
        total
      }
      apiKeyLimit @include(if: $hasSettings) {
        used
        maximum
      }
      webhookEndpointLimit @include(if: $hasSettings) {
        used
        maximum
      }
      members @include(if: $hasSettings) {
        id
      }
      invitations @include(if: $hasSettings) {
        id
      }
    }
  }
`);

/** The orders of the last week by day in the browser's time zone, and the unfulfilled ones and those with a payment due of a month, and all with money to give back. */
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

/** What the shop has, as far as the viewer can read it. */
export const beginningsQuery = ({ id: shopId, can }: Pick<ReturnType<typeof useShop>, "id" | "can">) =>
  queryOptions({
    queryKey: ["records", shopId, "beginnings"],
    queryFn: ({ signal }) => {
      const [readsOrders, readsProducts] = [can("READ_ORDERS"), can("READ_PRODUCTS")];
      return request(Beginnings, { shopId, readsOrders, readsProducts, hasSettings: can("SETTINGS") }, { signal });
    },
    select: ({ shop }) => shop!,
  });
