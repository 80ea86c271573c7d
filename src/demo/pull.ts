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

// The lease is longer than a receiver may take for all of these.
const RECEIVE = `mutation ($shopId: ID!, $endpointId: ID!, $waitSeconds: Int!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 20, leaseSeconds: 300, waitSeconds: $waitSeconds) {
    id event topic isTest changed actorId attempts
  }
}`;
const change = (mutation: "acknowledgeEvents" | "releaseEvents") =>
  `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
    ${mutation}(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
  }`;

const WAIT_SECONDS = 20;
/** The pause after a failure doubles up to the longest. Milliseconds. */
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

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
    signal,
    receive: async (waitSeconds) => (await call(RECEIVE, { waitSeconds }, signal)).receiveEvents,
    change: (mutation, ids) => call(change(mutation), { ids }),
  };
  // Shows a wrong address, token or endpoint immediately.
  let events = await turn.receive(0);
  console.log(`Fetching events from ${endpointId}\n`);
  if (forwarding) console.log(`Forwarding to ${forwarding.target}, signed with ${forwarding.secret}\n`);
  let pause = SHORTEST_PAUSE;
  while (!signal.aborted) {
    const next = await takeTurn(turn, events);
    // Events that are not acknowledged come again.
    events = next ?? [];
    if (next) {
      pause = SHORTEST_PAUSE;
      continue;
    }
    await wait(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

interface Turn {
  forwarding: Forwarding | undefined;
  signal: AbortSignal;
  receive: (waitSeconds: number) => Promise<ReceivedEvent[]>;
  change: (mutation: Parameters<typeof change>[0], ids: readonly string[]) => Promise<unknown>;
}

/** Handles events and receives the next ones. Undefined after a failure, or when the server does not wait. */
async function takeTurn(turn: Turn, events: readonly ReceivedEvent[]): Promise<ReceivedEvent[] | undefined> {
  const startedAt = performance.now();
  try {
    const { handled, others } = await handle(events, turn);
    if (handled.length > 0) await turn.change("acknowledgeEvents", handled);
    if (others.length > 0) await turn.change("releaseEvents", others);
    if (others.length > 0) return undefined;
    const next = await turn.receive(WAIT_SECONDS);
    // The server is stopping, or many wait.
    return next.length === 0 && performance.now() - startedAt < SHORTEST_PAUSE ? undefined : next;
  } catch (error) {
    if (turn.signal.aborted) return undefined;
    if (!(error instanceof ServerUnavailable)) throw error;
    console.log(`› ${error.message}\n`);
    return undefined;
  }
}

/** Prints or forwards events, one after another. Stops at the first failure, because later ones may fail too. */
async function handle(events: readonly ReceivedEvent[], { forwarding, signal }: Turn) {
  const handled: string[] = [];
  for (const event of events) {
    if (signal.aborted || !(await handleOne(event, forwarding))) break;
    handled.push(event.id);
  }
  return { handled, others: events.slice(handled.length).map(({ id }) => id) };
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
