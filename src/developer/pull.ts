import { setTimeout as wait } from "node:timers/promises";
import { deliveryHeaders, signDelivery } from "../core/webhooks/deliveries/delivery-headers.ts";
import { promptPassword, shutdownSignal } from "../platform/terminal.ts";
import { forwardDelivery } from "./forward.ts";
import { openForwarding, type Forwarding } from "./receiver.ts";
import { ask, ServerUnavailable, type Client } from "./staff-client.ts";

/** The options of the command line. */
export interface PullFlags {
  shop: string;
  endpoint: string;
  /** The receiver that gets the events. Without it, they are printed and acknowledged. */
  forwardTo?: string;
}

interface ReceivedEvent {
  id: string;
  event: string;
  topic: string;
  isTest: boolean;
  changed: string[] | null;
  actorId: string | null;
  attempts: number;
}

// The lease is longer than a receiver may take.
const RECEIVE = `mutation ($shopId: ID!, $endpointId: ID!, $waitSeconds: Int!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 20, leaseSeconds: 60, waitSeconds: $waitSeconds) {
    id event topic isTest changed actorId attempts
  }
}`;
const ACKNOWLEDGE = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
  acknowledgeEvents(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
}`;
const EXTEND = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!, $leaseSeconds: Int!) {
  extendLease(shopId: $shopId, endpointId: $endpointId, ids: $ids, leaseSeconds: $leaseSeconds) { changed }
}`;

const WAIT_SECONDS = 20;
/** The pause after a batch without a handled event, or without a response, doubles up to the longest. Milliseconds. */
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** The time until a failed event comes again. It doubles with each attempt. Seconds. */
const leaseAfter = (attempts: number) => Math.min(5 * 2 ** (attempts - 1), 300);

/**
 * Fetches the events of a pull endpoint until it is stopped, with the service token on standard input.
 *
 * @throws OperatorError when the token, the endpoint or an option is refused
 */
export async function pullEvents(
  { baseUrl, dataDir }: { baseUrl: string; dataDir: string },
  { shop: shopId, endpoint: endpointId, forwardTo }: PullFlags,
): Promise<void> {
  const forwarding = forwardTo === undefined ? undefined : await openForwarding(dataDir, forwardTo);
  const token = (await promptPassword("Service token")).trim();
  const client: Client = { baseUrl, headers: { authorization: `Bearer ${token}` } };
  const stopping = new AbortController();
  void shutdownSignal().then(() => stopping.abort());
  const { signal } = stopping;
  const call = (document: string, variables: object, until?: AbortSignal) =>
    ask<{ receiveEvents: ReceivedEvent[] }>(client, document, { shopId, endpointId, ...variables }, until);
  const turn: Turn = {
    forwarding,
    receive: async (waitSeconds) => (await call(RECEIVE, { waitSeconds }, signal)).receiveEvents,
    acknowledge: (ids) => call(ACKNOWLEDGE, { ids }),
    extend: (id, leaseSeconds) => call(EXTEND, { ids: [id], leaseSeconds }),
  };
  // Shows a wrong address, token or endpoint immediately.
  let events = await turn.receive(0);
  console.log(`Fetching events from ${endpointId}\n`);
  if (forwarding) console.log(`Forwarding to ${forwarding.target}, signed with ${forwarding.secret}\n`);
  let pause = SHORTEST_PAUSE;
  const rest = async () => {
    await wait(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  };
  while (!signal.aborted) {
    try {
      if (await handle(events, turn)) pause = SHORTEST_PAUSE;
      else if (events.length > 0) await rest();
      const startedAt = performance.now();
      events = await turn.receive(WAIT_SECONDS);
      // The server is stopping, or many wait.
      if (events.length === 0 && performance.now() - startedAt < SHORTEST_PAUSE) await rest();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerUnavailable)) throw error;
      console.log(`› ${error.message}\n`);
      // Events that are not acknowledged come again.
      events = [];
      await rest();
    }
  }
}

interface Turn {
  forwarding: Forwarding | undefined;
  receive: (waitSeconds: number) => Promise<ReceivedEvent[]>;
  acknowledge: (ids: readonly string[]) => Promise<unknown>;
  extend: (id: string, leaseSeconds: number) => Promise<unknown>;
}

/** Prints or forwards events, at once as webhooks are sent. Returns true if any was handled. */
async function handle(events: readonly ReceivedEvent[], { forwarding, acknowledge, extend }: Turn): Promise<boolean> {
  const handled: string[] = [];
  await Promise.all(events.map(async (event) => void ((await handleOne(event, forwarding)) && handled.push(event.id))));
  if (handled.length > 0) await acknowledge(handled);
  for (const { id, attempts } of events) if (!handled.includes(id)) await extend(id, leaseAfter(attempts));
  return handled.length > 0;
}

/** Returns true if the receiver answered 2xx, or there is none. */
async function handleOne(
  { event, attempts, ...described }: ReceivedEvent,
  forwarding: Forwarding | undefined,
): Promise<boolean> {
  const { topic, isTest } = described;
  const { id: eventId } = JSON.parse(event) as { id: string };
  const kind = `${isTest ? "  test event" : ""}${attempts > 1 ? `  attempt ${attempts}` : ""}`;
  console.log(`${new Date().toISOString()}  ${topic}  ${eventId}${kind}\n  ${event}\n`);
  if (!forwarding) return true;
  const at = new Date();
  const secrets = { active: forwarding.secret, valid: [forwarding.secret] };
  const headers = {
    ...deliveryHeaders({ ...described, eventId }, at),
    ...signDelivery({ secrets, eventId, body: event, at }),
  };
  const { status, summary } = await forwardDelivery(forwarding.target, { headers, body: Buffer.from(event) });
  console.log(`  ${eventId} ${summary}\n`);
  return status >= 200 && status < 300;
}
