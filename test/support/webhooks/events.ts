import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { topicNames, type Topic } from "../../../src/core/model/webhooks/topics.ts";
import { schemaOf } from "../../../src/rest/openapi-webhooks.ts";
import { query } from "../database.ts";
import type { TestServer } from "../server.ts";

export interface RecordedEvent {
  topic: Topic;
  data: Record<string, unknown>;
}

const emitted = new Map<string, Set<string>>();

const ajv = addFormats.default(new Ajv2020());
const isDescribed = new Map(topicNames.map((topic) => [topic, ajv.compile(schemaOf(topic))]));

/** The shop's events since the last call, oldest first, in the form of the catalog. Test events are excluded. */
export async function eventsSince(server: TestServer, shop: { id: string }): Promise<RecordedEvent[]> {
  const rows = await query<{ id: string; topic: Topic; body: string }>(
    server.databaseUrl,
    `select id, topic, body from events where shop_id = $1 and not exists (
      select from deliveries where deliveries.shop_id = events.shop_id and event_id = events.id and is_test
    ) order by created_at, id`,
    [shop.id],
  );
  const before = emitted.get(shop.id) ?? new Set();
  emitted.set(shop.id, new Set(rows.map(({ id }) => id)));
  return rows
    .filter(({ id }) => !before.has(id))
    .map(({ topic, body }) => {
      const event = JSON.parse(body) as { data: Record<string, unknown> };
      expect(isDescribed.get(topic)!(event), body).to.equal(true);
      return { topic, data: event.data };
    });
}
