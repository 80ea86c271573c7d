import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../ids.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { endpointColumns, type ListedWebhookEndpoint } from "./list-webhook-endpoints.ts";

/** The endpoint, or undefined when this shop has none by the id. */
export async function findWebhookEndpoint(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${endpointColumns(em, fields)} from webhook_endpoints where shop_id = $1 and id = $2`;
  const [endpoint] = await runStatement<ListedWebhookEndpoint>(kysely(em), text, [shopId, id]);
  return endpoint;
}
