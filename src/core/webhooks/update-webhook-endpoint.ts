import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Caller } from "../caller.ts";
import { AuditAction } from "../credentials/audit-entry.entity.ts";
import { recordAudit } from "../credentials/record-audit.ts";
import { databaseTime } from "../database-time.ts";
import { parseInput, text } from "../input.ts";
import type { WebhookServices } from "./create-webhook-endpoint.ts";
import { lockWebhookEndpoint } from "./lock-webhook-endpoint.ts";
import { MAX_URL_LENGTH, parseTargetUrl, withoutQuery } from "./target-url.ts";
import { inOrder, topicNames } from "./topics.ts";
import { sendNow } from "./send-jobs.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

const updateWebhookEndpointSchema = z.strictObject({
  url: text({ max: MAX_URL_LENGTH }).nullish(),
  topics: z.array(z.enum(topicNames)).min(1).nullish(),
  paused: z.boolean().nullish(),
});

/**
 * Changes what is given. What was to be delivered while the endpoint was paused is sent once it is not.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function updateWebhookEndpoint(
  { em, webhooksAllowLoopback }: WebhookServices,
  shopId: string,
  caller: Caller,
  id: string,
  request: z.input<typeof updateWebhookEndpointSchema>,
): Promise<void> {
  const { topics, paused, ...input } = parseInput(updateWebhookEndpointSchema, request);
  const url = input.url == null ? null : parseTargetUrl(input.url, webhooksAllowLoopback);
  await em.transactional(async (transaction) => {
    const endpoint = await lockWebhookEndpoint(transaction, shopId, id);
    const target = { id, name: withoutQuery(endpoint.url) };
    const changes = changesOf(endpoint, { url, topics: topics && inOrder(topics), paused });
    if (Object.keys(changes).length === 0) return;
    Object.assign(endpoint, changes, { updatedAt: await databaseTime(transaction) });
    // For what waited meanwhile.
    if (changes.paused === false) await sendNow(transaction, { shopId, endpointId: id });
    const details = {
      ...(changes.url !== undefined && { url: withoutQuery(changes.url) }),
      ...(changes.topics && { topics: changes.topics.join(", ") }),
      ...(changes.paused !== undefined && { paused: String(changes.paused) }),
    };
    const action = AuditAction.WEBHOOK_ENDPOINT_UPDATED;
    await recordAudit(transaction, shopId, caller, { action, target, details });
  });
}

type Changes = Partial<Pick<WebhookEndpoint, "url" | "topics" | "paused">>;

/** What is given and differs. */
function changesOf(endpoint: WebhookEndpoint, given: { [Name in keyof Changes]: Changes[Name] | null }): Changes {
  const differs = ([name, value]: [string, unknown]) =>
    value != null && !isDeepStrictEqual(value, endpoint[name as keyof Changes]);
  return Object.fromEntries(Object.entries(given).filter(differs));
}
