import { operator } from "../../src/core/access/actor.ts";
import { createShop } from "../../src/core/shops/create-shop.ts";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { createWebhookEndpoint } from "../../src/core/webhooks/endpoints/create-webhook-endpoint.ts";
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

/** The number of endpoints that the plan allows. */
const PER_SHOP = 25;

export function makeShop({ core }: App, name: string): Promise<Shop> {
  return createShop(core.orm.em, operator, { name, plan: Plan.ENTERPRISE, currency: "EUR" });
}

export async function makeEndpoint({ core }: App, shopId: string, url: string, topic: Topic): Promise<BenchEndpoint> {
  const { endpoint, secret } = await createWebhookEndpoint(
    { em: core.orm.em, shop: { id: shopId }, actor: operator },
    core,
    {
      url,
      topics: [topic],
    },
  );
  return { shopId, id: endpoint.id, url, secret, topic };
}

/** Creates an endpoint at each address, a few per shop. */
export async function makeEndpoints(app: App, origins: string[]): Promise<BenchEndpoint[]> {
  const endpoints: BenchEndpoint[] = [];
  let shop: Shop | undefined;
  for (const [index, origin] of origins.entries()) {
    const place = index % topics.length;
    if (place === 0) shop = await makeShop(app, `Shop ${index}`);
    endpoints.push(await makeEndpoint(app, shop!.id, `${origin}/hooks`, topics[place]!));
  }
  return endpoints;
}

/**
 * Creates an endpoint at each address in as few shops as possible. Neighbours in the list belong to different shops.
 */
export async function makeCrowd(app: App, urls: string[]): Promise<BenchEndpoint[]> {
  const shops: Shop[] = [];
  while (shops.length * PER_SHOP < urls.length) shops.push(await makeShop(app, `Crowded shop ${shops.length + 1}`));
  const endpoints: BenchEndpoint[] = [];
  for (const [index, url] of urls.entries()) {
    endpoints.push(await makeEndpoint(app, shops[index % shops.length]!.id, url, "product.updated"));
  }
  return endpoints;
}
