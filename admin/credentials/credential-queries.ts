import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { every } from "../queries.ts";
import { graphql, request, type RequestOptions } from "../request.ts";

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
        }
      }
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
export type ApiScope = KeyPage["items"][number]["rights"][number];
export type Credential = (KeyPage | TokenPage)["items"][number] & { successorId?: string | null };
type Variables = VariablesOf<typeof Keys>;

/** The plan's limit of keys and the scopes that new keys can have. */
export const keyLimitQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["records", shopId, "key-limit"],
    queryFn: ({ signal }) => request(KeyLimit, { shopId }, { signal, isPoll: true }),
    select: ({ shop }) => shop!,
    refetchInterval: every(15_000),
  });

export const listKeys = async (variables: Variables, options: RequestOptions): Promise<KeyPage> =>
  (await request(Keys, variables, options)).shop!.credentials;

export const listTokens = async (variables: Variables, options: RequestOptions): Promise<TokenPage> =>
  (await request(Tokens, variables, options)).shop!.credentials;
