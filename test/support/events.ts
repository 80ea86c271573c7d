import type { Topic } from "../../src/core/webhooks/topics.ts";
import { query } from "./database.ts";
import type { TestServer } from "./server.ts";

const told = new Map<string, Set<string>>();

/** The events that were recorded for the shop since this was asked last, oldest first. */
export async function eventsSince(
  server: TestServer,
  shop: { id: string },
): Promise<{ topic: Topic; data: Record<string, unknown> }[]> {
  const rows = await query<{ id: string; topic: Topic; body: string }>(
    server.databaseUrl,
    "select id, topic, body from events where shop_id = $1 order by created_at, id",
    [shop.id],
  );
  const before = told.get(shop.id) ?? new Set();
  told.set(shop.id, new Set(rows.map(({ id }) => id)));
  return rows
    .filter(({ id }) => !before.has(id))
    .map(({ topic, body }) => ({ topic, data: (JSON.parse(body) as { data: Record<string, unknown> }).data }));
}
