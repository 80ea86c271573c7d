import type { Topic } from "../core/model/webhooks/topics.ts";
import { ask, type StaffClient } from "./staff-client.ts";

export interface Subscription {
  shopId: string;
  id: string;
  secret: string;
}

/** Subscribes an address of this machine to a shop's events. */
export async function subscribe(
  staff: StaffClient,
  shopId: string,
  { url, topics }: { url: string; topics: readonly Topic[] },
): Promise<Subscription> {
  const { shop } = await ask<{ shop: { webhookEndpoints: { id: string; url: string }[] } }>(
    staff,
    "query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { id url } } }",
    { shopId },
  );
  // Left by a killed listener, and of no use without its secret.
  for (const endpoint of shop.webhookEndpoints) {
    if (endpoint.url === url) await unsubscribe(staff, { shopId, id: endpoint.id });
  }
  const { createWebhookEndpoint: created } = await ask<{
    createWebhookEndpoint: { secret: string; endpoint: { id: string } };
  }>(
    staff,
    `mutation ($shopId: ID!, $url: String!, $topics: [String!]!) {
      createWebhookEndpoint(shopId: $shopId, input: { url: $url, topics: $topics }) { secret endpoint { id } }
    }`,
    { shopId, url, topics },
  );
  return { shopId, id: created.endpoint.id, secret: created.secret };
}

export async function unsubscribe(
  staff: StaffClient,
  { shopId, id }: Pick<Subscription, "shopId" | "id">,
): Promise<void> {
  await ask(staff, "mutation ($shopId: ID!, $id: ID!) { deleteWebhookEndpoint(shopId: $shopId, id: $id) }", {
    shopId,
    id,
  });
}
