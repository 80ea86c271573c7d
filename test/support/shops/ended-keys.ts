import { query } from "../database.ts";
import type { TestServer } from "../server.ts";

/** Gives a shop the many revoked keys that years of rotation leave: older than its key, with the same name. */
export async function leaveEndedKeys({ databaseUrl }: TestServer, shopId: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `insert into api_keys
     select (jsonb_populate_record(key, jsonb_build_object(
       'id', 'key_' || lpad(number::text, 26, '0'), 'digest', '\\x' || lpad(number::text, 64, '0'),
       'name', 'Rotated key ' || number, 'last_characters', lpad(number::text, 4, '0'),
       'created_at', created_at - number * interval '1 day', 'revoked_at', now()))).*
     from api_keys key, generate_series(1, $2::int) as number
     where key.id = (select min(id) from api_keys where shop_id = $1)`,
    [shopId, count],
  );
}
