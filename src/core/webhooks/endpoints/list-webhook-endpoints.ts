import type { Kysely } from "kysely";
import { selectList } from "../../queries/columns.ts";
import { runStatement, type Database } from "../../queries/database.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/** An endpoint as it is shown. */
export type ListedWebhookEndpoint = Omit<WebhookEndpoint, "sealedSecret" | "sealedOldSecret" | "sealedHeaders">;

const columns = {
  shopId: "shop_id",
  id: "id",
  url: "url",
  topics: "topics",
  description: "description",
  paused: "paused",
  headerNames: "header_names",
  secretActiveAt: "secret_active_at",
  oldSecretExpiresAt: "old_secret_expires_at",
  createdBy: "created_by",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

/** A shop's endpoints, oldest first: a plan allows so few that they need no pages. */
export function listWebhookEndpoints(
  database: Kysely<Database>,
  shopId: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint[]> {
  const text = `select ${selectList(columns, fields, ["shopId", "id"])} from webhook_endpoints where shop_id = $1 order by id`;
  return runStatement(database, text, [shopId]);
}

/** The endpoint that was just created or changed; undefined when it was deleted since. */
export async function findWebhookEndpoint(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint | undefined> {
  const text = `select ${selectList(columns, fields, ["shopId", "id"])} from webhook_endpoints where shop_id = $1 and id = $2`;
  const [endpoint] = await runStatement<ListedWebhookEndpoint>(database, text, [shopId, id]);
  return endpoint;
}
