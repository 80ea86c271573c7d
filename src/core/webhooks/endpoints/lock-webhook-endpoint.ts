import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

/**
 * Locks an endpoint until the transaction ends. New events for it wait.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockWebhookEndpoint(em: EntityManager, shopId: string, id: string): Promise<WebhookEndpoint> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const endpoint = isId(id) ? await em.findOne(WebhookEndpoint, { shopId, id }, { lockMode }) : null;
  if (!endpoint) throw new AppError("NOT_FOUND", "Webhook endpoint not found");
  return endpoint;
}
