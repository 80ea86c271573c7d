import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { every } from "../queries.ts";
import { keys as keyTexts } from "./copy.ts";
import { found, graphql, request, type RequestOptions } from "../request.ts";

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
      credentials: apiKeys(limit: 50, after: $after, status: $status) {
        nextCursor
        total
        items {
          id
          name
          firstCharacters
          lastCharacters
          rights: scopes
          status
          createdAt
          createdByName
          expiresAt
          lastUsedAt
          successorId
          isSafeToRevoke
        }
      }
    }
  }
`);

const Key = graphql(`
  query Key($shopId: ID!, $id: ID!, $allowed: [String!]!) {
    shop(id: $shopId) {
      apiKey(id: $id) {
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
        isSafeToRevoke
        allowedAddresses
        usage {
          logStartsAt
          usedScopes
          clients {
            address
            userAgent
            firstUsedAt
            lastUsedAt
            requests
          }
        }
        rehearseAllowedAddresses(allowedAddresses: $allowed) {
          requests
          refusedRequests
          refusedAddresses
        }
      }
    }
  }
`);

export const AllowAddresses = graphql(`
  mutation AllowAddresses($shopId: ID!, $id: ID!, $allowed: [String!]!) {
    setAllowedAddresses(shopId: $shopId, id: $id, allowedAddresses: $allowed) {
      id
    }
  }
`);

const Tokens = graphql(`
  query ServiceTokens($shopId: ID!, $after: String, $status: CredentialStatus) {
    shop(id: $shopId) {
      credentials: serviceTokens(limit: 50, after: $after, status: $status) {
        nextCursor
        total
        items {
          id
          name
          firstCharacters
          lastCharacters
          rights: permissions
          status
          createdAt
          createdByName
          expiresAt
          lastUsedAt
        }
      }
    }
  }
`);

export const CreateKey = graphql(`
  mutation CreateKey($shopId: ID!, $input: CreateApiKeyInput!) {
    created: createApiKey(shopId: $shopId, input: $input) {
      secret
      credential: apiKey {
        name
      }
    }
  }
`);

export const RotateKey = graphql(`
  mutation RotateKey($shopId: ID!, $id: ID!, $input: RotateApiKeyInput!) {
    rotateApiKey(shopId: $shopId, id: $id, input: $input) {
      secret
    }
  }
`);

export const RenameKey = graphql(`
  mutation RenameKey($shopId: ID!, $id: ID!, $name: String!) {
    credential: updateApiKey(shopId: $shopId, id: $id, input: { name: $name }) {
      id
    }
  }
`);

export const RevokeKey = graphql(`
  mutation RevokeKey($shopId: ID!, $id: ID!) {
    credential: revokeApiKey(shopId: $shopId, id: $id) {
      id
    }
  }
`);

export const CreateToken = graphql(`
  mutation CreateServiceToken($shopId: ID!, $input: CreateServiceTokenInput!) {
    created: createServiceToken(shopId: $shopId, input: $input) {
      secret
      credential: serviceToken {
        name
      }
    }
  }
`);

export const RenameToken = graphql(`
  mutation RenameServiceToken($shopId: ID!, $id: ID!, $name: String!) {
    credential: updateServiceToken(shopId: $shopId, id: $id, input: { name: $name }) {
      id
    }
  }
`);

export const RevokeToken = graphql(`
  mutation RevokeServiceToken($shopId: ID!, $id: ID!) {
    credential: revokeServiceToken(shopId: $shopId, id: $id) {
      id
    }
  }
`);

type KeyPage = NonNullable<ResultOf<typeof Keys>["shop"]>["credentials"];
type TokenPage = NonNullable<ResultOf<typeof Tokens>["shop"]>["credentials"];
export type ApiKey = NonNullable<NonNullable<ResultOf<typeof Key>["shop"]>["apiKey"]>;
export type ApiScope = KeyPage["items"][number]["rights"][number];
export type Credential = (KeyPage | TokenPage)["items"][number] &
  Partial<Pick<KeyPage["items"][number], "successorId" | "isSafeToRevoke">>;
type Variables = VariablesOf<typeof Keys>;

/** The plan's limit of keys and the scopes that new keys can have. */
export const keyLimitQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "key-limit"],
    queryFn: ({ signal }) => request(KeyLimit, { shopId }, { signal, isPoll: true }),
    select: ({ shop }) => shop!,
    refetchInterval: every(15_000),
  });

/** A key, and how many of its logged requests a list of allowed addresses would have refused. */
export const keyQuery = (shopId: string, id: string, allowed: string[] = []) =>
  queryOptions({
    queryKey: ["records", shopId, "keys", id, allowed],
    queryFn: async ({ signal }) =>
      found((await request(Key, { shopId, id, allowed }, { signal })).shop?.apiKey, keyTexts.notFound),
  });

export const listKeys = async (variables: Variables, options: RequestOptions): Promise<KeyPage> =>
  (await request(Keys, variables, options)).shop!.credentials;

export const listTokens = async (variables: Variables, options: RequestOptions): Promise<TokenPage> =>
  (await request(Tokens, variables, options)).shop!.credentials;
