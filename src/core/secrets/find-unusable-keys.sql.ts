// Text, since one pass over all shops takes each row apart with a lateral `unnest`.
import type { Kysely } from "kysely";
import { keyNameOf, type Encryption } from "../../platform/encryption.ts";
import { query } from "../queries/database.ts";
import type { Database } from "../model/tables.ts";
import { factorOwner } from "../staff/second-factor/factor-owner.ts";
import { headersOwner } from "../webhooks/endpoints/endpoint-headers.ts";
import { secretOwner } from "../webhooks/endpoints/signing-secrets.ts";

/** An encryption key by which something is sealed, and which cannot open it. */
export interface UnusableKey {
  name: string;
  /** Not configured, or configured with other bytes than the ones that encrypted. */
  fault: "MISSING" | "WRONG";
}

// Of all shops and accounts, in one pass: what the account or endpoint that was made first holds by each key. An old
// secret that has expired is not opened any more.
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

/** Tries each key that is in use on one of what it sealed, however much that is. */
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
