// Text, since one statement marks the endpoints whose state changed, by counts below a lateral join.
import type { EntityManager } from "@mikro-orm/postgresql";
import { NotificationKind } from "../../core/model/notifications/notification-kind.ts";
import { hasApiAccess } from "../../core/model/shops/current-shop.ts";
import { endpointName, type WebhookEndpoint } from "../../core/model/webhooks/webhook-endpoint.entity.ts";
import { recordNotices } from "../../core/notifications/record-notices.sql.ts";
import { kysely, query } from "../../core/queries/database.ts";
import { transactional } from "../../core/queries/transaction.ts";
import { backlog, IS_BEHIND } from "../../core/webhooks/health/backlog.sql.ts";
import { eachShop } from "../batches.ts";

/** The limit of counting for a mail. */
const MAX_COUNTED = 100_000;

const markChanged = {
  text: `
  with state as (
    select endpoint.id, waiting + leased as events, oldest_at, ${IS_BEHIND} as is_behind
    from webhook_endpoints endpoint join shops on shops.id = endpoint.shop_id
    cross join lateral ${backlog("$1", MAX_COUNTED)} backlog
    where endpoint.shop_id = $1 and pull_paused is false and ${hasApiAccess}
  )
  update webhook_endpoints set warned_at = case when is_behind then now() end from state
  where shop_id = $1 and webhook_endpoints.id = state.id and is_behind = (warned_at is null)
  returning state.id, url, description, events, oldest_at as "oldestAt", is_behind as "isBehind"`,
};

interface Changed extends Pick<WebhookEndpoint, "id" | "url" | "description"> {
  events: number;
  oldestAt: Date;
  isBehind: boolean;
}

/** Records a notice for each pull endpoint with events older than a day, once until it has none. */
export async function notifyBacklogs(em: EntityManager, signal: AbortSignal): Promise<void> {
  await eachShop(em, signal, (shopId) =>
    transactional(em, async (transaction) => {
      const changed = await query<Changed>(kysely(transaction), markChanged, [shopId]);
      const notices = changed.flatMap(({ id, events, oldestAt, isBehind, ...endpoint }) => {
        if (!isBehind) return [];
        const target = { id, name: endpointName(endpoint) };
        const details = { oldestAt: oldestAt.toISOString() };
        return { kind: NotificationKind.WEBHOOK_EVENTS_WAITING, target, count: events, details };
      });
      await recordNotices(transaction, shopId, notices);
    }),
  );
}
