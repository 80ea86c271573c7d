import { setInterval as every } from "node:timers/promises";
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

/** The interval between two checks. Milliseconds. */
const INTERVAL = 2_000;

interface Health {
  status: "HEALTHY" | "FAILING" | "SUSPENDED" | "DISABLED";
  nextProbeAt: string | null;
  disabledReason: "GONE" | "FAILING" | null;
}

const HEALTH = `query ($shopId: ID!, $id: ID!) {
  shop(id: $shopId) { webhookEndpoint(id: $id) { health { status nextProbeAt disabledReason } } }
}`;

/** Reports when an endpoint is suspended or disabled, the time of the next attempt, and when deliveries resume, until `signal`. */
export async function watchHealth(
  staff: StaffClient,
  endpoint: Pick<Subscription, "shopId" | "id">,
  { signal, report }: { signal: AbortSignal; report: (message: string) => void },
): Promise<void> {
  const page = `${staff.baseUrl}/admin/${endpoint.shopId}/endpoints/${endpoint.id}`;
  let reported: string | undefined;
  try {
    for await (const _ of every(INTERVAL, undefined, { signal })) {
      const health = await read(staff, endpoint);
      if (!health) continue;
      const message = describe(health, page);
      if (message !== reported) report(message ?? "Deliveries resume");
      reported = message;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Reads the endpoint's health. Undefined while the server does not answer. */
async function read(staff: StaffClient, variables: Pick<Subscription, "shopId" | "id">): Promise<Health | undefined> {
  const answer = ask<{ shop: { webhookEndpoint: { health: Health } | null } }>(staff, HEALTH, { ...variables });
  return answer.then(
    ({ shop }) => shop.webhookEndpoint?.health,
    () => undefined,
  );
}

function describe({ status, nextProbeAt, disabledReason }: Health, page: string): string | undefined {
  const resume = `To resume deliveries immediately, send a successful test event: ${page}`;
  switch (status) {
    case "SUSPENDED":
      return `Suspended: ten attempts in a row failed. Deliveries wait. Next attempt: ${nextProbeAt}.\n  ${resume}`;
    case "DISABLED": {
      const reason = disabledReason === "GONE" ? "the receiver responded with 410" : "all attempts in five days failed";
      return `Disabled: ${reason}. No more deliveries are sent.\n  ${resume}`;
    }
    default:
      return undefined;
  }
}
