import { operator } from "../../src/core/access/actor.ts";
import { createShop } from "../../src/core/shops/create-shop.ts";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { createWebhookEndpoint } from "../../src/core/webhooks/endpoints/endpoints.ts";
import type { Topic } from "../../src/core/model/webhooks/topics.ts";
import type { App } from "../../src/app.ts";

/** An endpoint with its signing secret. */
export interface BenchEndpoint {
  shopId: string;
  id: string;
  url: string;
  secret: string;
  topic: Topic;
}

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
