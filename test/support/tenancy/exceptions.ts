/** A statement that is not held to one shop, and is right. */
export interface Exception {
  /** A part of it that no other statement has, with single spaces. */
  text: string;
  /** The tables that it may read and change across shops. */
  tables: readonly string[];
  because: string;
}

/** Every statement of ours that is not held to one shop. */
export const exceptions: readonly Exception[] = [
  {
    text: "from api_keys key join shops on shops.id = key.shop_id where digest = $1",
    tables: ["api_keys", "shops"],
    because: "an API key is found by its digest, and its shop with it",
  },
  {
    text: "from service_tokens token join shops on shops.id = shop_id where digest = $1",
    tables: ["service_tokens", "shops"],
    because: "a service token is found by its digest, and its shop with it",
  },
  {
    text: "left join memberships on memberships.staff_id = staff.id left join shops on shops.id = memberships.shop_id where token_digest = $1",
    tables: ["memberships", "shops"],
    because: "a session is its owner's, who may be a member of several shops",
  },
  {
    text: 'select "m0".* from "memberships" as "m0" where "m0"."staff_id" = $1',
    tables: ["memberships"],
    because: "what is done to an account is told to each shop that it belongs to",
  },
  {
    text: 'from "invitations" as "i0" where "i0"."token_digest" = $1',
    tables: ["invitations"],
    because: "whoever accepts an invitation shows its token, and learns of which shop it is",
  },
  {
    text: "update api_keys set last_used_at = greatest(last_used_at, uses.at) from uses",
    tables: ["api_keys"],
    because: "one statement notes the last uses of many shops' keys, each by its shop and id",
  },
  {
    text: "update service_tokens set last_used_at = greatest(last_used_at, uses.at) from uses",
    tables: ["service_tokens"],
    because: "one statement notes the last uses of many shops' tokens, each by its shop and id",
  },
  {
    text: "insert into api_requests",
    tables: ["api_requests"],
    because: "one statement writes down the requests of many shops, each with its shop",
  },
  {
    text: 'select "s0".* from "shops" as "s0" order by "s0"."id" asc',
    tables: ["shops"],
    because: "whoever runs the service lists its shops, and measures the deliveries of one after another",
  },
  {
    text: 'select "id" from "shops" order by "id"',
    tables: ["shops"],
    because: "jobs go from shop to shop, and each of their other statements is of one",
  },
  {
    text: "from webhook_endpoints where shop_id >= $1 and (split_part(sealed_secret, '.', 1) <> $2",
    tables: ["webhook_endpoints"],
    because: "secrets are encrypted anew a shop at a time, and this finds the next",
  },
  {
    text: "select min(array[id, shop_id, kind, sealed]) as oldest from ( select id, shop_id, kind, sealed from webhook_endpoints",
    tables: ["webhook_endpoints"],
    because: "readiness tries each encryption key on what it sealed first, of whichever shop",
  },
  {
    text: 'select health, count(*)::int as endpoints, max(age)::float8 as "oldestDue" from',
    tables: ["outstanding_deliveries", "shops", "webhook_endpoints"],
    because: "metrics are of the whole service, and tell numbers alone",
  },
];
