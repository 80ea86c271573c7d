import { graphql } from "../request.ts";

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

export const ReplayFailed = graphql(`
  mutation ReplayFailed($shopId: ID!, $endpointId: ID!, $since: Timestamp!) {
    replayFailedDeliveries(shopId: $shopId, endpointId: $endpointId, since: $since) {
      replayed
      remaining
    }
  }
`);
