import type { Kysely } from "kysely";
import { keyNameOf, type Encryption } from "../../../platform/encryption.ts";
import { runStatement, type Database } from "../../queries/database.ts";
import { headersOwner } from "./endpoint-headers.ts";
import { secretOwner } from "./signing-secrets.ts";

/** An encryption key by which signing secrets or headers are sealed, and which cannot open them. */
export interface UnusableKey {
  name: string;
  /** Not configured, or configured with other bytes than those that sealed. */
  fault: "MISSING" | "WRONG";
}

// Of all shops, in one pass: what the endpoint that was made first holds by each key. An old secret that has expired is
// not opened any more.
const OLDEST_BY_KEY = `
  select min(array[id, shop_id, kind, sealed]) as oldest
  from webhook_endpoints, lateral (values
    ('secret', sealed_secret),
    ('secret', case when old_secret_expires_at > now() then sealed_old_secret end),
    ('headers', sealed_headers)
  ) as held (kind, sealed)
  where sealed is not null
  group by split_part(sealed, '.', 1)`;

/** Tries each key that is in use on one of what it sealed, whatever the number of endpoints. */
export async function findUnusableKeys(database: Kysely<Database>, encryption: Encryption): Promise<UnusableKey[]> {
  const rows = await runStatement<{ oldest: [string, string, string, string] }>(database, OLDEST_BY_KEY, []);
  return rows.flatMap<UnusableKey>(({ oldest: [id, shopId, kind, sealed] }) => {
    const name = keyNameOf(sealed);
    if (!encryption.keyNames.includes(name)) return [{ name, fault: "MISSING" }];
    try {
      encryption.open(sealed, (kind === "headers" ? headersOwner : secretOwner)({ shopId, id }));
      return [];
    } catch {
      return [{ name, fault: "WRONG" }];
    }
  });
}
