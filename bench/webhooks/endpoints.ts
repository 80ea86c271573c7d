import type pg from "pg";
import { operator } from "../../src/core/access/actor.ts";
import { createShop } from "../../src/core/shops/create-shop.ts";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { createWebhookEndpoint } from "../../src/core/webhooks/endpoints/endpoints.ts";
import type { Topic } from "../../src/core/model/webhooks/topics.ts";
import { newId } from "../../src/core/model/ids.ts";
import { secretOwner } from "../../src/core/webhooks/endpoints/signing-secrets.ts";
import type { App } from "../../src/app.ts";

/** An endpoint with its signing secret. */
export interface BenchEndpoint {
  shopId: string;
  id: string;
  url: string;
  secret: string;
  topic: Topic;
}

/** Endpoints of a shop that has as many as it may. */
const MAX_ENDPOINTS = 25;

/** Topics with the same shape of `data`. Each is subscribed by one endpoint of a shop, so an event is one delivery. */
const topics = ["product.updated", "product.created", "product.deleted"] as const;

/** Creates an endpoint at each address, a few per shop. */
export async function makeEndpoints({ core }: App, origins: string[]): Promise<BenchEndpoint[]> {
  const { em } = core.orm;
  const endpoints: BenchEndpoint[] = [];
  let shop: Shop | undefined;
  for (const [index, origin] of origins.entries()) {
    const topic = topics[index % topics.length]!;
    if (index % topics.length === 0) {
      shop = await createShop(em, operator, { name: `Shop ${index}`, plan: Plan.ENTERPRISE, currency: "EUR" });
    }
    const input = { url: `${origin}/hooks`, topics: [topic] };
    const { endpoint, secret } = await createWebhookEndpoint({ em, shop: shop!, actor: operator }, core, input);
    endpoints.push({ shopId: shop!.id, id: endpoint.id, url: input.url, secret, topic });
  }
  return endpoints;
}

/** Creates many endpoints at one address with copies of one in each shop, because creating them singly takes minutes. */
export async function makeManyEndpoints(app: App, client: pg.Client, url: string, count: number) {
  const { em } = app.core.orm;
  const endpoints: BenchEndpoint[] = [];
  while (endpoints.length < count) {
    const shop = await createShop(em, operator, { name: "Many", plan: Plan.ENTERPRISE, currency: "EUR" });
    const input = { url, topics: ["product.updated" as const] };
    const { endpoint, secret } = await createWebhookEndpoint({ em, shop, actor: operator }, app.core, input);
    const ids = Array.from({ length: Math.min(MAX_ENDPOINTS, count - endpoints.length) - 1 }, () => newId("whe"));
    const copies = ids.map((id) => {
      return { id, sealed_secret: app.core.encryption.seal(secret, secretOwner({ shopId: shop.id, id })) };
    });
    await client.query(
      `insert into webhook_endpoints select copied.* from webhook_endpoints endpoint
      cross join json_array_elements($2::json) as copy cross join jsonb_populate_record(endpoint, copy::jsonb) copied
      where endpoint.shop_id = $1`,
      [shop.id, JSON.stringify(copies)],
    );
    for (const id of [endpoint.id, ...ids])
      endpoints.push({ shopId: shop.id, id, url, secret, topic: "product.updated" });
  }
  return endpoints;
}
