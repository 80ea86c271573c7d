import { inOrder, topicNames, type Topic } from "../core/model/webhooks/topics.ts";
import { oneLine } from "../platform/texts.ts";
import { requireChoices, shutdownSignal } from "../platform/terminal.ts";
import { findShop, type SubscribedShop, type ShopChoice } from "./find-shop.ts";
import { openForwarding, Receiver, type Forwarding } from "./receiver.ts";
import { logIn } from "./staff-client.ts";
import { watchHealth, subscribe, unsubscribe, type Subscription } from "./subscription.ts";

/** The options of the command line. */
export interface ListenFlags extends ShopChoice {
  port: number;
  /** All by default. */
  topics?: string[];
  /** The receiver that gets verified deliveries. Its answers are returned. */
  forwardTo?: string;
}

interface ListenConfig {
  baseUrl: string;
  dataDir: string;
  demoFile: string;
}

/**
 * Subscribes a receiver on this machine to a shop's events until it is stopped.
 *
 * @throws OperatorError
 */
export async function listenForWebhooks(config: ListenConfig, flags: ListenFlags): Promise<void> {
  const topics = chooseTopics(flags.topics);
  const forwarding = flags.forwardTo === undefined ? undefined : await openForwarding(config.dataDir, flags.forwardTo);
  const receiver = new Receiver(forwarding);
  const url = await receiver.start(flags.port);
  try {
    const shop = await findShop(config, flags);
    // From here on, a signal must delete the endpoint.
    const stopped = shutdownSignal();
    const subscription = await subscribe(shop.staff, shop.id, { url, topics });
    receiver.secret = subscription.secret;
    welcome(shop, { url, topics, forwarding });
    const ending = new AbortController();
    const report = (message: string) => console.log(`› ${message}\n`);
    const watching = watchHealth(shop.staff, subscription, { signal: ending.signal, report });
    await stopped;
    ending.abort();
    await watching;
    await leave(shop, subscription);
  } finally {
    receiver.stop();
  }
}

async function leave({ login, staff }: SubscribedShop, subscription: Subscription): Promise<void> {
  try {
    // The session expired if it was idle for an hour. A new login fails if it needs a code.
    await unsubscribe(staff, subscription).catch(async () => unsubscribe(await logIn(login), subscription));
  } catch (error) {
    console.error(`› The endpoint ${subscription.id} could not be deleted: ${(error as Error).message}`);
  }
}

/** @throws OperatorError */
function chooseTopics(given: readonly string[] = topicNames): Topic[] {
  requireChoices("--topics", given, topicNames);
  return inOrder([...given]);
}

function welcome(
  { id, name, login, apiKey }: SubscribedShop,
  { url, topics, forwarding }: { url: string; topics: Topic[]; forwarding: Forwarding | undefined },
): void {
  const subscribed = topics.length === topicNames.length ? "every event" : topics.join(", ");
  const where = forwarding ? `${url}, forwarding to ${forwarding.target}` : url;
  console.log(`Receiving ${subscribed} of ${oneLine(name)} at ${where}\n`);
  if (forwarding) console.log(`Signed with ${forwarding.secret}\n`);
  if (apiKey === undefined) return;
  console.log(`To trigger a webhook, create a product:\n  curl -X POST -H "Authorization: Bearer ${apiKey}" \\`);
  console.log(`    -H "Content-Type: application/json" -d '{"title":"Stoneware Mug","price":14.5}' \\`);
  console.log(`    "${login.baseUrl}/api/v1/${id}/products"\n`);
}
