import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../core/model/ids.ts";
import { Shop } from "../../core/model/shops/shop.entity.ts";
import { WebhookEndpoint } from "../../core/model/webhooks/webhook-endpoint.entity.ts";
import { SEND_WITHIN, START_WITHIN } from "../../core/webhooks/checks/check-receiver.ts";
import {
  completeChecks,
  judge,
  type ReceiverCheck,
  type ReceiverCheckName,
} from "../../core/webhooks/checks/receiver-checks.ts";
import { deliveryHeaders, signDelivery } from "../../core/webhooks/deliveries/delivery-headers.ts";
import { openHeaders } from "../../core/webhooks/endpoints/endpoint-headers.ts";
import { generateSigningSecret, openSigningSecrets } from "../../core/webhooks/endpoints/signing-secrets.ts";
import { sampleData } from "../../core/webhooks/events/test-events.ts";
import { announceArrivals, type CheckJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";
import type { AttemptOutcome } from "../transport/exchange.ts";
import type { AttemptServices } from "./attempt-delivery.ts";

const HOUR = 3_600_000;
/** The longest time of a right response, without connecting. Milliseconds. */
const QUICK = 1_000;
/** Will never be a topic. */
const UNKNOWN_TOPIC = "receiver.checked";

interface CheckServices extends AttemptServices {
  em: EntityManager;
  /** Ends checks early, without results. */
  signal: AbortSignal;
}

/** Checks the receiver of an endpoint, and sends the results to the caller, unless it has left. */
export async function checkReceiver(services: CheckServices, job: CheckJob, addedAt: Date): Promise<void> {
  const { em, clock, signal } = services;
  const { shopId, endpointId: id } = job;
  if (clock.now().getTime() - addedAt.getTime() > START_WITHIN) return;
  const endpoint = await em.findOne(WebhookEndpoint, { shopId, id }, { disableIdentityMap: true });
  if (!endpoint) return;
  const shop = await em.findOneOrFail(Shop, { id: shopId }, { disableIdentityMap: true });
  const results = await runChecks(planChecks(services, shop, endpoint), signal);
  await announceArrivals(em, [`${job.checkId} ${JSON.stringify(results)}`]);
}

type Checks = Record<Exclude<ReceiverCheckName, "RESPONSE_TIME">, () => Promise<AttemptOutcome[]>>;

function planChecks({ encryption, transport, clock }: AttemptServices, shop: Shop, endpoint: WebhookEndpoint): Checks {
  const now = clock.now();
  const own = openHeaders(encryption, endpoint);
  const known = openSigningSecrets(encryption, endpoint, now);
  // order.created has no version.
  const usual = endpoint.topics.find((topic) => topic !== "order.created") ?? "order.updated";
  const data = sampleData(usual, shop);
  const write = ({ topic = usual, version = 1 }: { topic?: string; version?: number } = {}) => {
    const event = {
      id: newId("evt"),
      topic,
      shopId: shop.id,
      createdAt: now.toISOString(),
      data: { ...data, version },
    };
    return { eventId: event.id, topic, body: JSON.stringify(event) };
  };
  const first = write();
  /** Sends a message, or another body with its signature. */
  const send = (message = first, { at = now, secrets = known, body = message.body, isSigned = true } = {}) => {
    const headers = { ...own, ...deliveryHeaders({ ...message, isTest: true, changed: null, actorId: null }, at) };
    const signatures = isSigned ? signDelivery({ ...message, secrets, at }) : {};
    return transport.post(endpoint.url, { ...headers, ...signatures }, body);
  };
  const other = generateSigningSecret();
  return {
    VALID_EVENT: async () => [await send()],
    WRONG_SIGNATURE: async () => [await send(write(), { secrets: { active: other, valid: [other] } })],
    NO_SIGNATURE: async () => [await send(write(), { isSigned: false })],
    // A digit of `createdAt`, so that the body is still valid.
    ALTERED_BODY: async () => [
      await send(first, { body: first.body.replace(/\d(?=Z")/, (digit) => (digit === "0" ? "1" : "0")) }),
    ],
    OLD_TIMESTAMP: async () => [await send(write(), { at: new Date(now.getTime() - HOUR) })],
    FUTURE_TIMESTAMP: async () => [await send(write(), { at: new Date(now.getTime() + HOUR) })],
    REPEATED_EVENT: async () => [await send(first, { at: clock.now() })],
    CONCURRENT_EVENTS: () => {
      const message = write();
      return Promise.all([send(message), send(message)]);
    },
    OLDER_VERSION: async () => [await send(write({ version: 3 })), await send(write({ version: 2 }))],
    UNKNOWN_TOPIC: async () => [await send(write({ topic: UNKNOWN_TOPIC }))],
    WHITESPACE: async () => {
      const message = write({ version: 4 });
      return [await send({ ...message, body: `${JSON.stringify(JSON.parse(message.body), null, 2)}\n` })];
    },
  };
}

const refusals = new Set(["WRONG_SIGNATURE", "NO_SIGNATURE", "ALTERED_BODY", "OLD_TIMESTAMP", "FUTURE_TIMESTAMP"]);

/** Runs the checks in turn, until the valid event fails or the time is over. */
async function runChecks(checks: Checks, signal: AbortSignal): Promise<ReceiverCheck[]> {
  const results: ReceiverCheck[] = [];
  let slowest = 0;
  let accepted = 0;
  const end = performance.now() + SEND_WITHIN;
  for (const [check, run] of Object.entries(checks)) {
    if (performance.now() > end) break;
    signal.throwIfAborted();
    const isRefusal = refusals.has(check);
    const outcomes = await run();
    const wrong = outcomes.find(({ status, errorClass }) =>
      isRefusal ? status === null || status < 400 || status > 499 : errorClass !== null,
    );
    results.push(judge(check as ReceiverCheckName, !wrong, ...describe(wrong ?? outcomes[0]!)));
    if (wrong && results.length === 1) return completeChecks(results, "the valid event was not accepted");
    if (isRefusal && outcomes[0]!.errorClass === null) accepted += 1;
    if (!isRefusal) slowest = Math.max(slowest, ...outcomes.map(responseTime));
  }
  if (accepted === refusals.size) {
    const finding = `${results[0]!.finding}, as to every invalid event: the receiver verifies nothing`;
    results[0] = judge("VALID_EVENT", false, finding, results[1]!.remedy!);
  }
  results.push(judge("RESPONSE_TIME", slowest <= QUICK, `The slowest response took ${slowest} ms`));
  return completeChecks(results, `the receiver took ${SEND_WITHIN / 1_000} seconds for the checks before`);
}

/** What a receiver did, and for a redirect the remedy. Its address is short, since a notification carries all results. */
function describe({ status, error, responseHeaders }: AttemptOutcome): [finding: string, remedy?: string] {
  if (status === null || status < 300 || status > 399) return [error ?? `Responded with ${status}`];
  const location = responseHeaders?.find(([name]) => name.toLowerCase() === "location")?.[1] ?? "";
  const to = /^[\x21-\x7e]{1,200}$/.test(location) ? ` to ${location}` : "";
  const remedy =
    "Deliveries follow no redirects. Answer at the URL of the endpoint, or change the URL to the final one.";
  return [`Responded with ${status}, a redirect${to}`, remedy];
}

/** Without connecting, which takes longer for the first request. Milliseconds. */
function responseTime({ timings: { dns, connect, tls, total } }: AttemptOutcome): number {
  return Math.round(total - (dns ?? 0) - (connect ?? 0) - (tls ?? 0));
}
