import type { ResultOf } from "gql.tada";
import type { CredentialStatus } from "../credentials/statuses.ts";
import { graphql, request } from "../request.ts";

const Tokens = graphql(`
  query ServiceTokens($shopId: ID!, $after: String, $status: CredentialStatus) {
    shop(id: $shopId) {
      serviceTokens(limit: 50, after: $after, status: $status) {
        nextCursor
        total
        items {
          id
          name
          firstCharacters
          lastCharacters
          permissions
          createdAt
          createdByName
          expiresAt
          lastUsedAt
          status
        }
      }
    }
  }
`);

export const CreateToken = graphql(`
  mutation CreateServiceToken($shopId: ID!, $input: CreateServiceTokenInput!) {
    createServiceToken(shopId: $shopId, input: $input) {
      secret
      serviceToken {
        id
        name
      }
    }
  }
`);

export const RenameToken = graphql(`
  mutation RenameServiceToken($shopId: ID!, $id: ID!, $input: UpdateServiceTokenInput!) {
    updateServiceToken(shopId: $shopId, id: $id, input: $input) {
      id
    }
  }
`);

export const RevokeToken = graphql(`
  mutation RevokeServiceToken($shopId: ID!, $id: ID!) {
    revokeServiceToken(shopId: $shopId, id: $id) {
      id
    }
  }
`);

type TokenPage = NonNullable<ResultOf<typeof Tokens>["shop"]>["serviceTokens"];
export type Token = TokenPage["items"][number];
export const resources = ["PRODUCTS", "ORDERS", "CUSTOMERS"] as const;
export type Permission = Exclude<Token["permissions"][number], "SETTINGS">;

export const readTokens =
  (shopId: string, status: CredentialStatus | undefined) =>
  async (after: string | null, options: { signal: AbortSignal; isPoll: boolean }): Promise<TokenPage> =>
    (await request(Tokens, { shopId, after, status }, options)).shop!.serviceTokens;
