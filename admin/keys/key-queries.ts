import { queryOptions } from "@tanstack/react-query";
import type { ResultOf } from "gql.tada";
import { every } from "../queries.ts";
import { graphql, request } from "../request.ts";
import type { CredentialStatus } from "../credentials/statuses.ts";

const KeyLimit = graphql(`
  query KeyLimit($shopId: ID!) {
    shop(id: $shopId) {
      apiKeyLimit {
        used
        maximum
      }
      availableScopes
    }
  }
`);

const Keys = graphql(`
  query Keys($shopId: ID!, $after: String, $status: CredentialStatus) {
    shop(id: $shopId) {
      apiKeys(limit: 50, after: $after, status: $status) {
        nextCursor
        total
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

export const resources = ["PRODUCTS", "ORDERS", "CUSTOMERS", "INVENTORY"] as const;
export const INTERVAL = 15_000;
type KeyPage = NonNullable<ResultOf<typeof Keys>["shop"]>["apiKeys"];
export type ApiKey = KeyPage["items"][number];
export type ApiScope = NonNullable<ResultOf<typeof KeyLimit>["shop"]>["availableScopes"][number];

/** The plan's limit of keys and the scopes that new keys can have. */
export const keyLimitQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "key-limit"],
    queryFn: ({ signal }) => request(KeyLimit, { shopId }, { signal, isPoll: true }),
    select: ({ shop }) => shop!,
    refetchInterval: every(INTERVAL),
  });

export const readKeys =
  (shopId: string, status: CredentialStatus | undefined) =>
  async (after: string | null, options: { signal: AbortSignal; isPoll: boolean }): Promise<KeyPage> =>
    (await request(Keys, { shopId, after, status }, options)).shop!.apiKeys;
