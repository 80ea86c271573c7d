import { shopColumns } from "../../../src/core/model/shops/current-shop.ts";

/** A column that is unique across shops: its value identifies one row, and so one shop. */
export interface Key {
  table: string;
  column: string;
  because: string;
}

/** A reviewed statement that reads several shops. It must be reviewed again after a change. */
export interface Statement {
  /** The file that sends it. From any other file it is an error. */
  source: string;
  /** The whole statement; white space is ignored. */
  text: string;
  because: string;
}

export type Exception = Key | Statement;

/** The unique name of an exception. */
export function nameOf(exception: Exception): string {
  return "text" in exception
    ? `${exception.source}: ${withSingleSpaces(exception.text)}`
    : `${exception.table}.${exception.column}`;
}

export function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export const keys: readonly Key[] = [
  { table: "api_keys", column: "digest", because: "an API key is found by its digest, and its shop with it" },
  {
    table: "service_tokens",
    column: "digest",
    because: "a service token is found by its digest, and its shop with it",
  },
  {
    table: "invitations",
    column: "token_digest",
    because: "whoever accepts an invitation shows its token, and learns of which shop it is",
  },
];

/** Updates credentials of many shops, each by its shop and id. */
const writeUses = (table: string) => `
  with uses as (
    select shop_id, id, now() - age * interval '1 millisecond' as at from ${table}
    join unnest($1::text[], $2::text[], $3::float8[]) as used (used_shop_id, used_id, age)
      on shop_id = used_shop_id and id = used_id
    order by shop_id, id for no key update of ${table}
  )
  update ${table} set last_used_at = greatest(last_used_at, uses.at) from uses
  where ${table}.shop_id = uses.shop_id and ${table}.id = uses.id`;

export const statements: readonly Statement[] = [
  {
    source: "src/core/staff/sessions/find-session-actor.ts",
    text: `
      select sessions.id as "sessionId", sessions.staff_id as "staffId", email, role,
        second_factor_at is not null as "hasSecondFactor", muted_notifications as "mutedNotifications",
        last_seen_at < now() - interval '1 minute' as "isToNote", ${shopColumns}
      from sessions
      join staff on staff.id = sessions.staff_id
      left join memberships on memberships.staff_id = staff.id
      left join shops on shops.id = memberships.shop_id
      where token_digest = $1 and expires_at > now() and last_seen_at > now() - interval '1 hour'
      order by memberships.created_at, shops.id`,
    because: "a session is its owner's, who may be a member of several shops",
  },
  {
    source: "src/core/staff/accounts/audit-in-each-shop.ts",
    text: 'select "m0".* from "memberships" as "m0" where "m0"."staff_id" = $1',
    because: "what is done to an account is told to each shop that it belongs to",
  },
  {
    source: "src/core/credentials/last-used-writer.ts",
    text: writeUses("api_keys"),
    because: "one statement notes the last uses of many shops' keys, each by its shop and id",
  },
  {
    source: "src/core/credentials/last-used-writer.ts",
    text: writeUses("service_tokens"),
    because: "one statement notes the last uses of many shops' tokens, each by its shop and id",
  },
  {
    source: "src/core/requests/request-log.ts",
    text: `
      insert into api_requests (shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms,
        error_body, created_at)
      select shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms,
        error_body, now() - age * interval '1 millisecond'
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int2[],
        $9::real[], $10::text[], $11::float8[])
      as asked (shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms, error_body, age)`,
    because: "one statement writes down the requests of many shops, each with its shop",
  },
  {
    source: "src/core/webhooks/health/measure-deliveries.ts",
    text: 'select "s0".* from "shops" as "s0" order by "s0"."id" asc',
    because: "whoever runs the service measures the deliveries of one shop after another",
  },
  {
    source: "src/jobs/each-shop.ts",
    text: 'select "id" from "shops" order by "id"',
    because: "jobs go from shop to shop, and each of their other statements is of one",
  },
  {
    source: "src/core/webhooks/endpoints/reseal-secrets.ts",
    text: `
      select shop_id as "shopId" from webhook_endpoints
      where shop_id >= $1 and (split_part(sealed_secret, '.', 1) <> $2 or split_part(sealed_old_secret, '.', 1) <> $2
        or split_part(sealed_headers, '.', 1) <> $2
        or sealed_old_secret is not null and old_secret_expires_at <= now())
      order by shop_id limit 1`,
    because: "secrets are encrypted anew a shop at a time, and this finds the next",
  },
  {
    source: "src/core/secrets/find-unusable-keys.ts",
    text: `
      select min(array[id, shop_id, kind, sealed]) as oldest
      from (
        select id, shop_id, kind, sealed
        from webhook_endpoints, lateral (values
          ('secret', sealed_secret),
          ('secret', case when old_secret_expires_at > now() then sealed_old_secret end),
          ('headers', sealed_headers)
        ) as of_endpoint (kind, sealed)
        union all select staff_id, '', 'factor', sealed_secret from second_factors
      ) as held
      where sealed is not null
      group by split_part(sealed, '.', 1)`,
    because: "readiness tries each encryption key on what it sealed first, of whichever shop",
  },
  {
    source: "src/core/webhooks/health/load-webhook-figures.ts",
    text: `
      select health, count(*)::int as endpoints, max(age)::float8 as "oldestDue" from (
        select extract(epoch from now() - oldest.next_attempt_at) as age, case
          when disabled_at is not null then 'DISABLED'
          when probe_at is not null then 'SUSPENDED'
          when consecutive_failures > 0 then 'FAILING'
          else 'HEALTHY' end as health
        from webhook_endpoints endpoint join shops on shops.id = endpoint.shop_id
        left join lateral (
          select next_attempt_at from outstanding_deliveries outstanding
          where disabled_at is null and probe_at is null and not paused
            and case shops.plan when 'TRIAL' then shops.trial_ends_at > now() else shops.plan <> 'NONE' end
            and outstanding.shop_id = endpoint.shop_id and outstanding.endpoint_id = endpoint.id
            and outstanding.status = 'PENDING' and outstanding.next_attempt_at <= now()
          order by outstanding.next_attempt_at limit 1
        ) oldest on true
        where shops.closed_at is null
      ) each_endpoint group by health`,
    because: "metrics are of the whole service, and tell numbers alone",
  },
];

export const exceptions: readonly Exception[] = [...keys, ...statements];
