import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../model/ids.ts";
import { shownProperties, type ListedWebhookEndpoint } from "./list-webhook-endpoints.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

/** Finds an endpoint. Undefined when this shop has none with this id. */
export async function findWebhookEndpoint(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint | undefined> {
  if (!isId(id)) return undefined;
  const options = { fields: shownProperties(em, fields), disableIdentityMap: true } as const;
  return (await em.findOne(WebhookEndpoint, { shopId, id }, options)) ?? undefined;
}
