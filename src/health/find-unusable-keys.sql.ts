// Text, since one pass over all shops splits each row with a lateral `unnest`.
import type { Kysely } from "kysely";
import { keyNameOf, type Encryption } from "../platform/encryption.ts";
import { query } from "../core/queries/database.ts";
import type { Database } from "../core/model/tables.ts";
import { factorOwner } from "../core/staff/second-factor/totp.ts";
import { headersOwner } from "../core/webhooks/endpoints/endpoint-headers.ts";
import { secretOwner } from "../core/webhooks/endpoints/signing-secrets.ts";

/** An encryption key that is in use but cannot decrypt. */
export interface UnusableKey {
  name: string;
  /** Not configured, or configured with a different key under the same name. */
  fault: "MISSING" | "WRONG";
}

// Selects, for each key, what it encrypted for the oldest account or endpoint, in one pass over all shops. Expired old
// secrets are not read.
const OLDEST_BY_KEY = `
  select min(array[id, shop_id, kind, sealed]) as oldest
  from (
    select id, shop_id, kind, sealed
    from webhook_endpoints, lateral unnest(
      array['secret', 'secret', 'headers'],
      array[sealed_secret, case when old_secret_expires_at > now() then sealed_old_secret end, sealed_headers]
    ) as of_endpoint (kind, sealed)
    union all select staff_id, '', 'factor', sealed_secret from second_factors
  ) as held
  where sealed is not null
  group by split_part(sealed, '.', 1)`;

const owners = {
  secret: secretOwner,
  headers: headersOwner,
  factor: ({ id }: { id: string }) => factorOwner(id),
};

interface Held {
  oldest: [id: string, shopId: string, kind: keyof typeof owners, sealed: string];
}

/** Tries each key in use on one secret, however many it encrypted. */
export async function findUnusableKeys(database: Kysely<Database>, encryption: Encryption): Promise<UnusableKey[]> {
  const rows = await query<Held>(database, { text: OLDEST_BY_KEY }, []);
  return rows.flatMap<UnusableKey>(({ oldest: [id, shopId, kind, sealed] }) => {
    const name = keyNameOf(sealed);
    if (!encryption.keyNames.includes(name)) return [{ name, fault: "MISSING" }];
    try {
      encryption.open(sealed, owners[kind]({ shopId, id }));
      return [];
    } catch {
      return [{ name, fault: "WRONG" }];
    }
  });
}
