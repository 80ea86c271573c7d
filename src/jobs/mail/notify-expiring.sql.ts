// Text, since one list of expiring records comes from three tables. Records in earlier emails are left out.
import type { EntityManager } from "@mikro-orm/postgresql";
import { NotificationKind } from "../../core/model/notifications/notification-kind.ts";
import { CREDENTIAL_IS_ACTIVE } from "../../core/model/credentials/credential.ts";
import { recordNotices } from "../../core/notifications/record-notices.sql.ts";
import { kysely, query } from "../../core/queries/database.ts";
import { SANDBOX_LIFETIME } from "../../core/shops/sandbox-rules.ts";
import { transactional } from "../../core/queries/transaction.ts";
import { eachShop } from "../batches.ts";

/** How long before expiry staff are notified. */
const AHEAD = "interval '7 days'";

// Skips rotated credentials, and those created for less than a week, because their expiry is expected.
const credentials = (table: string, label: string, isReplaced: string) => `
  select '${NotificationKind.CREDENTIAL_EXPIRING}' as kind, id, name, '${label}' as what, expires_at as ends_at from ${table}
  where shop_id = $1 and revoked_at is null and not ${isReplaced}
    and expires_at > now() and expires_at <= now() + ${AHEAD} and expires_at > created_at + ${AHEAD}`;

const findExpiring = `
  select * from (
    ${credentials("api_keys", "API key", "successor_id is not null")}
    union all ${credentials("service_tokens", "service token", "false")}
    union all
    select '${NotificationKind.TRIAL_ENDING}', id, name, 'trial', trial_ends_at from shops
    where id = $1 and plan = 'TRIAL' and trial_ends_at > now() and trial_ends_at <= now() + ${AHEAD}
    union all
    select '${NotificationKind.WEBHOOK_ENDPOINT_WITHOUT_TOKEN}', endpoint.id,
      case when pull_paused is null then split_part(url, '?', 1) else coalesce(description, 'Pull endpoint') end,
      token.name, coalesce(revoked_at, expires_at)
    from webhook_endpoints endpoint
    join service_tokens token on token.shop_id = $1 and token.id = service_token_id and not (${CREDENTIAL_IS_ACTIVE})
    where endpoint.shop_id = $1
    union all
    select '${NotificationKind.SANDBOX_ENDING}', id, name, 'sandbox', sandbox_used_at + ${SANDBOX_LIFETIME} from shops
    where sandbox_of = $1 and sandbox_used_at + ${SANDBOX_LIFETIME} <= now() + ${AHEAD}
  ) ending
  where not exists (
    select from notices where notices.shop_id = $1 and notices.kind = ending.kind and target_id = ending.id
      and (notices.details->>'endsAt')::timestamptz = ends_at
  )`;

/**
 * Records a notice for each credential, trial and unused sandbox that ends within a week, and each endpoint whose service
 * token has ended, once while the notice is kept. Stops when `signal` aborts.
 */
export async function notifyExpiring(em: EntityManager, signal: AbortSignal): Promise<void> {
  await eachShop(em, signal, (shopId) =>
    transactional(em, async (transaction) => {
      const endings = await query<Expiring>(kysely(transaction), { text: findExpiring }, [shopId]);
      const notices = endings.map(({ kind, id, name, what, ends_at: endsAt }) => {
        return { kind, target: { id, name }, details: { what, endsAt: endsAt.toISOString() } };
      });
      await recordNotices(transaction, shopId, notices);
    }),
  );
}

interface Expiring {
  kind: NotificationKind;
  id: string;
  name: string;
  what: string;
  ends_at: Date;
}
