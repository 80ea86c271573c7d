import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../model/ids.ts";
import { columnsOf } from "../../queries/columns.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import type { Selection } from "../../queries/selection.ts";
import { answerOf } from "../../queries/find-by-id.ts";

/** The shown properties of an endpoint. */
export type ListedWebhookEndpoint = Omit<WebhookEndpoint, "sealedSecret" | "sealedOldSecret" | "sealedHeaders">;

type ShownProperty = Extract<keyof ListedWebhookEndpoint, string>;

/** The properties for these fields, including those used by resolvers. */
function shownProperties(em: EntityManager, fields: ReadonlySet<string>): ShownProperty[] {
  const shown = new Set([...fields, "shopId", "id", "createdBy"]);
  return Object.keys(columnsOf(em, WebhookEndpoint)).filter((name) => shown.has(name)) as ShownProperty[];
}

/** Lists a shop's endpoints, oldest first, without pages because plans allow few. */
export function listWebhookEndpoints(
  em: EntityManager,
  shopId: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint[]> {
  const options = { fields: shownProperties(em, fields), orderBy: { id: "asc" }, disableIdentityMap: true } as const;
  return em.find(WebhookEndpoint, { shopId }, options);
}

/** Finds an endpoint. Undefined when this shop has none with this id. */
export async function findWebhookEndpoint(
  em: EntityManager,
  shopId: string,
  id: string,
  { fields }: Selection,
): Promise<ListedWebhookEndpoint | undefined> {
  if (!isId(id)) return undefined;
  const options = { fields: shownProperties(em, fields), disableIdentityMap: true } as const;
  return (await em.findOne(WebhookEndpoint, { shopId, id }, options)) ?? undefined;
}

export const answerWebhookEndpoint = answerOf("Webhook endpoint", findWebhookEndpoint);
