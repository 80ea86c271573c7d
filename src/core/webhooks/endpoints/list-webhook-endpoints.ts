import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../../queries/columns.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/** An endpoint as it is shown. */
export type ListedWebhookEndpoint = Omit<WebhookEndpoint, "sealedSecret" | "sealedOldSecret" | "sealedHeaders">;

export function endpointColumns(em: EntityManager, fields: ReadonlySet<string>): string {
  return selectList(columnsOf(em, WebhookEndpoint), fields, ["shopId", "id", "createdBy"]);
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
