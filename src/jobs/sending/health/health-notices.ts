import { NotificationKind } from "../../../core/model/notifications/notification-kind.ts";
import type { NewNotice } from "../../../core/notifications/record-notices.sql.ts";
import { disablesAt } from "../../../core/webhooks/health/endpoint-health.ts";
import type { Health } from "./circuit-breaker.ts";

/** How long an endpoint must fail before staff get a mail. Milliseconds. */
const NOTICE_LIMIT = 3_600_000;

/** The notices of a health change, and of deliveries whose attempts are used up. */
export function healthNotices(
  { before, after, usedUp }: { before: Health; after: Health; usedUp: number },
  target: NewNotice["target"],
): NewNotice[] {
  const notices: NewNotice[] = [];
  const add = (kind: NotificationKind, more: Pick<NewNotice, "count" | "details">) =>
    notices.push({ kind, target, ...more });
  const failingSince = after.failingSince?.toISOString() ?? "";
  const topics = describeTopics(after.failingTopics);
  const isPastLimit = failingTime(before) < NOTICE_LIMIT && failingTime(after) >= NOTICE_LIMIT;
  if (isPastLimit && !after.disabledReason) {
    add(NotificationKind.WEBHOOK_ENDPOINT_FAILING, { details: { failingSince, topics } });
  }
  if (!before.warnedAt && after.warnedAt) {
    const details = { failingSince, topics, disablesAt: disablesAt(after).toISOString() };
    add(NotificationKind.WEBHOOK_ENDPOINT_SUSPENDED, { details });
  }
  if (!before.disabledReason && after.disabledReason) {
    add(NotificationKind.WEBHOOK_ENDPOINT_DISABLED, { details: { reason: after.disabledReason } });
  }
  if (usedUp > 0) add(NotificationKind.WEBHOOK_DELIVERIES_USED_UP, { count: usedUp });
  return notices;
}

/** Such as "All failures are product.updated", or the numbers. */
function describeTopics(failingTopics: Health["failingTopics"]): string {
  const topics = Object.entries(failingTopics).toSorted(([, left], [, right]) => right - left);
  if (topics.length === 1) return `All failures are ${topics[0]![0]}.`;
  return `Failures: ${topics.map(([topic, failures]) => `${failures} ${topic}`).join(", ")}.`;
}

/** The time from the first failure to the last. Milliseconds. */
function failingTime({ failingSince, lastFailedAt }: Health): number {
  return failingSince && lastFailedAt ? lastFailedAt.getTime() - failingSince.getTime() : 0;
}
