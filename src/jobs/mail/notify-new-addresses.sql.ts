// Text, since one statement compares the networks of each key's requests, with PostgreSQL's functions for them.
import type { EntityManager } from "@mikro-orm/postgresql";
import { NotificationKind } from "../../core/model/notifications/notification-kind.ts";
import { recordNotices } from "../../core/notifications/record-notices.sql.ts";
import { kysely, query } from "../../core/queries/database.ts";
import { transactional } from "../../core/queries/transaction.ts";
import { eachShop } from "../batches.ts";

const HOUR = 3_600_000;
/** Requests are logged some seconds late. Milliseconds. */
const LOG_DELAY = 60_000;

// An IPv6 client often changes its address within its network of 64 bits.
const findNewAddresses = `
  with seen as (
    select api_key_id, min(created_at) as first_at,
      case family(address) when 4 then host(address) else network(set_masklen(address, 64))::text end as address
    from api_requests where shop_id = $1 and address is not null
      and (select true from hourly_requests where shop_id = $1 and hour > $2::timestamptz - interval '1 hour' limit 1)
    group by 1, 3
  ), dated as (
    select *, min(first_at) over (partition by api_key_id) as key_first_at from seen
  )
  select api_key_id as id, count(*)::int as count, min(first_at) as "firstAt",
    array_to_string((array_agg(address order by first_at))[:5], ', ') || case when count(*) > 5 then ' and ' || (count(*) - 5) || ' more' else '' end
      as addresses
  from dated where first_at >= $2 and first_at < $3 and key_first_at < $2
  group by api_key_id`;

const findNames =
  "select id, name || ' (…' || last_characters || ')' as name from api_keys where shop_id = $1 and id = any($2)";

interface NewAddresses {
  id: string;
  count: number;
  firstAt: Date;
  addresses: string;
}

/**
 * Records a notice for each API key that was used from addresses in the hour before `time` that its earlier requests in
 * the log do not have. The first use of a key is no news. Stops when `signal` aborts.
 */
export async function notifyNewAddresses(em: EntityManager, time: Date, signal: AbortSignal): Promise<void> {
  const end = new Date(time.getTime() - LOG_DELAY);
  const start = new Date(end.getTime() - HOUR);
  await eachShop(em, signal, (shopId) =>
    transactional(em, async (transaction) => {
      const database = kysely(transaction);
      const found = await query<NewAddresses>(database, { text: findNewAddresses }, [shopId, start, end]);
      if (found.length === 0) return;
      const byKey = new Map(found.map((each) => [each.id, each]));
      const values = [shopId, [...byKey.keys()]];
      const keys = await query<{ id: string; name: string }>(database, { text: findNames }, values);
      const notices = keys.map((target) => {
        const { count, addresses, firstAt } = byKey.get(target.id)!;
        const details = { addresses, firstAt: firstAt.toISOString() };
        return { kind: NotificationKind.API_KEY_NEW_ADDRESS, target, count, details };
      });
      await recordNotices(transaction, shopId, notices);
    }),
  );
}
