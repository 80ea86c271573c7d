import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../../queries/columns.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/** An endpoint as it is shown. */
export type ListedWebhookEndpoint = Omit<WebhookEndpoint, "sealedSecret" | "sealedOldSecret" | "sealedHeaders">;

function endpointColumns(em: EntityManager, fields: ReadonlySet<string>): string {
  return selectList(columnsOf(em, WebhookEndpoint), fields, ["shopId", "id"]);
}

/** A shop's endpoints, oldest first: a plan allows so few that they need no pages. */
export function listWebhookEndpoints(
  em: EntityManager,
  shopId: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint[]> {
  const text = `select ${endpointColumns(em, fields)} from webhook_endpoints where shop_id = $1 order by id`;
  return runStatement(kysely(em), text, [shopId]);
}

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
