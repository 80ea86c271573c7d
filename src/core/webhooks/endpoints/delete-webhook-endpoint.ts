import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../ids.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { sendNow } from "../deliveries/send-jobs.ts";
import { withoutQuery } from "./target-url.ts";

/** Deletes an endpoint and what it was still to be sent. False when there is none. */
export async function deleteWebhookEndpoint(
  em: EntityManager,
  shopId: string,
  author: Author,
  id: string,
): Promise<boolean> {
  if (!isId(id)) return false;
  return em.transactional(async (transaction) => {
    // Before the endpoint: in this order those who record attempts lock them.
    await runStatement(kysely(transaction), "delete from hourly_attempts where shop_id = $1 and endpoint_id = $2", [
      shopId,
      id,
    ]);
    const [deleted] = await runStatement<{ url: string }>(
      kysely(transaction),
      "delete from webhook_endpoints where shop_id = $1 and id = $2 returning url",
      [shopId, id],
    );
    if (!deleted) return false;
    // A run fails the waiting deliveries, a batch at a time.
    await sendNow(transaction, { shopId, endpointId: id });
    const target = { id, name: withoutQuery(deleted.url) };
    await recordAudit(transaction, shopId, author, { action: AuditAction.WEBHOOK_ENDPOINT_DELETED, target });
    return true;
  });
}
