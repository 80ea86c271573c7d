import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, runStatement } from "../../queries/database.ts";
import { endpointColumns, type ListedWebhookEndpoint } from "./list-webhook-endpoints.ts";

/** The endpoint that was just created or changed; undefined when it was deleted since. */
export async function findWebhookEndpoint(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint | undefined> {
  const text = `select ${endpointColumns(em, fields)} from webhook_endpoints where shop_id = $1 and id = $2`;
  const [endpoint] = await runStatement<ListedWebhookEndpoint>(kysely(em), text, [shopId, id]);
  return endpoint;
}
