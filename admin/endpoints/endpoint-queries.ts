import { queryOptions } from "@tanstack/react-query";
import type { ResultOf } from "gql.tada";
import { every } from "../queries.ts";
import { found, graphql, request } from "../request.ts";
import { hoursAway } from "../ui/values/time.tsx";
import { copy } from "./copy.ts";

const INTERVAL = 5_000;

/** The fields that both the list and the page of an endpoint show. */
const EndpointState = graphql(`
  fragment EndpointState on WebhookEndpoint @_unmask {
    id
    name
    url
    isPull
    description
    paused
    topics
    failedDeliveryCount(since: $since)
    createdAt
    createdByName
    serviceTokenStatus
    health {
      status
      isSlow
      consecutiveFailures
      failingSince
      disablesAt
      disabledAt
      disabledReason
      nextProbeAt
      failingTopics {
        topic
        failures
      }
      waitingDeliveries
    }
    pull {
      waiting
      leased
      oldestAt
      isBehind
      lastFetchedAt
      lastFetchedByName
    }
    hourlyAttempts {
      hour
      attempts
      failures
      p95Ms
    }
  }
`);

const Endpoints = graphql(
  `
    query Endpoints($shopId: ID!, $since: Timestamp!) {
      shop(id: $shopId) {
        webhookEndpointLimit {
          used
          maximum
        }
        webhookEndpoints {
          ...EndpointState
        }
      }
    }
  `,
  [EndpointState],
);

const Endpoint = graphql(
  `
    query Endpoint($shopId: ID!, $id: ID!, $since: Timestamp!) {
      shop(id: $shopId) {
        webhookEndpoint(id: $id) {
          ...EndpointState
          headerNames
          fields
          ignoredActorIds
          ignoredActorNames
          updatedAt
          secretActiveAt
          oldSecretExpiresAt
          replay {
            startedAt
            total
            waiting
            lastAt
          }
        }
      }
    }
  `,
  [EndpointState],
);

const Explanation = graphql(`
  query Explanation($shopId: ID!, $id: ID!, $recordId: ID!) {
    shop(id: $shopId) {
      webhookEndpoint(id: $id) {
        explain(recordId: $recordId) {
          id
          topic
          createdAt
          changed
          actorName
          reason
          delivery {
            id
            status
            error
            waitsFor
            nextAttemptAt
            lastAttemptAt
            fetchedByName
            acknowledgedAt
            endpoint {
              health {
                nextProbeAt
              }
            }
          }
        }
      }
    }
  }
`);

const Topics = graphql(`
  query Topics {
    webhookTopics {
      name
      description
      fields
    }
  }
`);

const Actors = graphql(`
  query Actors($shopId: ID!) {
    shop(id: $shopId) {
      apiKeys(status: ACTIVE, limit: 250) {
        items {
          id
          name
          lastCharacters
        }
      }
      serviceTokens(status: ACTIVE, limit: 250) {
        items {
          id
          name
          lastCharacters
        }
      }
      members {
        id
        email
      }
    }
  }
`);

const FailedCount = graphql(`
  query FailedCount($shopId: ID!, $id: ID!, $since: Timestamp!) {
    shop(id: $shopId) {
      webhookEndpoint(id: $id) {
        failedDeliveryCount(since: $since)
      }
    }
  }
`);

export const CreateEndpoint = graphql(`
  mutation CreateEndpoint($shopId: ID!, $input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(shopId: $shopId, input: $input) {
      secret
      endpoint {
        id
      }
    }
  }
`);

export const CreatePullEndpoint = graphql(`
  mutation CreatePullEndpoint($shopId: ID!, $input: CreatePullEndpointInput!) {
    createPullEndpoint(shopId: $shopId, input: $input) {
      id
    }
  }
`);

export const UpdateEndpoint = graphql(`
  mutation UpdateEndpoint($shopId: ID!, $id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(shopId: $shopId, id: $id, input: $input) {
      id
    }
  }
`);

export const DeleteEndpoint = graphql(`
  mutation DeleteEndpoint($shopId: ID!, $id: ID!) {
    deleteWebhookEndpoint(shopId: $shopId, id: $id)
  }
`);

export const RotateSecret = graphql(`
  mutation RotateSecret($shopId: ID!, $id: ID!, $input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(shopId: $shopId, id: $id, input: $input) {
      secret
    }
  }
`);

export const ActivateSecret = graphql(`
  mutation ActivateSecret($shopId: ID!, $id: ID!) {
    activateWebhookSecret(shopId: $shopId, id: $id) {
      id
    }
  }
`);

export const SendTest = graphql(`
  mutation SendTest($shopId: ID!, $id: ID!, $topic: String) {
    sendTestEvent(shopId: $shopId, id: $id, topic: $topic) {
      id
    }
  }
`);

export const CheckReceiver = graphql(`
  mutation CheckReceiver($shopId: ID!, $id: ID!) {
    checkReceiver(shopId: $shopId, id: $id) {
      check
      title
      isRun
      isPassed
      finding
      remedy
    }
  }
`);

export const ReplayFailed = graphql(`
  mutation ReplayFailed($shopId: ID!, $endpointId: ID!, $since: Timestamp!) {
    replayFailedDeliveries(shopId: $shopId, endpointId: $endpointId, since: $since) {
      replayed
      remaining
    }
  }
`);

type EndpointsShop = NonNullable<ResultOf<typeof Endpoints>["shop"]>;
export type EndpointRow = EndpointsShop["webhookEndpoints"][number];
export type ExplainedEvent = NonNullable<
  NonNullable<ResultOf<typeof Explanation>["shop"]>["webhookEndpoint"]
>["explain"][number];
export type Endpoint = NonNullable<NonNullable<ResultOf<typeof Endpoint>["shop"]>["webhookEndpoint"]>;

/** A shop's endpoints and the plan's limit. */
export const endpointsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "endpoints"],
    queryFn: ({ signal }) => request(Endpoints, { shopId, since: hoursAway(-24) }, { signal, isPoll: true }),
    select: ({ shop }) => shop!,
    refetchInterval: every(INTERVAL),
  });

export const endpointQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["records", shopId, "endpoints", id],
    queryFn: async ({ signal }) =>
      found(
        (await request(Endpoint, { shopId, id, since: hoursAway(-24) }, { signal, isPoll: true })).shop
          ?.webhookEndpoint,
        copy.notFound,
      ),
    refetchInterval: every(INTERVAL),
  });

/** The newest events of a record, and why the endpoint gets them or not. */
export const explanationQuery = (shopId: string, id: string, recordId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "endpoints", id, "explanation", recordId],
    queryFn: async ({ signal }) =>
      found(
        (await request(Explanation, { shopId, id, recordId }, { signal })).shop?.webhookEndpoint?.explain,
        copy.notFound,
      ),
    retry: false,
  });

export const topicsQuery = queryOptions({
  queryKey: ["topics"],
  queryFn: ({ signal }) => request(Topics, {}, { signal }),
  select: ({ webhookTopics }) => webhookTopics,
  staleTime: Infinity,
});

/** Who can change the shop: its credentials, with the last characters of their secrets, and its staff. */
export const actorsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "actors"],
    queryFn: ({ signal }) => request(Actors, { shopId }, { signal }),
    select: ({ shop }) => {
      const { apiKeys, serviceTokens, members } = shop!;
      const credentials = [...apiKeys.items, ...serviceTokens.items];
      return [
        ...credentials.map(({ id, name, lastCharacters }) => [id, name, `…${lastCharacters}`] as const),
        ...members.map(({ id, email }) => [id, email, ""] as const),
      ];
    },
  });

/** The number of failed deliveries that a replay would include. */
export const failedCountQuery = (shopId: string, id: string, since: string) =>
  queryOptions({
    queryKey: ["records", shopId, "endpoints", id, "failed", since],
    queryFn: ({ signal }) => request(FailedCount, { shopId, id, since }, { signal, isPoll: true }),
    select: ({ shop }) => shop?.webhookEndpoint?.failedDeliveryCount ?? 0,
    refetchInterval: every(INTERVAL),
  });
