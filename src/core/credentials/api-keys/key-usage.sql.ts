// Text, since Kysely has no functions for networks, and one statement groups the log by client and by scope.
import type { Kysely } from "kysely";
import { Int, ObjectType } from "type-graphql";
import { ApiScope } from "../../model/credentials/api-key.entity.ts";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { allowedAddressesSchema } from "../../model/network.ts";
import { MAX_REQUESTS } from "../../model/requests/api-request.entity.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";
import { matchByRequest, type RowKey } from "../../queries/row-key.ts";
import { parseInput } from "../../validation/input.ts";

const MAX_CLIENTS = 50;

@ObjectType({ description: "An address and a User-Agent that used an API key.", simpleResolvers: true })
export class ApiKeyClient extends objectOf({
  address: nullable(String, "The IP address. Null if it is unknown."),
  userAgent: nullable(String, "The User-Agent. Null if the client sent none."),
  firstUsedAt: field(TimestampScalar, "When its first request in the log was answered."),
  lastUsedAt: field(TimestampScalar, "When its last request was answered."),
  requests: field(Int, "The number of its requests in the log, including refused ones."),
}) {}

@ObjectType({ description: "How an API key was used, by the log of requests.", simpleResolvers: true })
export class ApiKeyUsage extends objectOf({
  logStartsAt: nullable(
    TimestampScalar,
    "When the log starts, if the shop has more requests than the log keeps. Null if it has those of the last 30 days.",
  ),
  clients: field([ApiKeyClient], `The clients, the ${MAX_CLIENTS} that used it last, newest first.`),
  usedScopes: field([ApiScope], "The scopes that a request in the log needed and had."),
}) {}

// A scope is not among the requests: it follows from the method and the first part of the route.
const text = `
  with used as materialized (
    select api_key_id, address, user_agent, min(created_at) as first_at, max(created_at) as last_at,
      count(*)::int as requests,
      case when status <> 403 then
        case when method in ('GET', 'HEAD') then 'read_' else 'write_' end || split_part(route, '/', 2) end as scope
    from api_requests where shop_id = $1 and api_key_id = any($2)
    group by api_key_id, address, user_agent, scope
  ), clients as (
    select api_key_id, address, user_agent, min(first_at) as first_at, max(last_at) as last_at,
      sum(requests)::int as requests, row_number() over (partition by api_key_id order by max(last_at) desc) as place
    from used group by api_key_id, address, user_agent
  )
  select id,
    (select created_at from api_requests where shop_id = $1 order by id desc offset ${MAX_REQUESTS - 1} limit 1) as "logStartsAt",
    array(select distinct scope from used where api_key_id = id and scope is not null) as "usedScopes",
    (select coalesce(json_agg(json_build_object('address', host(address), 'userAgent', user_agent,
      'firstUsedAt', first_at, 'lastUsedAt', last_at, 'requests', requests) order by place), '[]')
      from clients where api_key_id = id and place <= ${MAX_CLIENTS}) as clients
  from unnest($2::text[]) as asked (id)`;

/** Loads how keys of one shop were used. */
export async function loadKeyUsage(database: Kysely<Database>, keys: readonly RowKey[]): Promise<ApiKeyUsage[]> {
  const ids = keys.map(({ id }) => id);
  const values = [keys[0]!.shopId, ids];
  const rows = await query<ApiKeyUsage & { id: string }>(database, { name: "load key usage", text }, values);
  return matchByRequest(keys, rows) as ApiKeyUsage[];
}

@ObjectType({ description: "What a list of allowed addresses would have changed.", simpleResolvers: true })
export class AllowedAddressesRehearsal extends objectOf({
  requests: field(Int, "The logged requests of the key with a known address."),
  refusedRequests: field(Int, "The number of these requests that the list would have refused."),
  refusedAddresses: field([String], "The addresses of these, the latest 10."),
}) {}

const rehearse = {
  name: "rehearse allowed addresses",
  text: `
  select coalesce(sum(requests), 0)::int as requests,
    coalesce(sum(requests) filter (where is_refused), 0)::int as "refusedRequests",
    coalesce((array_agg(host(address) order by last_id desc) filter (where is_refused))[:10], '{}') as "refusedAddresses"
  from (
    select address, count(*) as requests, max(id) as last_id,
      cardinality($3::text[]) > 0 and not address <<= any($3::inet[]) as is_refused
    from api_requests where shop_id = $1 and api_key_id = $2 and address is not null
    group by address
  ) seen`,
};

/** Applies a list to the logged requests of a key. @throws AppError VALIDATION_FAILED */
export async function rehearseAllowedAddresses(
  database: Kysely<Database>,
  { shopId, id }: RowKey,
  given: string[],
): Promise<AllowedAddressesRehearsal> {
  const { allowedAddresses } = parseInput(allowedAddressesSchema, { allowedAddresses: given });
  const [rehearsal] = await query<AllowedAddressesRehearsal>(database, rehearse, [shopId, id, allowedAddresses]);
  return rehearsal!;
}
