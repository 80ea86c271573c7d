import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { every } from "../queries.ts";
import { found, graphql, request } from "../request.ts";
import { copy } from "./copy.ts";

const Deliveries = graphql(`
  query Deliveries(
    $shopId: ID!
    $after: String
    $statuses: [WebhookDeliveryStatus!]
    $topic: String
    $endpointId: ID
    $eventId: ID
    $errorClass: WebhookErrorClass
    $createdSince: Timestamp
    $createdBefore: Timestamp
  ) {
    shop(id: $shopId) {
      webhookDeliveries(
        after: $after
        statuses: $statuses
        topic: $topic
        endpointId: $endpointId
        eventId: $eventId
        errorClass: $errorClass
        createdSince: $createdSince
        createdBefore: $createdBefore
        limit: 50
      ) {
        total
        nextCursor
        items {
          id
          eventId
          topic
          status
          isTest
          errorClass
          responseStatus
          attemptCount
          nextAttemptAt
          waitsFor
          createdAt
          endpoint {
            id
            name
          }
          deletedEndpoint {
            name
          }
        }
      }
    }
  }
`);

const Delivery = graphql(`
  query Delivery($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      webhookDelivery(id: $id) {
        id
        eventId
        topic
        status
        isTest
        error
        errorClass
        responseStatus
        attemptCount
        nextAttemptAt
        waitsFor
        createdAt
        body
        changed
        actorId
        actorName
        lastAttemptAt
        fetchedByName
        acknowledgedAt
        endpoint {
          id
          name
          isPull
          health {
            status
            nextProbeAt
          }
        }
        deletedEndpoint {
          name
          deletedAt
        }
        attempts {
          id
          startedAt
          isProbe
          error
          errorClass
          responseStatus
          responseBody
          dnsMs
          connectMs
          tlsMs
          firstByteMs
          totalMs
          requestHeaders {
            name
            value
          }
          responseHeaders {
            name
            value
          }
        }
      }
    }
  }
`);

export const Replay = graphql(`
  mutation Replay($shopId: ID!, $id: ID!) {
    replayDelivery(shopId: $shopId, id: $id) {
      id
    }
  }
`);

const Choices = graphql(`
  query DeliveryChoices($shopId: ID!) {
    webhookTopics {
      name
    }
    shop(id: $shopId) {
      webhookEndpoints {
        id
        name
      }
      deletedWebhookEndpoints {
        id
        name
      }
    }
  }
`);

export type DeliveryChoices = ResultOf<typeof Choices>;
export type DeliveryPage = NonNullable<ResultOf<typeof Deliveries>["shop"]>["webhookDeliveries"];
export type DeliveryRow = DeliveryPage["items"][number];
export type DeliveryFilters = Omit<VariablesOf<typeof Deliveries>, "shopId" | "after">;
export type Delivery = NonNullable<NonNullable<ResultOf<typeof Delivery>["shop"]>["webhookDelivery"]>;
export type DeliveryAttempt = Delivery["attempts"][number];

export async function listDeliveries(
  shopId: string,
  filters: DeliveryFilters,
  after: string | null,
  signal: AbortSignal,
): Promise<DeliveryPage> {
  const { shop } = await request(Deliveries, { shopId, after, ...filters }, { signal, isPoll: true });
  return shop!.webhookDeliveries;
}

/** A delivery with its attempts. It polls every second while the delivery is pending. */
export const deliveryQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["deliveries", shopId, "one", id],
    queryFn: async ({ signal }) =>
      found((await request(Delivery, { shopId, id }, { signal, isPoll: true })).shop?.webhookDelivery, copy.notFound),
    refetchInterval: ({ state }) => (state.data?.status === "PENDING" ? every(1_000)() : false),
  });

/** The topics and endpoints for the filters. */
export const choicesQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["delivery-choices", shopId],
    queryFn: ({ signal }) => request(Choices, { shopId }, { signal }),
    staleTime: 60_000,
  });
