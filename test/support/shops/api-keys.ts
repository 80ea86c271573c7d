import { expect } from "chai";
import { beforeEach } from "mocha";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { call } from "../client.ts";
import { query } from "../database.ts";
import { eventually } from "../eventually.ts";
import { buildShop, buildStaff, type TestStaff } from "../factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../graphql.ts";
import { useServer } from "../server.ts";

const KEY = `id name scopes status firstCharacters lastCharacters createdBy createdAt expiresAt lastUsedAt revokedAt
  successorId predecessorId`;
const LIST = `query ($shopId: ID!, $status: CredentialStatus, $limit: Int! = 50, $after: String) {
  shop(id: $shopId) { apiKeys(status: $status, limit: $limit, after: $after) { total nextCursor items { ${KEY} } } }
}`;
export const CREATE = `mutation ($shopId: ID!, $input: CreateApiKeyInput!) {
  createApiKey(shopId: $shopId, input: $input) { secret apiKey { ${KEY} } }
}`;
export const ROTATE = `mutation ($shopId: ID!, $id: ID!, $input: RotateApiKeyInput! = {}) {
  rotateApiKey(shopId: $shopId, id: $id, input: $input) { secret apiKey { ${KEY} } }
}`;
export const REVOKE = `mutation ($shopId: ID!, $id: ID!) { revokeApiKey(shopId: $shopId, id: $id) { ${KEY} } }`;

export const HOUR = 3_600_000;
/** A change takes effect in every process within a second, plus the time of a request. Milliseconds. */
const SOON = 1_500;

export const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
export const codes = ({ errors }: GraphqlAnswer) => errors.map(({ extensions }) => extensions.code);

/** Manages API keys as the owner of a new shop for each test. */
export function useApiKeys() {
  const server = useServer();
  let shop: Shop;
  let owner: TestStaff;
  let session: { cookie: string };

  beforeEach(() => useShop());

  async function useShop(overrides: Parameters<typeof buildShop>[1] = {}) {
    shop = await buildShop(server.em, overrides);
    owner = await buildStaff(server.em, shop);
    session = await logIn(server, owner);
  }

  const ask = (document: string, variables: Record<string, unknown> = {}) =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, session);
  const create = (input: Record<string, unknown> = {}) =>
    ask(CREATE, { input: { name: "Warehouse", scopes: ["READ_PRODUCTS"], ...input } });
  const created = async (input: Record<string, unknown> = {}) => {
    const answer = await create(input);
    expect(answer.errors).to.deep.equal([]);
    return answer.data.createApiKey as { secret: string; apiKey: Record<string, string> };
  };
  const rotate = (id: string, input: Record<string, unknown> = {}) => ask(ROTATE, { id, input });
  const list = async (variables: Record<string, unknown> = {}) => (await ask(LIST, variables)).data.shop.apiKeys;
  const statusOf = async (secret: string) =>
    (await call(server, "GET", `/${shop.id}/products`, { key: secret })).status;
  const becomes = (secret: string, status: number) =>
    eventually(
      () => statusOf(secret),
      (actual) => actual === status,
      SOON,
    );
  const actions = async () => {
    const rows = await query<{ action: string; target_id: string }>(
      server.databaseUrl,
      "select action, target_id from audit_entries where shop_id = $1 and actor_kind = 'STAFF' and action <> 'MEMBER_LOGGED_IN' order by id",
      [shop.id],
    );
    return rows.map(({ action, target_id }) => [action, target_id]);
  };
  const expire = (id: string) =>
    query(server.databaseUrl, "update api_keys set expires_at = now() where id = $1", [id]);

  return {
    server,
    get shop() {
      return shop;
    },
    get owner() {
      return owner;
    },
    get session() {
      return session;
    },
    useShop,
    ask,
    create,
    created,
    rotate,
    list,
    statusOf,
    becomes,
    actions,
    expire,
  };
}
