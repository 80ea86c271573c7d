import { queryOptions } from "@tanstack/react-query";
import type { ResultOf } from "gql.tada";
import { every } from "../queries.ts";
import { graphql, request } from "../request.ts";
import type { CredentialStatus } from "../credentials/statuses.ts";

const Keys = graphql(`
  query Keys($shopId: ID!, $status: CredentialStatus) {
    shop(id: $shopId) {
      apiKeyLimit {
        used
        maximum
      }
      availableScopes
      apiKeys(status: $status, limit: 100) {
        items {
          id
          name
          firstCharacters
          lastCharacters
          scopes
          status
          createdAt
          createdByName
          expiresAt
          lastUsedAt
          predecessorId
          successorId
        }
      }
    }
  }
`);

export const CreateKey = graphql(`
  mutation CreateKey($shopId: ID!, $input: CreateApiKeyInput!) {
    createApiKey(shopId: $shopId, input: $input) {
      secret
      apiKey {
        id
        name
      }
    }
  }
`);

export const RotateKey = graphql(`
  mutation RotateKey($shopId: ID!, $id: ID!, $input: RotateApiKeyInput!) {
    rotateApiKey(shopId: $shopId, id: $id, input: $input) {
      secret
      apiKey {
        id
        name
      }
    }
  }
`);

export const RenameKey = graphql(`
  mutation RenameKey($shopId: ID!, $id: ID!, $input: UpdateApiKeyInput!) {
    updateApiKey(shopId: $shopId, id: $id, input: $input) {
      id
    }
  }
`);

export const RevokeKey = graphql(`
  mutation RevokeKey($shopId: ID!, $id: ID!) {
    revokeApiKey(shopId: $shopId, id: $id) {
      id
    }
  }
`);

export const things = ["PRODUCTS", "ORDERS", "CUSTOMERS", "INVENTORY"] as const;
type KeyShop = NonNullable<ResultOf<typeof Keys>["shop"]>;
export type ApiKey = KeyShop["apiKeys"]["items"][number];
export type ApiScope = KeyShop["availableScopes"][number];

/** A shop's keys of a status, of every status without one, and the places of its plan. */
export const keysQuery = (shopId: string, status: CredentialStatus | undefined) =>
  queryOptions({
    queryKey: ["records", shopId, "keys", status ?? "ALL"],
    queryFn: ({ signal }) => request(Keys, { shopId, status }, { signal, isPoll: true }),
    select: ({ shop }) => shop!,
    refetchInterval: every(15_000),
  });
